/** Draws ratios as bars, with absolute figures beside them, readable on a light and on a dark page. */
import { figure } from './contest.ts'

interface Point {
  readonly event: string
  readonly contender: string
  readonly ratio: number
  /** The absolute figure, shown beside the ratio. */
  readonly note?: string
}

const width = 720
const left = 190
const barHeight = 18
const gap = 22
const namesWidth = 520
/** Wider than any letter of the legend is on average. */
const letterWidth = 7
/** Of each of the series, on a light and on a dark page. */
const colours = [
  ['#2f6f4f', '#57ab7d'],
  ['#b5651d', '#e0975a'],
  ['#4a6fa5', '#86a9de'],
  ['#8a4f7d', '#c58bb8'],
  ['#6b7280', '#9aa4b2'],
  ['#a08a2e', '#d1bd63'],
  ['#a33b3b', '#e5807e'],
] as const
/** Room for a note beside the longest bar. */
const noteWidth = 90

/** A group of bars for each event, a bar for each of `series`; the line at 1.00 is what they are measured against. */
export function bars(
  title: string,
  events: readonly string[],
  series: readonly string[],
  points: readonly Point[],
): string {
  const shown = points.filter(({ contender }) => series.includes(contender))
  const most = Math.max(1.1, ...shown.map(({ ratio }) => ratio)) * 1.08
  const right = shown.some(({ note }) => note) ? noteWidth : 20
  const x = (ratio: number) => left + (ratio / most) * (width - left - right)
  const groupHeight = series.length * (barHeight + 3) + gap
  if (series.length > colours.length) throw new Error(`there are only ${colours.length} colours`)
  const longest = Math.max(...series.map((name) => name.length)) * letterWidth + 30
  const namesPerLine = Math.max(1, Math.min(3, Math.floor(namesWidth / longest)))
  const nameWidth = namesWidth / namesPerLine
  const fills = (page: 0 | 1) => series.map((_, index) => `.bar${index} { fill: ${colours[index]?.[page]} }`).join(' ')
  const headHeight = 40 + Math.ceil(series.length / namesPerLine) * 20
  const height = headHeight + events.length * groupHeight + 24
  const groups = events.map((event, group) => {
    const top = headHeight + group * groupHeight
    const rows = series.map((contender, index) => {
      const point = shown.find((point) => point.event === event && point.contender === contender)
      const ratio = point?.ratio ?? 0
      const y = top + index * (barHeight + 3)
      return `<rect class="bar${index}" x="${left}" y="${y}" width="${(x(ratio) - left).toFixed(1)}" height="${barHeight}" rx="3"/>
    <text class="figure" x="${(x(ratio) + 6).toFixed(1)}" y="${y + 13}">${figure(ratio)}${point?.note ? `<tspan class="note" dx="8">${escaped(point.note)}</tspan>` : ''}</text>`
    })
    return `<text class="event" x="${left - 12}" y="${top + (series.length * (barHeight + 3)) / 2 + 3}">${escaped(event)}</text>
    ${rows.join('\n    ')}`
  })
  const legend = series.map((name, index) => {
    const [column, line] = [index % namesPerLine, Math.floor(index / namesPerLine)]
    const [nameX, nameY] = [left + column * nameWidth, 36 + line * 20]
    return `<rect class="bar${index}" x="${nameX}" y="${nameY}" width="12" height="12" rx="2"/><text x="${nameX + 18}" y="${nameY + 10}">${escaped(name)}</text>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(title)}">
  <style>
    text { font: 13px system-ui, sans-serif; fill: #1f2328 }
    .title { font-weight: 600; font-size: 15px } .event { text-anchor: end } .figure { font-variant-numeric: tabular-nums; paint-order: stroke; stroke: #fff; stroke-width: 4px }
    ${fills(0)}
    .note { font-size: 12px; fill: #59636e }
    .limit { stroke: #6e7781; stroke-dasharray: 4 4 }
    @media (prefers-color-scheme: dark) { text { fill: #e6edf3 } .note { fill: #9198a1 } .figure { stroke: #0d1117 } ${fills(1)} }
  </style>
  <text class="title" x="16" y="22">${escaped(title)}</text>
  ${legend.join('\n  ')}
  <line class="limit" x1="${x(1).toFixed(1)}" x2="${x(1).toFixed(1)}" y1="${headHeight - 6}" y2="${height - 22}"/>
  <text x="${x(1).toFixed(1)}" y="${height - 8}" text-anchor="middle">1.00</text>
  ${groups.join('\n  ')}
</svg>
`
}

const grouped = new Intl.NumberFormat('en')
/** With the rate of each beside its ratio. */
export const withRates = <T extends { readonly rate: number }>(rows: readonly T[]) =>
  rows.map((row) => ({ ...row, note: `${grouped.format(row.rate)}/s` }))

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
