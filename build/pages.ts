/** Puts the files of the pages, the guides and the client beside the compiled program, in dist/src/: `npm run build`. */
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { clientFile, docs, guidesFile } from '../src/reference/docs.ts'
import { compiled } from '../src/reference/pages.ts'
import { shop } from '../src/shop/shop.ts'

const [from, to] = [new URL('../src/', import.meta.url).href, new URL('../dist/src/', import.meta.url).href]

for (const { page, files } of [docs, shop])
  for (const file of [page, ...Object.values(files)]) {
    // Those of other packages are installed with this one.
    if (!file.href.startsWith(from)) continue
    const target = new URL(file.href.replace(from, to).replace(/\.ts$/, '.js'))
    mkdirSync(new URL('.', target), { recursive: true })
    writeFileSync(target, await compiled(file))
  }

copyFileSync(clientFile, new URL('reference/client.tgz', to))
copyFileSync(guidesFile, new URL('reference/guides.md', to))
