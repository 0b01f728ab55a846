/** Adds up the samples of several processes, and writes them in Prometheus's text format. */
import type { Distribution } from '../histogram.ts'
import { type Metric, type MetricName, metrics, type Sample } from '../metrics.ts'

export const expositionType = 'text/plain; version=0.0.4; charset=utf-8'

/** A worker that was replaced during an upgrade may have metrics that are not declared here. */
const declared: Readonly<Partial<Record<MetricName, Metric>>> = metrics

/** One sample for each metric and set of labels. */
export function merge(parts: readonly (readonly Sample[])[]): Sample[] {
  const merged = new Map<string, Sample>()
  for (const sample of parts.flat()) {
    const [name, value, ...labels] = sample
    const key = JSON.stringify([name, ...labels])
    const before = merged.get(key)
    merged.set(key, before ? [name, combined(name, before[1], value), ...labels] : sample)
  }
  return [...merged.values()]
}

function combined(name: MetricName, a: Sample[1], b: Sample[1]): Sample[1] {
  if (typeof a === 'number' || typeof b === 'number')
    return declared[name]?.across === 'max' ? Math.max(Number(a), Number(b)) : Number(a) + Number(b)
  const counts = a.counts.map((count, range) => count + (b.counts[range] ?? 0))
  return { bounds: a.bounds, counts, sum: a.sum + b.sum }
}

/** What only ever rises: the samples that may stand for a worker that no longer answers. */
export const cumulative = (samples: readonly Sample[]): Sample[] =>
  samples.filter(([name]) => declared[name]?.type !== 'gauge')

/** The text, in the declared order; every metric's samples stand together. */
export function render(samples: readonly Sample[]): string {
  const groups = Map.groupBy(samples, ([name]) => name)
  let text = ''
  for (const [name, { type, help, labels: names }] of Object.entries(declared) as [MetricName, Metric][]) {
    const group = groups.get(name)
    if (!group) continue
    text += `# HELP ${name} ${help}.\n# TYPE ${name} ${type}\n`
    for (const [, value, ...labels] of group) {
      const pairs = names.map((label, i) => `${label}="${escaped(labels[i] ?? '')}"`)
      text += typeof value === 'number' ? line(name, pairs, value) : histogramLines(name, pairs, value)
    }
  }
  return text
}

function histogramLines(name: string, pairs: readonly string[], { bounds, counts, sum }: Distribution): string {
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
