/** A disk that is so small that a test can fill it. Making one needs the right to mount. */
import { execFileSync } from 'node:child_process'
import { Folder } from './process.ts'
import { test, unless } from './scope.ts'

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

/** Returns the reason why nothing can be mounted here. */
function lackOfMounts(): string | undefined {
  try {
    new SmallDisk(64)[Symbol.dispose]()
    return undefined
  } catch {
    return 'needs the right to mount a disk (as root; in a container, with --privileged)'
  }
}

/** Defines a test on a small disk. */
export function testOnSmallDisk(name: string, kibibytes: number, run: (disk: Folder) => Promise<void>): void {
  unless(lackOfMounts(), () =>
    test(name, async () => {
      using disk = new SmallDisk(kibibytes)
      await run(disk)
    }),
  )
}
