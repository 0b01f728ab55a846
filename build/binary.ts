/** Builds the program as one executable with Node and the project's files inside: `npm run build:binary [-- FILE]`. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { clientFiles } from '../src/reference/client-files.ts'
import { guidesPath } from '../src/reference/docs.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const output = resolve(process.argv[2] ?? join(root, 'petstore'))
const folder = mkdtempSync(join(tmpdir(), 'petstore-build-'))
try {
  const main = join(folder, 'petstore.mjs')
  await build({
    entryPoints: [join(root, 'src/main.ts')],
    outfile: main,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node26',
    // Packages in CommonJS call `require` for Node's own modules. Another driver, which is not installed, is optional.
    banner: { js: "const require = process.getBuiltinModule('node:module').createRequire(process.execPath)" },
    external: ['pg-native'],
    logLevel: 'warning',
  })
  const pages = readdirSync(join(root, 'pages')).map((name) => `pages/${name}`)
  const files = ['package.json', guidesPath, ...clientFiles.map((file) => `contracts/${file}`), ...pages]
  const config = join(folder, 'config.json')
  writeFileSync(
    config,
    JSON.stringify({
      main,
      mainFormat: 'module',
      output,
      disableExperimentalSEAWarning: true,
      // These are the options of `npm start`.
      execArgv: ['--max-semi-space-size=8'],
      assets: Object.fromEntries(files.map((path) => [path, join(root, path)])),
    }),
  )
  execFileSync(process.execPath, ['--build-sea', config], { stdio: ['ignore', 'ignore', 'inherit'] })
  // The signature of Node does not fit any more, and macOS does not start a program with a wrong signature.
  if (process.platform === 'darwin') execFileSync('codesign', ['--sign', '-', '--force', output])
  process.stdout.write(`${output}: ${Math.round(statSync(output).size / 1e6)} MB\n`)
} finally {
  rmSync(folder, { recursive: true })
}
