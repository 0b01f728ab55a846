/** The folder for compiled code between starts. This is JavaScript, because the cache saves the stripping of types. */
import { existsSync, lstatSync, mkdirSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'

/**
 * This user's folder for compiled code, inside a folder that all users share; created if missing. Undefined if another
 * user can write to that folder: this program would run whatever code they put there.
 *
 * @param {string} shared
 * @returns {string | undefined}
 */
export function privateFolder(shared) {
  try {
    const { uid } = userInfo()
    const path = join(shared, `petstore-compiled-${uid}`)
    // This is not `recursive`, which would also create the shared folder, and would never return in a folder like
    // /proc.
    if (!existsSync(path)) mkdirSync(path, { mode: 0o700 })
    const found = lstatSync(path)
    return found.isDirectory() && found.uid === uid && (found.mode & 0o077) === 0 ? path : undefined
  } catch {
    return undefined
  }
}
