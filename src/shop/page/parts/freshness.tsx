/**
 * Says whether the page is live. For a key that may not read events, it says when the list was read, and what the key
 * lacks.
 */
import { isLive } from '../live.ts'
import { readAt } from '../state/animals.ts'
import { can, isOnline } from '../state/session.ts'
import { markStale } from '../state/stale.ts'
import { clockText } from '../times.ts'
import { Lack } from './parts.tsx'

export function Freshness() {
  if (can('events:read')) return isLive.value && isOnline.value ? <span class="freshness live quiet">Live</span> : null
  if (readAt.value === null) return null
  return (
    <span class="freshness quiet">
      As of <time dateTime={readAt.value.toISOString()}>{clockText(readAt.value)}</time>{' '}
      <button type="button" class="plain" onClick={() => markStale({ anew: true })}>
        Refresh
      </button>{' '}
      <span>
        Not live: <Lack scope="events:read" />
      </span>
    </span>
  )
}
