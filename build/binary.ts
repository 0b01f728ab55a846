/** Builds the program as one executable with Bun inside: `npm run build:binary [-- FILE]`. */
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { clientFile, docs } from '../src/reference/docs.ts'
import { compiled } from '../src/reference/pages.ts'
import { shop } from '../src/shop/shop.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const outfile = resolve(process.argv[2] ?? join(root, 'petstore'))

// The files are put together in a folder, since Bun names a file inside by its folder; their names end in .file, since it
// would take the pages' scripts for parts of the program.
const staging = mkdtempSync(join(tmpdir(), 'petstore-build-'))
try {
  const folder = join(staging, 'files')
  mkdirSync(folder)
  copyFileSync(join(root, 'package.json'), join(folder, 'package.json.file'))
  copyFileSync(clientFile, join(folder, 'client.tgz.file'))
  const files = { ...docs.files, ...shop.files, 'index.html': docs.page, 'shop.html': shop.page }
  for (const [name, file] of Object.entries(files)) writeFileSync(join(folder, `${name}.file`), await compiled(file))

  const { success, logs } = await Bun.build({
    entrypoints: [join(root, 'src/main.ts'), ...readdirSync(folder).map((name) => join(folder, name))],
    root: staging,
    naming: { asset: '[dir]/[name].[ext]' },
    loader: { '.file': 'file' },
    minify: true,
    sourcemap: 'inline',
    // What the program does depends on its own settings only, not on files in the folder it is started in.
    compile: { outfile: join(staging, 'petstore'), autoloadDotenv: false, autoloadBunfig: false },
  })
  for (const line of logs) console.error(String(line))
  if (!success) process.exitCode = 1
  // Its source map is inside, too; the files beside it are not needed.
  else {
    copyFileSync(join(staging, 'petstore'), outfile)
    console.log(`${outfile}: ${Math.round(statSync(outfile).size / 1e6)} MB`)
  }
} finally {
  rmSync(staging, { recursive: true })
}
