/**
 * How much of the suite runs, and the one place that leaves tests out. A test that is left out is still defined: the
 * runner reports it as skipped, with the reason. CI sets TEST_SCOPE=full; without it `npm test` takes less than two
 * minutes on two cores. Where CI=true, a test that lacks a program fails instead, and says what to install.
 *
 * `test` and the hooks here are those of `node:test`. While tests are left out, `test` only reports, and no hook is
 * added. So a file that leaves out more than single tests imports them from here.
 */
import assert from 'node:assert/strict'
import * as runner from 'node:test'
import { onPath } from './runtimes.ts'

export const isFull = process.env.TEST_SCOPE === 'full'
const notInScope = isFull ? undefined : 'needs TEST_SCOPE=full'

/** Returns how often something random or slow is repeated. */
export const times = (full: number, quick: number): number => (isFull ? full : quick)

/**
 * Returns those of several similar cases that one test tries: all of them in the full scope, otherwise the first
 * `quick`.
 */
export const few = <T>(all: readonly T[], quick = 1): readonly T[] => (isFull ? all : all.slice(0, quick))

/** Defines a test that only reports why it does not run. */
const reported = (reason: string): typeof runner.test => {
  const isSkipped = process.env.CI !== 'true' || reason === notInScope
  const define = (name: string) =>
    runner.test(name, isSkipped ? { skip: reason } : {}, () => assert.fail(`This test ${reason}.`))
  return define as typeof runner.test
}

/** For tests that take long, or that another test mostly covers. */
export let testInFull = notInScope === undefined ? runner.test : reported(notInScope)
export let { test, before, after, beforeEach, afterEach } = runner
let isLeavingOut = false

/** Leaves out the tests that are defined before the returned function is called, if there is a reason. */
function leaveOut(reason: string | undefined): () => void {
  if (!reason || isLeavingOut) return () => {}
  const inScope = testInFull
  isLeavingOut = true
  test = testInFull = reported(reason)
  before = after = beforeEach = afterEach = () => {}
  return () => {
    isLeavingOut = false
    testInFull = inScope
    ;({ test, before, after, beforeEach, afterEach } = runner)
  }
}

/** Leaves out the tests that `define` defines, if there is a reason. */
export function unless(reason: string | undefined, define: () => void): void {
  const end = leaveOut(reason)
  try {
    define()
  } finally {
    end()
  }
}

/** The items for which a loop defines the same tests. Tests beyond the first `quick` items belong to the full scope. */
export function* some<T>(all: Iterable<T>, quick = 1): Generator<T, void> {
  let count = 0
  for (const each of all) {
    const end = leaveOut(count++ < quick ? undefined : notInScope)
    try {
      yield each
    } finally {
      end()
    }
  }
}

export const describeUnless = (reason: string | undefined, title: string, define: () => void): void =>
  void runner.describe(title, () => unless(reason, define))

export type Describe = (title: string, define: () => void) => void
export const describeInFull: Describe = (title, define) => describeUnless(notInScope, title, define)

/** The Debian packages whose name differs from that of their program. */
const packages: Readonly<Record<string, string>> = {
  go: 'golang-go',
  mkfifo: 'coreutils',
  prlimit: 'util-linux',
  promtool: 'prometheus',
  'systemd-analyze': 'systemd',
}

/** Returns the reason why a test that needs these programs does not run here. */
export function lackOf(programs: readonly string[]): string | undefined {
  const missing = programs.filter((program) => onPath(program).length === 0)
  if (missing.length === 0) return undefined
  const install = missing.map((program) => packages[program] ?? program).join(' ')
  return `needs ${missing.join(' and ')}, not found on the PATH (on Debian: apt-get install ${install})`
}

/** Defines a test that needs programs of the machine. */
export const testWith = (programs: readonly string[], name: string, run: runner.TestFn): void =>
  unless(lackOf(programs), () => test(name, run))
