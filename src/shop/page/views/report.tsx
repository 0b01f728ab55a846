/** The report of a day, a week or a month: sales and returns, who made them, and a chart of the days. */
import type { TargetedMouseEvent } from 'preact'
import { saveFile } from '../changes/several.ts'
import { Freshness } from '../parts/freshness.tsx'
import { follow, typed } from '../parts/parts.tsx'
import { wordsOf } from '../refusals.ts'
import { address, go, type Span, spans } from '../state/address.ts'
import { categoryName } from '../state/catalogue.ts'
import {
  dayShown,
  daysIn,
  type Figures,
  figuresOf,
  figuresOfLines,
  firstDay,
  linesMax,
  loadReport,
  type Range,
  type ReportDay,
  type ReportLine,
  rangeOf,
  report,
  today,
  undoneMinutes,
} from '../state/report.ts'
import { clockText } from '../times.ts'
import { localTime } from '../until.ts'
import { capital, number } from '../words.ts'
import { Name } from './rows.tsx'

const nobody = 'No key'
const words: Readonly<Record<ReportLine['what'], string>> = {
  sold: 'sold',
  returned: 'taken back',
  undone: 'sale undone',
}

const inUtc = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(undefined, { timeZone: 'UTC', ...options })
const dayAndMonth = { day: 'numeric', month: 'short' } as const
const ofDay = inUtc({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })
const ofMonth = inUtc({ month: 'long', year: 'numeric' })
const ofShort = inUtc({ weekday: 'short', ...dayAndMonth })
const ofWeek = inUtc({ weekday: 'short', ...dayAndMonth, year: 'numeric' })
const ofWeekday = inUtc({ weekday: 'short' })
const ofDate = inUtc(dayAndMonth)
/** The weekday in the time zone of the user. */
const ofWeekdayHere = new Intl.DateTimeFormat(undefined, { weekday: 'short' })
const midnight = (day: string): Date => new Date(`${day}T00:00:00Z`)

function titleOf({ from, until }: Range, span: Span): string {
  if (span === 'month') return ofMonth.format(midnight(from))
  const last = new Date(midnight(until).getTime() - 1)
  return span === 'week' ? ofWeek.formatRange(midnight(from), last) : ofDay.format(midnight(from))
}

/** Writes figures in words, such as "3 sold, 1 taken back". */
function saidOf({ sold, returned, undone }: Figures): string {
  const parts = [`${number(sold)} sold`, `${number(returned)} taken back`]
  return [...parts, ...(undone > 0 ? [`${number(undone)} undone`] : [])].join(', ')
}

const columns = ['Day (UTC)', 'Time', 'What', 'How many', 'Order', 'Number', 'Animal', 'Category', 'For whom', 'By']

/** Saves the report as a spreadsheet. The column of counts adds up to the figures, even for days without names. */
function save(): void {
  const { days = [] } = report.value ?? {}
  const name = [...new Set([days[0]?.day, days.at(-1)?.day])].join('-to-')
  const rows = days.flatMap(({ day, lines, nameless }) => [
    ...lines.map(({ at, what, order, pet, by = nobody }) => [
      day,
      localTime(at).replace('T', ' '),
      words[what],
      '1',
      String(order.id),
      String(order.petId),
      pet?.name ?? '',
      pet ? categoryName(pet.categoryId) : '',
      order.reference ?? '',
      by,
    ]),
    ...(['sold', 'returned'] as const)
      .filter((what) => nameless[what] > 0)
      .map((what) => [day, '', words[what], String(nameless[what]), '', '', '', '', '', '']),
  ])
  saveFile(`sales-${name}.csv`, [columns, ...rows])
}

/** Opens a day or a range. Today has no address, so that tomorrow the page shows the new day. */
const showDay = (day: string, isTyped = false) => {
  const { span = 'day' } = address.peek()
  go({ day: rangeOf(day, span).from === rangeOf(today(), span).from ? undefined : day }, isTyped)
}

function Toolbar() {
  const day = dayShown()
  const { span = 'day' } = address.value
  const range = rangeOf(day, span)
  const step = (by: -1 | 1, text: string, isOff: boolean) => (
    <button type="button" disabled={isOff} onClick={() => showDay(rangeOf(day, span, by).from)}>
      {text}
    </button>
  )
  return (
    <div class="toolbar">
      <div class="statuses" role="group" aria-label="How long">
        {spans.map((each) => (
          <button
            key={each}
            type="button"
            aria-pressed={span === each}
            onClick={() => go({ span: each === 'day' ? undefined : each })}
          >
            {capital(each)}
          </button>
        ))}
      </div>
      <div class="steps">
        {step(-1, '‹ Earlier', range.from <= firstDay())}
        <label class="date">
          <span class="hidden">Day</span>
          <input
            type="date"
            required
            min={firstDay()}
            max={today()}
            value={day}
            onInput={typed((text) => text && text >= firstDay() && text <= today() && showDay(text, true))}
          />
        </label>
        {step(1, 'Later ›', range.until > today())}
      </div>
      <div class="outputs">
        <button type="button" disabled={!report.value} onClick={() => print()}>
          Print
        </button>
        <button type="button" disabled={!report.value} onClick={save}>
          Save as CSV
        </button>
      </div>
    </div>
  )
}

