/** The report of a day, a week or a month: what was sold and returned, by whom; to be printed, and as a spreadsheet. */
import { saveFile } from '../changes/several.ts'
import { Freshness } from '../parts/freshness.tsx'
import { typed } from '../parts/parts.tsx'
import { wordsOf } from '../refusals.ts'
import { address, go, type Span, spans } from '../state/address.ts'
import { categoryName } from '../state/catalogue.ts'
import { dayText, loadReport, type ReportRow, report } from '../state/report.ts'
import { timeText } from '../times.ts'
import { capital, number } from '../words.ts'

const nobody = '(no key)'
const columns = ['Time', 'Order', 'What', 'Number', 'Animal', 'Category', 'For', 'By']

const cellsOf = ({ at, what, order, pet, by = nobody }: ReportRow): string[] => [
  timeText(at),
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

const saidOf = (rows: readonly ReportRow[]): string =>
  `${number(count(rows, 'sold'))} sold, ${number(count(rows, 'returned'))} returned`

function People({ rows }: { rows: readonly ReportRow[] }) {
  return (
    <ul class="people">
      {[...Map.groupBy(rows, ({ by = nobody }) => by)].map(([name, theirs]) => (
        <li key={name}>
          <strong dir="auto">{name}</strong> {saidOf(theirs)}
        </li>
      ))}
    </ul>
  )
}

function Toolbar() {
  const today = dayText(new Date())
  const { day = today, span = 'day' } = address.value
  const { rows = [] } = report.value ?? {}
  const show = (each: Span) => go({ span: each === 'day' ? undefined : each })
  return (
    <div class="toolbar">
      <label class="date">
        <span class="hidden">Day</span>
        <input
          type="date"
          required
          max={today}
          value={day}
          onInput={typed((text) => text && go({ day: text === today ? undefined : text }, true))}
        />
      </label>
      <div class="statuses" role="group" aria-label="How long">
        {spans.map((each) => (
          <button key={each} type="button" aria-pressed={span === each} onClick={() => show(each)}>
            {capital(each)}
          </button>
        ))}
      </div>
      <button type="button" onClick={() => print()}>
        Print
      </button>
      <button type="button" onClick={() => saveFile(`sales-${day}.csv`, [columns, ...rows.map(cellsOf)])}>
        Save as CSV
      </button>
    </div>
  )
}

export function Report() {
  const { rows = [], failure } = report.value ?? {}
  return (
    <>
      <Toolbar />
      <section class="catalogue report" aria-label="Report" aria-busy={!report.value}>
        <div class="found">
          <p role="status">{report.value ? !failure && saidOf(rows) : 'Loading…'}</p>
          <Freshness />
        </div>
        {Boolean(failure) && (
          <div class="notice" role="alert">
            <h2>The report could not be loaded</h2>
            <p>{wordsOf(failure)}</p>
            <p>
              <button type="button" onClick={loadReport}>
                Try again
              </button>
            </p>
          </div>
        )}
        {report.value && !failure && rows.length === 0 && (
          <div class="notice">
            <h2>Nothing was sold or returned</h2>
          </div>
        )}
        {rows.length > 0 && (
          <>
            <People rows={rows} />
            <table class="sales">
              <thead>
                <tr>
                  {columns.map((name) => (
                    <th key={name} scope="col">
                      {name}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {rows.map((row) => (
                  <tr key={`${row.order.id} ${row.at}`}>
                    {cellsOf(row).map((text, at) => (
                      <td key={columns[at]} dir="auto" data-column={columns[at]}>
                        {text}
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </>
        )}
      </section>
    </>
  )
}
