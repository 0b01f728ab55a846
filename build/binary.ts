/** Builds the program as one executable with Bun inside: `npm run build:binary [-- FILE]`. */
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { clientFiles, guidesPath } from '../src/reference/docs.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const outfile = resolve(process.argv[2] ?? join(root, 'petstore'))

// The files are put together in a folder, since Bun names a file inside by its folder; their names end in .file, since
// it
// would take the pages' scripts for parts of the program.
const staging = mkdtempSync(join(tmpdir(), 'petstore-build-'))
try {
  const pages = readdirSync(join(root, 'pages')).map((name) => `pages/${name}`)
  const files = ['package.json', guidesPath, ...clientFiles.map((file) => `contracts/${file}`), ...pages].map(
    (path) => {
      const file = join(staging, 'files', `${path}.file`)
      mkdirSync(dirname(file), { recursive: true })
      copyFileSync(join(root, path), file)
      return file
    },
  )

  const { success, logs } = await Bun.build({
    entrypoints: [join(root, 'src/main.ts'), ...files],
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
