/** The counts at the top, which filter the list, beside the chart of the last weeks. */
import type { VNode } from 'preact'
import type { PetStatus } from '../../../client/src/types.ts'
import { address, go, statuses } from './address.ts'
import { Chart } from './chart.ts'
import { html, number, Status } from './parts.ts'
import { inventory } from './state.ts'

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
