/** A folder for compiled code that no other user can write to. */
import { lstatSync, mkdirSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'

/**
 * The folder of this user inside a folder that all users share, made where it is not there. Undefined where somebody
 * else may write to it: they may have made it first, to have this program run code of theirs.
 */
export function privateFolder(shared: string): string | undefined {
  try {
    const { uid } = userInfo()
    const path = join(shared, `petstore-compiled-${uid}`)
    mkdirSync(path, { recursive: true, mode: 0o700 })
    const found = lstatSync(path)
    return found.isDirectory() && found.uid === uid && (found.mode & 0o077) === 0 ? path : undefined
  } catch {
    return undefined
  }
}
