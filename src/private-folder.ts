/** A folder for compiled code that no other user can write to. */
import { lstatSync, mkdirSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'

/**
 * This user's folder inside a folder shared by all users, created if missing. Undefined if someone else can write to
 * it: they may have created it first, so that this program runs their code.
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
