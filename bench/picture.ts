/** Draws ratios as bars, with the rates beside them. The picture is readable on light and dark pages. */
import { figure, type Row } from './contest.ts'

const width = 720
const right = 90
const barHeight = 21
const gap = 22
/** This is wider than an average letter. */
const letterWidth = 7
/** The colours of each series, on light and dark pages. */
const colours = [
  ['#2f6f4f', '#57ab7d'],
  ['#b5651d', '#e0975a'],
  ['#4a6fa5', '#86a9de'],
  ['#8a4f7d', '#c58bb8'],
  ['#6b7280', '#9aa4b2'],
  ['#a08a2e', '#d1bd63'],
] as const

/**
 * Draws a group of bars for each event, with a bar for each contender of `series`. The line at 1.00 is what they are
 * compared with.
 */
export function bars(title: string, series: readonly string[], rows: readonly Row[]): string {
  const shown = rows.filter(({ contender }) => series.includes(contender))
  const widest = (names: readonly string[]) => Math.max(...names.map(({ length }) => length)) * letterWidth
  const left = widest(shown.map(({ event }) => event)) + 24
  const namesWidth = width - left
  const most = Math.max(1.1, ...shown.map(({ ratio }) => ratio)) * 1.08
  const x = (ratio: number) => left + (ratio / most) * (width - left - right)
  const namesPerLine = Math.max(1, Math.floor(namesWidth / (widest(series) + 30)))
  const headHeight = 40 + Math.ceil(series.length / namesPerLine) * 20
  let y = headHeight
  const groups = [...Map.groupBy(shown, ({ event }) => event)].map(([event, own]) => {
    const name = `<text class="event" x="${left - 12}" y="${y + (own.length * barHeight) / 2 + 3}">${event}</text>`
    const drawn = own.map(({ contender, ratio, rate }) => {
      const bar =
        `<rect class="bar${series.indexOf(contender)}" x="${left}" y="${y}" ` +
        `width="${(x(ratio) - left).toFixed(1)}" height="${barHeight - 3}" rx="3"/>`
      const note = `<tspan class="note" dx="8">${rate.toLocaleString('en')}/s</tspan>`
      y += barHeight
      return `${bar}<text class="figure" x="${(x(ratio) + 6).toFixed(1)}" y="${y - 8}">${figure(ratio)}${note}</text>`
    })
    y += gap
    return [name, ...drawn].join('\n  ')
  })
  const legend = series.map((name, index) => {
    const nameX = left + ((index % namesPerLine) * namesWidth) / namesPerLine
    const nameY = 36 + Math.floor(index / namesPerLine) * 20
    return (
      `<rect class="bar${index}" x="${nameX}" y="${nameY}" width="12" height="12" ` +
      `rx="2"/><text x="${nameX + 18}" y="${nameY + 10}">${name}</text>`
    )
  })
  const fills = (page: 0 | 1) => series.map((_, index) => `.bar${index} { fill: ${colours[index]?.[page]} }`).join(' ')
  const figures = 'font-variant-numeric: tabular-nums; paint-order: stroke; stroke: #fff; stroke-width: 4px'
  const darkTexts = 'text { fill: #e6edf3 } .note { fill: #9198a1 } .figure { stroke: #0d1117 }'
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${y + 24}" role="img" aria-label="${title}">
  <style>
    text { font: 13px system-ui, sans-serif; fill: #1f2328 }
    .title { font-weight: 600; font-size: 15px } .event { text-anchor: end } .figure { ${figures} }
    ${fills(0)}
    .note { font-size: 12px; fill: #59636e }
    .limit { stroke: #6e7781; stroke-dasharray: 4 4 }
    @media (prefers-color-scheme: dark) { ${darkTexts} ${fills(1)} }
  </style>
  <text class="title" x="16" y="22">${title}</text>
  ${legend.join('\n  ')}
  <line class="limit" x1="${x(1).toFixed(1)}" x2="${x(1).toFixed(1)}" y1="${headHeight - 6}" y2="${y + 2}"/>
  <text x="${x(1).toFixed(1)}" y="${y + 16}" text-anchor="middle">1.00</text>
  ${groups.join('\n  ')}
</svg>
`
}
