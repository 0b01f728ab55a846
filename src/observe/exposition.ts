/** Writes samples in Prometheus's text format. */
import type { Histogram } from '../histogram.ts'
import { type Metric, type MetricName, metrics, type Sample } from '../metrics.ts'

export const expositionType = 'text/plain; version=0.0.4; charset=utf-8'

/** The text, in the declared order; every metric's samples stand together. */
export function render(samples: readonly Sample[]): string {
  const groups = Map.groupBy(samples, ([name]) => name)
  let text = ''
  for (const [name, { type, help, labels: names }] of Object.entries<Metric>(metrics)) {
    const group = groups.get(name as MetricName)
    if (!group) continue
    text += `# HELP ${name} ${help}.\n# TYPE ${name} ${type}\n`
    for (const [, value, ...labels] of group) {
      const pairs = names.map((label, i) => `${label}="${escaped(labels[i] ?? '')}"`)
      text += typeof value === 'number' ? line(name, pairs, value) : histogramLines(name, pairs, value)
    }
  }
  return text
}

function histogramLines(name: string, pairs: readonly string[], { bounds, counts, sum }: Histogram): string {
  let text = ''
  let total = 0
  for (const [range, count] of counts.entries()) {
    total += count
    text += line(`${name}_bucket`, [...pairs, `le="${bounds[range] ?? '+Inf'}"`], total)
  }
  return text + line(`${name}_sum`, pairs, sum) + line(`${name}_count`, pairs, total)
}

const line = (name: string, pairs: readonly string[], value: number): string =>
  `${name}${pairs.length > 0 ? `{${pairs.join()}}` : ''} ${value}\n`

const escaped = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
