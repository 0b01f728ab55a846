/** Returns what `petstore check` would find in a store. */
import { runCheck } from '../src/store/checks.ts'
import type { Store } from '../src/store/store.ts'

export async function faultsIn({ inspection }: Store): Promise<string[]> {
  const faults: string[] = []
  for (const check of inspection.checks) await runCheck(inspection, check, (fault) => faults.push(fault))
  return faults
}
