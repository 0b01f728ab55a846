/** Writes on the condition that If-Match states. */
import { refuse } from '../errors.ts'
import { etagOf, hasWeakTag, isAny, matchesIfMatch } from './etag.ts'

/**
 * Writes if `If-Match` names the version current at the time of writing; without it, or with `*`, any version will do.
 * `find` reads the current version, or throws if there is none. A write that `creates` what is not there gets a version for `*` too.
 */
export async function writeIf<T>(
  ifMatch: string | undefined,
  find: () => Promise<string>,
  write: (version: string | undefined) => Promise<T | 'precondition_failed'>,
  creates = false,
): Promise<T | 'precondition_failed'> {
  if (ifMatch === undefined || (isAny(ifMatch) && !creates)) return write(undefined)
  for (;;) {
    const json = await find()
    if (!isAny(ifMatch) && !matchesIfMatch(ifMatch, etagOf(json)))
      refuse('precondition_failed', hasWeakTag(ifMatch) ? weakTagMessage : undefined)
    const outcome = await write(json)
    // Changed since it was read; another tag of the list may match the new version.
    if (outcome !== 'precondition_failed') return outcome
  }
}

const weakTagMessage =
  'If-Match compares strongly, and a weak tag (W/…) never matches: send the tag without W/. A proxy that compresses responses makes their tags weak.'
