/**
 * What was added, sold and returned in the last weeks: as bars, with the figures of the day under the pointer or the
 * keyboard; and as a table to listen to.
 */
import type { TargetedPointerEvent, VNode } from 'preact'
import { useState } from 'preact/hooks'
import type { DaySales } from '../../../client/src/types.ts'
import { figures } from './look.ts'
import { html, number, typed } from './parts.ts'
import { sales } from './state.ts'

const height = 48
const step = 10

/** The service counts by days in UTC. */
const dayFormat = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' })
const dateOf = ({ day }: DaySales): string => dayFormat.format(new Date(day))
const sum = (days: readonly DaySales[], what: 'added' | 'sold' | 'returned'): number =>
  days.reduce((total, day) => total + day[what], 0)
/** Returns are rare: they are named where there are any, and have no bar. */
const returnedIn = (...days: readonly DaySales[]): string => {
  const count = sum(days, 'returned')
  return count > 0 ? `, ${number(count)} returned` : ''
}

/** The month in words, which shows the chart of it and folds it away. */
export function FiguresToggle(): VNode {
  const isOpen = figures.value === 'open'
  const toggle = () => {
    figures.value = isOpen ? 'folded' : 'open'
  }
  const days = sales.value ?? []
  const words = sales.value && `${number(sum(days, 'added'))} added, ${number(sum(days, 'sold'))} sold`
  return html`<button type="button" class="plain figures" aria-expanded=${isOpen} onClick=${toggle}>
    <span class="wide">30 days: ${words ?? '–'}${returnedIn(...days)}</span><span class="narrow">30 days</span>
  </button>`
}

/**
 * The height of the chart, and the day that is beyond it: one that has five times as much as any other, such as that of
 * an import, would leave nothing to see of the others.
 */
function scaleOf(days: readonly DaySales[]): { most: number; beyond: DaySales | undefined } {
  const size = ({ added, sold }: DaySales) => Math.max(added, sold)
  const [first, second] = days.toSorted((one, other) => size(other) - size(one))
  if (!first || !second || size(second) === 0 || size(first) < 5 * size(second))
    return { most: Math.max(1, first ? size(first) : 0), beyond: undefined }
  return { most: 1.25 * size(second), beyond: first }
}

export function Chart(): VNode {
  const [at, show] = useState<number | null>(null)
  const days = sales.value ?? []
  const last = days.length - 1
  const day = days[at ?? last]
  const counted = at !== null && day ? [day] : days
  const text = (what: 'added' | 'sold') => (sales.value ? number(sum(counted, what)) : '–')
  const { most, beyond } = scaleOf(days)
  const point = ({ clientX, currentTarget }: TargetedPointerEvent<HTMLElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect()
    show(Math.max(0, Math.min(last, Math.floor(((clientX - left) / width) * days.length))))
  }
  return html`<figure class="chart">
    <div class="plot" onPointerMove=${point} onPointerLeave=${() => show(null)}>
      <${Bars} days=${days} at=${at} most=${most} />
      ${
        day &&
        html`<input
          type="range"
          aria-label="Day"
          aria-valuetext="${dateOf(day)}: ${day.added} added, ${day.sold} sold${returnedIn(day)}"
          min="0"
          max=${last}
          value=${at ?? last}
          onInput=${typed((value) => show(Number(value)))}
          onFocus=${() => show(at ?? last)}
          onBlur=${() => show(null)}
        />`
      }
    </div>
    <p class="dates" aria-hidden="true">
      <span>${days[0] && dateOf(days[0])}</span>
      <span>${days[last] && dateOf(days[last])}</span>
    </p>
    <figcaption>
      <strong>${at !== null && day ? dateOf(day) : `In ${days.length || 30} days`}</strong>${' '}
      <i class="added" />${text('added')} added <i />${text('sold')} sold${returnedIn(...counted)}
      ${
        beyond &&
        at === null &&
        html`<span class="beyond">
          ${dateOf(beyond)} is beyond the scale: ${number(beyond.added)} added, ${number(beyond.sold)} sold
        </span>`
      }
    </figcaption>
    <div class="hidden"><${Table} days=${days} /></div>
  </figure>`
}

function Bars({ days, at, most }: { days: readonly DaySales[]; at: number | null; most: number }): VNode {
  const bar = (count: number, left: number, kind: string) => {
    const size = count > 0 ? Math.min(height, Math.max(2, (count / most) * height)) : 0
    return html`<rect class=${kind} x=${left} y=${height - size} width="4" height=${size} rx="1" />`
  }
  return html`<svg viewBox="0 0 ${30 * step} ${height}" preserveAspectRatio="none" aria-hidden="true">
    ${at !== null && html`<rect class="day" x=${at * step - 0.75} width=${step} height=${height} rx="1" />`}
    ${days.map(
      ({ day, added, sold }, i) => html`<g key=${day}>
        ${bar(added, i * step, 'added')}
        ${bar(sold, i * step + 4.5, 'bar')}
      </g>`,
    )}
  </svg>`
}

const Table = ({ days }: { days: readonly DaySales[] }): VNode => html`<table>
  <caption>Animals added, sold and returned on each of the last 30 days</caption>
  <thead>
    <tr>
      <th scope="col">Day</th>
      <th scope="col">Added</th>
      <th scope="col">Sold</th>
      <th scope="col">Returned</th>
    </tr>
  </thead>
  <tbody>
    ${days.map(
      (each) => html`<tr key=${each.day}>
        <th scope="row">${dateOf(each)}</th>
        <td>${each.added}</td>
        <td>${each.sold}</td>
        <td>${each.returned}</td>
      </tr>`,
    )}
  </tbody>
</table>`
