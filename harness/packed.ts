/**
 * Packs a package of the project from a copy of the checkout, and installs it into an empty project as others would.
 */
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { temporaryFolder } from './databases.ts'
import { root } from './project.ts'

const run = promisify(execFile)

export interface Packed {
  /** The project in which it is installed. */
  readonly path: string
  /** The copy of the checkout. */
  readonly checkout: string
  /** The file that `npm pack` made, which `npm publish` would send. */
  readonly tarball: string
  remove(): void
}

export async function installPacked(part: 'client' | 'conform'): Promise<Packed> {
  const folder = temporaryFolder()
  const [path, checkout] = [join(folder.path, 'project'), join(folder.path, 'checkout')]
  const filter = (source: string) => source !== join(root, part, 'dist')
  for (const each of [part, 'tsconfig.json'])
    cpSync(join(root, each), join(checkout, each), { recursive: true, filter })
  symlinkSync(join(root, 'node_modules'), join(checkout, 'node_modules'))
  mkdirSync(path)
  writeFileSync(join(path, 'package.json'), '{"type":"module"}')
  const { stdout } = await run('npm', ['pack', '--pack-destination', folder.path, join(checkout, part)])
  const tarball = join(folder.path, stdout.trim().split('\n').at(-1) ?? '')
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', '--no-package-lock', tarball], { cwd: path })
  return { path, checkout, tarball, remove: folder.remove }
}
