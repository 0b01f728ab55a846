/** A disk so small that a test can fill it; making one needs the right to mount. */
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { Folder } from './process.ts'

class SmallDisk extends Folder {
  constructor(kibibytes: number) {
    super()
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${kibibytes}k`, 'petstore-test', this.path], { stdio: 'ignore' })
  }

  override [Symbol.dispose](): void {
    execFileSync('umount', ['--lazy', this.path])
    super[Symbol.dispose]()
  }
}

function canMount(): boolean {
  try {
    new SmallDisk(64)[Symbol.dispose]()
    return true
  } catch {
    return false
  }
}

/** Defines a test on a small disk; where nothing can be mounted it is not defined, and a line says so. */
export function testOnSmallDisk(name: string, kibibytes: number, run: (disk: Folder) => Promise<void>): void {
  if (!canMount()) console.log(`not defined, as nothing can be mounted here: ${name}`)
  else
    test(name, async () => {
      using disk = new SmallDisk(kibibytes)
      await run(disk)
    })
}
