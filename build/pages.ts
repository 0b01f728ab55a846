/** Makes the web pages in the form in which they are served, in pages/: `npm run build:pages [-- FOLDER]`. */
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { build } from 'esbuild'

const root = join(import.meta.dirname, '..')
const folder = resolve(process.argv[2] ?? join(root, 'pages'))
const [docs, shop] = ['src/reference/docs', 'src/shop/page']

const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: [
    { in: `${docs}/docs.ts`, out: 'docs' },
    { in: `${docs}/all.css`, out: 'docs' },
    { in: `${shop}/shop.tsx`, out: 'shop' },
    { in: `${shop}/all.css`, out: 'shop' },
  ],
  outdir: folder,
  bundle: true,
  minify: true,
  format: 'esm',
  charset: 'utf8',
  metafile: true,
})
for (const file of [`${docs}/favicon.svg`, `${shop}/shop.html`])
  copyFileSync(join(root, file), join(folder, file.slice(file.lastIndexOf('/') + 1)))

// Whoever distributes a package must also distribute its licence.
const packages = new Set(
  Object.keys(metafile.inputs).flatMap((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []),
)
const licenses = [...packages].sort().map((name) => {
  const file = (path: string) => readFileSync(join(root, 'node_modules', name, path), 'utf8')
  const { version, license } = JSON.parse(file('package.json'))
  return `${name} ${version}, ${license}\n\n${file('LICENSE').trim()}\n`
})
writeFileSync(join(folder, 'licenses.txt'), `The pages contain these packages.\n\n${licenses.join('\n\n')}`)
