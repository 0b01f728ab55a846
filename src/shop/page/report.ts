/** The report of a day: what was sold and returned, by whom; to be printed, and as a spreadsheet. */
import type { VNode } from 'preact'
import { address, go } from './address.ts'
import { loadReport, type ReportRow, report, today } from './load-report.ts'
import { Freshness, html, number, typed } from './parts.ts'
import { saveFile } from './save.ts'
import { wordsOf } from './session.ts'
import { categoryName } from './state.ts'

const nobody = '(no key)'
const columns = ['Time', 'Order', 'What', 'Number', 'Animal', 'Category', 'For', 'By']

const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short' })
const cellsOf = ({ at, what, order, pet, by = nobody }: ReportRow): string[] => [
  clock.format(new Date(at)),
  String(order.id),
  what,
  String(order.petId),
  pet?.name ?? '',
  pet ? categoryName(pet.categoryId) : '',
  order.reference ?? '',
  by,
]

const count = (rows: readonly ReportRow[], what: ReportRow['what']): number =>
  rows.filter((row) => row.what === what).length

function People({ rows }: { rows: readonly ReportRow[] }): VNode {
  const people = [...Map.groupBy(rows, ({ by = nobody }) => by)]
  return html`<ul class="people">
    ${people.map(
      ([name, theirs]) => html`<li key=${name}>
        <strong dir="auto">${name}</strong> ${number(count(theirs, 'sold'))} sold,
        ${' '}${number(count(theirs, 'returned'))} returned
      </li>`,
    )}
  </ul>`
}

export function Report(): VNode {
  const day = address.value.day ?? today()
  const { rows = [], failure } = report.value ?? {}
  const save = () => saveFile(`sales-${day}.csv`, [columns, ...rows.map(cellsOf)])
  const said = `${number(count(rows, 'sold'))} sold, ${number(count(rows, 'returned'))} returned`
  return html`<div class="toolbar">
      <label class="date"><span class="hidden">Day</span>
        <input
          type="date"
          required
          max=${today()}
          value=${day}
          onInput=${typed((text) => text && go({ day: text === today() ? undefined : text }, true))}
        />
      </label>
      <button type="button" onClick=${() => print()}>Print</button>
      <button type="button" onClick=${save}>Save as CSV</button>
    </div>
    <section class="catalogue report" aria-label="Report" aria-busy=${!report.value}>
      <div class="found"><p role="status">${report.value ? !failure && said : 'Loading…'}</p><${Freshness} /></div>
      ${
        failure &&
        html`<div class="notice" role="alert">
          <h2>The report could not be loaded</h2>
          <p>${wordsOf(failure)}</p>
          <p><button type="button" onClick=${loadReport}>Try again</button></p>
        </div>`
      }
      ${
        report.value &&
        !failure &&
        rows.length === 0 &&
        html`<div class="notice"><h2>Nothing was sold or returned</h2><p>Events are kept for some weeks.</p></div>`
      }
      ${
        rows.length > 0 &&
        html`<h2 class="only-print">Sales of ${day}: ${said}</h2><${People} rows=${rows} />
          <table class="sales">
            <thead><tr>${columns.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
            <tbody>
              ${rows.map(
                (row, i) => html`<tr key=${i}>
                ${cellsOf(row).map((text, at) => html`<td dir="auto" data-column=${columns[at]}>${text}</td>`)}
              </tr>`,
              )}
            </tbody>
          </table>`
      }
    </section>`
}