const names: Readonly<Record<keyof Figures, string>> = { sold: 'Sold', returned: 'Taken back', undone: 'Sales undone' }

/** The sales that were undone are mentioned only if there are any. */
const namesFor = ({ undone }: Figures): [name: keyof Figures, text: string][] =>
  (Object.entries(names) as [keyof Figures, string][]).filter(([name]) => name !== 'undone' || undone > 0)

const FigureList = ({ figures }: { figures: Figures }) => (
  <dl class="figures">
    {namesFor(figures).map(([name, text]) => (
      <div key={name} class={name}>
        <dt>{text}</dt>
        <dd>{number(figures[name])}</dd>
      </div>
    ))}
  </dl>
)

/** Returns the days of the chart, including days that are still to come, so that the others keep their places. */
function chartDays(range: Range, days: readonly ReportDay[]): (Figures & { day: string })[] {
  const known = new Map(days.map((each) => [each.day, each]))
  return daysIn(range).map((day) => known.get(day) ?? { day, sold: 0, returned: 0, undone: 0 })
}

/** Sales are drawn above a line and returns below it, both on the same scale. */
function Chart({ days }: { days: readonly (Figures & { day: string })[] }) {
  const above = Math.max(1, ...days.map(({ sold }) => sold))
  const below = Math.max(0, ...days.map(({ returned }) => returned))
  return (
    <ol class={`chart ${days.length > 7 ? 'long' : ''}`} aria-label="Sold and taken back, day by day">
      {days.map((each) => (
        <li key={each.day}>
          <span class="value" aria-hidden="true">
            {each.sold > 0 && number(each.sold)}
          </span>
          <svg viewBox={`0 0 10 ${above + below}`} preserveAspectRatio="none" aria-hidden="true">
            <title>{`${ofShort.format(midnight(each.day))}: ${saidOf(each)}`}</title>
            <rect class="sold" x="1" width="8" y={above - each.sold} height={each.sold} />
            <rect class="returned" x="1" width="8" y={above} height={each.returned} />
            <line x1="0" x2="10" y1={above} y2={above} />
          </svg>
          <span class="day" aria-hidden="true">
            {days.length > 7 ? (
              Number(each.day.slice(8))
            ) : (
              <>
                <span>{ofWeekday.format(midnight(each.day))}</span> <span>{ofDate.format(midnight(each.day))}</span>
              </>
            )}
          </span>
          <span class="hidden">{`${ofShort.format(midnight(each.day))}: ${saidOf(each)}`}</span>
        </li>
      ))}
    </ol>
  )
}

interface Person extends Figures {
  readonly name: string
}

