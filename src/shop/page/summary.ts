/** The counts at the top, which filter the list, and the chart of the last weeks. */
import type { VNode } from 'preact'
import type { PetStatus } from '../../../client/src/types.ts'
import { address, go, statuses } from './address.ts'
import { html, number, Status } from './parts.ts'
import { inventory, sales } from './state.ts'

export function Summary(): VNode {
  const { status } = address.value
  return html`<section class="summary" aria-label="Counts">
    <div class="counts" role="group" aria-label="Show only animals that are">
      ${statuses.map(
        (each) => html`<button type="button" class="count" aria-pressed=${status === each}
          onClick=${() => go({ status: status === each ? undefined : each })}>
          <${Count} of=${each} /> <${Status} status=${each} />
        </button>`,
      )}
    </div>
    <${Chart} />
  </section>`
}

function Count({ of }: { of: PetStatus }): VNode {
  const text = inventory.value ? number(inventory.value[of]) : '–'
  return html`<strong style=${{ '--digits': text.length }}>${text}</strong>`
}

const height = 48
const step = 10

function Chart(): VNode {
  const days = sales.value ?? []
  const total = (what: 'added' | 'sold') => (sales.value ? number(days.reduce((sum, day) => sum + day[what], 0)) : '–')
  const most = Math.max(1, ...days.flatMap(({ added, sold }) => [added, sold]))
  const bar = (count: number, left: number, kind: string) => {
    // More may have come back on a day than were sold.
    const size = count > 0 ? Math.max(2, (count / most) * height) : 0
    return html`<rect class=${kind} x=${left} y=${height - size} width="4" height=${size} rx="1" />`
  }
  return html`<figure class="chart">
    <svg viewBox="0 0 ${30 * step} ${height}" role="img" aria-label="Animals added and sold on each of the last 30 days">
      ${days.map(
        ({ day, added, sold }, i) => html`<g key=${day}><title>${day}: ${added} added, ${sold} sold</title>
          ${bar(added, i * step, 'added')}${bar(sold, i * step + 4.5, 'bar')}</g>`,
      )}
    </svg>
    <figcaption>In 30 days <i class="added" />${total('added')} added <i />${total('sold')} sold</figcaption>
  </figure>`
}
