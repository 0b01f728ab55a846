/** Reads the text format of Prometheus as strictly as its definition allows, and looks up values in it. */
import assert from 'node:assert/strict'

export interface Series {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

export interface Family {
  readonly type: string
  readonly help: string
  readonly series: readonly Series[]
}

const name = '[a-zA-Z_][a-zA-Z0-9_]*'
const label = `${name}="(?:[^"\\\\\\n]|\\\\["\\\\n])*"`
const sampleLine = new RegExp(`^(${name})(?:\\{(${label}(?:,${label})*)\\})? (\\S+)$`)
const suffixes = { histogram: ['_bucket', '_sum', '_count'], counter: [''], gauge: [''] } as Record<string, string[]>

export class Exposition {
  readonly families = new Map<string, Family>()

  constructor(text: string) {
    assert.ok(text.endsWith('\n'), 'the last line ends')
    const lines = text.split('\n').slice(0, -1)
    const seen = new Set<string>()
    let family: (Family & { name: string; series: Series[] }) | undefined
    for (let i = 0; i < lines.length; i++) {
      const line = lines[i] as string
      const [, familyName, help] = /^# HELP (\S+) (.+)$/.exec(line) ?? []
      if (familyName && help) {
        const [, typed, type] = /^# TYPE (\S+) (counter|gauge|histogram)$/.exec(lines[++i] ?? '') ?? []
        assert.equal(typed, familyName, `the type follows: ${line}`)
        assert.ok(!this.families.has(familyName), `${familyName} stands in one place`)
        family = { name: familyName, type: type as string, help, series: [] }
        this.families.set(familyName, family)
        continue
      }
      const [, sampleName = '', labelText = '', valueText = ''] = sampleLine.exec(line) ?? []
      assert.ok(family && sampleName, `not a sample: ${line}`)
      const isOwn = suffixes[family.type]?.some((suffix) => sampleName === family?.name + suffix)
      assert.ok(isOwn, `${sampleName} among the samples of ${family.name}`)
      const identity = line.slice(0, line.lastIndexOf(' '))
      assert.ok(!seen.has(identity), `twice: ${identity}`)
      seen.add(identity)
      const pairs = [...labelText.matchAll(new RegExp(`(${name})="((?:[^"\\\\]|\\\\.)*)"`, 'g'))]
      const labels = Object.fromEntries(pairs.map(([, key = '', value = '']) => [key, unescaped(value)]))
      const value = Number(valueText)
      assert.ok(Number.isFinite(value), `a number: ${line}`)
      family.series.push({ name: sampleName, labels, value })
    }
    for (const { type, series } of this.families.values()) {
      assert.ok(series.length > 0)
      if (type === 'histogram') checkHistogram(series)
      if (type === 'counter') for (const { value } of series) assert.ok(value >= 0)
    }
  }

  /** Returns the sum of all series with this name and these labels, or 0 if there is none. */
  value(sampleName: string, labels: Record<string, string> = {}): number {
    const wanted = Object.entries(labels)
    return [...this.families.values()]
      .flatMap(({ series }) => series)
      .filter((one) => one.name === sampleName && wanted.every(([key, value]) => one.labels[key] === value))
      .reduce((sum, { value }) => sum + value, 0)
  }
}

const unescaped = (text: string): string => text.replaceAll(/\\(.)/g, (_, letter) => (letter === 'n' ? '\n' : letter))

const expectRising = (values: readonly number[], what: string): void =>
  assert.ok(
    values.every((value, i) => i === 0 || (values[i - 1] as number) <= value),
    `${what}: ${values}`,
  )

/** Checks that the buckets of each set of labels rise up to +Inf, which equals the count. */
function checkHistogram(series: readonly Series[]): void {
  const groups = Map.groupBy(series, ({ labels: { le, ...others } }) => JSON.stringify(others))
  for (const group of groups.values()) {
    const buckets = group.filter(({ name }) => name.endsWith('_bucket'))
    const bounds = buckets.map(({ labels }) => (labels.le === '+Inf' ? Number.POSITIVE_INFINITY : Number(labels.le)))
    expectRising(bounds, 'bounds rise')
    assert.equal(bounds.at(-1), Number.POSITIVE_INFINITY)
    const counts = buckets.map(({ value }) => value)
    expectRising(counts, 'counts are cumulative')
    const last = (suffix: string) => group.filter(({ name }) => name.endsWith(suffix)).map(({ value }) => value)
    assert.deepEqual(last('_count'), [counts.at(-1)], '+Inf equals the count')
    assert.equal(last('_sum').length, 1)
  }
}