function People({ days }: { days: readonly ReportDay[] }) {
  const groups = Map.groupBy(
    days.flatMap(({ lines }) => lines),
    ({ by = nobody }) => by,
  )
  const people: Person[] = [...groups].map(([name, lines]) => ({ name, ...figuresOfLines(lines) }))
  const rest = figuresOf(days.map(({ nameless }) => ({ ...nameless, undone: 0 })))
  const known = people.toSorted((one, other) => other.sold - one.sold)
  const all = rest.sold + rest.returned > 0 ? [...known, { name: 'Not known', ...rest }] : known
  if (all.length === 0) return null
  const shown = namesFor(figuresOf(days))
  return (
    <table class="people" role="table" aria-label="Who did it">
      <thead role="rowgroup">
        <tr role="row">
          {['By', ...shown.map(([, text]) => text)].map((name) => (
            <th key={name} role="columnheader" scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {all.map((person) => (
          <tr key={person.name} role="row">
            <th role="rowheader" scope="row" dir="auto">
              {person.name}
            </th>
            {shown.map(([name]) => (
              <td key={name} role="cell">
                {number(person[name])}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Writes the time, with the weekday if the day differs from that in UTC. */
function timeOfDay(at: string): string {
  const date = new Date(at)
  const clock = clockText(date)
  return date.getDate() === date.getUTCDate() ? clock : `${ofWeekdayHere.format(date)} ${clock}`
}

const line = ({ at, what, order, pet, by = nobody }: ReportLine) => {
  const open = (event: TargetedMouseEvent<HTMLElement>) =>
    getSelection()?.type !== 'Range' && follow(() => go({ pet: order.petId }))(event)
  return (
    <tr key={`${order.id} ${what}`} class="row item" role="row" data-id={order.id} onClick={open}>
      <td role="cell" class="at">
        <time dateTime={at}>{timeOfDay(at)}</time>
      </td>
      <td role="cell" class={`what ${what}`}>
        {words[what]}
      </td>
      <td role="cell" class="id">
        {order.id}
      </td>
      <td role="cell">
        <Name id={order.petId} name={pet?.name ?? `Animal ${order.petId}`} />
      </td>
      <td role="cell" class="category" dir="auto">
        {pet && categoryName(pet.categoryId)}
      </td>
      <td role="cell" class="for" dir="auto">
        {order.reference ?? <span class="quiet">No name</span>}
      </td>
      <td role="cell" class="by" dir="auto">
        {by}
      </td>
    </tr>
  )
}

const lineColumns = ['Time', 'What', 'Order', 'Animal', 'Category', 'For whom', 'By']

const hasAny = ({ sold, returned, undone }: Figures): boolean => sold + returned + undone > 0

/** The lines, which are drawn again only if something in them changes. */
const Lines = ({ days }: { days: readonly ReportDay[] }) => (
  <table class="sales" role="table" aria-label="Sales and returns">
    <thead role="rowgroup">
      <tr role="row">
        {lineColumns.map((name) => (
          <th key={name} role="columnheader" scope="col">
            {name}
          </th>
        ))}
      </tr>
    </thead>
    {days.filter(hasAny).map((each) => (
      <tbody key={each.day} class="chunk" role="rowgroup" style={{ '--count': each.lines.length + 1 }}>
        <tr class="day" role="row">
          <th role="rowheader" scope="rowgroup">
            {ofShort.format(midnight(each.day))}
          </th>
          <td role="cell">{saidOf(each)}</td>
        </tr>
        {each.lines.map(line)}
        {each.nameless.sold + each.nameless.returned > 0 && (
          <tr class="nameless" role="row">
            <td role="cell" class="quiet">
              Without a name: {saidOf({ ...each.nameless, undone: 0 })}
            </td>
          </tr>
        )}
      </tbody>
    ))}
  </table>
)

/** Explains the figures beside them. */
function Notes({ days }: { days: readonly ReportDay[] }) {
  const { undone } = figuresOf(days)
  const isCut = days.reduce((total, { lines }) => total + lines.length, 0) + undone >= linesMax
  const isNameless = days.some(({ nameless }) => nameless.sold + nameless.returned > 0)
  // In a month in which the clocks change, there are two times.
  const begins = new Set(days.map(({ day }) => clockText(midnight(day))))
  const isUtc = days.every(({ day }) => localTime(midnight(day).toISOString()).startsWith(`${day}T00:00`))
  return (
    <div class="notes quiet">
      <p>
        Days are those of UTC, by which the service counts
        {isUtc ? '.' : `: here, a day begins at ${[...begins].join(' or ')}. The times are those of this place.`}
      </p>
      {undone > 0 && (
        <p>
          A sale that the same key took back within {undoneMinutes} minutes, on the same day, was undone: it counts
          neither as sold nor as taken back. <code>GET /store/sales</code> counts it as both.
        </p>
      )}
      {isCut && (
        <p>
          The first {number(linesMax)} sales and returns are listed; those after them are counted without a name. Choose
          a shorter time to see them.
        </p>
      )}
      {isNameless && (
        <p>
          Without a name is what was sold before the oldest event that the service keeps, and what was marked as sold
          without an order.
        </p>
      )}
    </div>
  )
}

function Failed({ failure }: { failure: unknown }) {
  return (
    <div class="notice" role="alert">
      <h2>The report could not be loaded</h2>
      <p>{wordsOf(failure)}</p>
      <p>
        <button type="button" onClick={() => loadReport()}>
          Try again
        </button>
      </p>
    </div>
  )
}

export function Report() {
  const { days = [], failure } = report.value ?? {}
  const { span = 'day' } = address.value
  const range = rangeOf(dayShown(), span)
  const figures = figuresOf(days)
  const isBefore = range.from < firstDay()
  return (
    <>
      <Toolbar />
      <section class="catalogue report" aria-label="Report" aria-busy={!report.value}>
        <div class="found">
          <h2>{titleOf(range, span)}</h2>
          <p role="status">{report.value ? !failure && <span class="hidden">{saidOf(figures)}</span> : 'Loading…'}</p>
          <Freshness />
        </div>
        {Boolean(failure) && <Failed failure={failure} />}
        {report.value && !failure && isBefore && (
          <p class="quiet">The service keeps figures since {ofDay.format(midnight(firstDay()))}.</p>
        )}
        {report.value && !failure && (
          <>
            <div class="overview">
              <FigureList figures={figures} />
              <People days={days} />
            </div>
            {span !== 'day' && <Chart days={chartDays(range, days)} />}
            {days.some(hasAny) ? (
              <Lines days={days} />
            ) : (
              <div class="notice">
                <h2>Nothing was sold or taken back</h2>
              </div>
            )}
            <Notes days={days} />
          </>
        )}
      </section>
    </>
  )
}
