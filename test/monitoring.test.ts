/**
 * The dashboard, the alerts and the scrape configuration in deploy/ use metrics, labels and values that the service
 * has.
 */
import assert from 'node:assert/strict'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import yaml from 'yaml'
import { Folder, testWith } from '../harness/process.ts'
import { projectFile, root } from '../harness/project.ts'
import { promtool } from '../harness/promtool.ts'
import { operations } from '../src/app.ts'
import { errors } from '../src/errors.ts'
import { OrderStatus } from '../src/model/order.ts'
import { type Metric, metrics } from '../src/observe/metrics.ts'

/** The labels of every name that may occur in an expression: those of the service, and those that Prometheus adds. */
const labelsOf = new Map<string, readonly string[]>([['up', []]])
for (const [name, { type, labels }] of Object.entries<Metric>(metrics))
  if (type !== 'histogram') labelsOf.set(name, labels)
  else
    for (const suffix of ['_bucket', '_sum', '_count'])
      labelsOf.set(name + suffix, suffix === '_bucket' ? [...labels, 'le'] : labels)
const fromPrometheus = ['job', 'instance']

const values: Readonly<Record<string, readonly string[]>> = {
  code: Object.keys(errors),
  http_route: operations.map(({ path }) => `/v1${path}`),
  http_request_method: ['GET', 'POST'],
  db_client_connection_state: ['used', 'idle'],
  file: ['database', 'log'],
  result: ['hit', 'miss'],
  status: OrderStatus.enum,
}

const keywords = ['by', 'on', 'and', 'or', 'unless', 'without', 'group_left', 'group_right', 'bool', 'offset']

/** Returns everything in an expression, or displayed beside it, that the service does not have. */
function faultsOf(expr: string, shown = ''): string[] {
  const plain = expr.replaceAll(/"[^"]*"|\[[^\]]*\]/g, '')
  // A function or a keyword is followed by a parenthesis.
  const words = [...plain.matchAll(/\b[a-zA-Z_]\w*\b(?!\s*(?:\(|by\b))/g)].map(([word]) => word)
  const labels = [...fromPrometheus, ...words.flatMap((word) => labelsOf.get(word) ?? [])]
  const shownLabels = [...shown.matchAll(/\{\{\s*(?:\$labels\.)?(\w+)\s*\}\}/g)].map(([, label = '']) => label)
  return [
    ...words.filter((word) => !keywords.includes(word) && !labelsOf.has(word) && !labels.includes(word)),
    ...shownLabels.filter((label) => !labels.includes(label)),
    ...[...expr.matchAll(/(\w+)="([^"]*)"/g)]
      .filter(([, label = '', value = '']) => values[label]?.includes(value) === false)
      .map(([matcher]) => matcher),
  ]
}

interface Panel {
  readonly id: number
  readonly targets?: readonly { expr: string; legendFormat: string }[]
}

interface Rule {
  readonly alert: string
  readonly expr: string
  readonly labels: { severity: string }
  readonly annotations: { summary: string; runbook_url: string }
}

describe('deploy/grafana', () => {
  const dashboard = JSON.parse(projectFile('deploy/grafana/petstore.json')) as { panels: Panel[]; templating: object }

  test('The dashboards of deploy/grafana use only existing metrics, labels and values, and panel ids are unique', () => {
    const targets = dashboard.panels.flatMap(({ targets = [] }) => targets)
    assert.ok(targets.length > 10)
    const text = (expr: string) => expr.replaceAll('$__rate_interval', '5m')
    assert.deepEqual(
      targets.flatMap(({ expr, legendFormat }) => faultsOf(text(expr), legendFormat)),
      [],
    )
    assert.equal(new Set(dashboard.panels.map(({ id }) => id)).size, dashboard.panels.length)
    for (const [, name = ''] of JSON.stringify(dashboard.templating).matchAll(/label_values\((\w+)/g))
      assert.ok(labelsOf.has(name), name)
  })
})

describe('deploy/prometheus', () => {
  const limited = 'petstore_invalid_keys_limited_total'
  const rulesFile = 'deploy/prometheus/petstore-rules.yaml'
  const { groups } = yaml.parse(projectFile(rulesFile)) as { groups: { rules: Rule[] }[] }
  const config = yaml.parse(projectFile('deploy/prometheus/prometheus.yaml'))

  test('The alerts of deploy/prometheus use only existing metrics, labels and values', () => {
    for (const { alert, expr, labels, annotations } of groups.flatMap(({ rules }) => rules)) {
      assert.deepEqual(faultsOf(expr, annotations.summary), [], alert)
      assert.match(labels.severity, /^(?:page|ticket|info)$/)
    }
  })

  test('Every alert links to its section of docs/runbook.md, which says how urgent it is, and every section has its alert', () => {
    const alerts = groups.flatMap(({ rules }) => rules)
    for (const { alert, annotations } of alerts)
      assert.ok(annotations.runbook_url.endsWith(`/docs/runbook.md#${alert.toLowerCase()}`), alert)
    const sections = [...projectFile('docs/runbook.md').matchAll(/^## (Petstore\w+)\n\n\*\*(\w+)\.\*\* /gm)]
    assert.deepEqual(
      sections.map(([, alert, severity]) => [alert, severity]),
      alerts.map(({ alert, labels }) => [alert, labels.severity]),
    )
  })

  test('The queries in docs/operating.md and docs/runbook.md use only existing metrics and labels', () => {
    const lines = projectFile('docs/operating.md').match(/^\| \d\. .*$/gm) ?? []
    assert.equal(lines.length, 5)
    const code = [...lines, ...(projectFile('docs/runbook.md').match(/^\d\. .*petstore_.*$/gm) ?? [])].join('\n')
    const queries = [...code.matchAll(/`([^`]*(?:_total|_seconds|_bytes|\bup\b)[^`]*)`/g)].map(
      ([, query = '']) => query,
    )
    assert.ok(queries.length > 7)
    assert.deepEqual(
      queries.filter((query) => !(query in metrics)).flatMap((query) => faultsOf(query)),
      [],
    )
  })

  test('deploy/prometheus scrapes /metrics with a key, under the job name that the alerts use, and loads its rules', () => {
    const [{ job_name, metrics_path, authorization }] = config.scrape_configs
    assert.deepEqual([job_name, metrics_path, authorization.type], ['petstore', '/metrics', 'Bearer'])
    for (const file of config.rule_files) assert.ok(existsSync(join(root, 'deploy/prometheus', file)), file)
  })

  testWith(['promtool'], 'promtool finds nothing wrong in deploy/prometheus', async () => {
    assert.equal(await promtool(['check', 'rules', join(root, rulesFile)]), '')
    assert.equal(
      await promtool(['check', 'config', '--syntax-only', join(root, 'deploy/prometheus/prometheus.yaml')]),
      '',
    )
  })

  testWith(
    ['promtool'],
    'An alert fires for one address that guesses keys, even if most of its requests get 429 instead of 401',
    async () => {
      using folder = new Folder()
      const { alert, annotations } = groups
        .flatMap(({ rules }) => rules)
        .find(({ expr }) => expr.includes(limited)) as Rule
      const summary = annotations.summary.replace('{{ $labels.instance }}', 'a')
      const fires = { exp_labels: { instance: 'a', severity: 'ticket' }, exp_annotations: { ...annotations, summary } }
      const test = {
        rule_files: [join(root, rulesFile)],
        tests: [
          {
            interval: '1m',
            input_series: [
              // The rates are one in ten seconds, and two a second.
              { series: 'petstore_errors_total{instance="a",code="invalid_api_key"}', values: '60+6x40' },
              { series: `${limited}{instance="a"}`, values: '0+120x40' },
            ],
            alert_rule_test: [{ eval_time: '30m', alertname: alert, exp_alerts: [fires] }],
          },
        ],
      }
      const path = join(folder.path, 'test.yaml')
      writeFileSync(path, JSON.stringify(test))
      assert.equal(await promtool(['test', 'rules', path]), '')
    },
  )

  testWith(
    ['promtool'],
    'An alert and the query in docs/metrics.md list who has lately called a deprecated operation',
    async () => {
      const metric = 'petstore_deprecated_requests_total'
      const [, guide = ''] = /```promql deprecated\n(.+?)```/s.exec(projectFile('docs/metrics.md')) ?? []
      const alert = groups.flatMap(({ rules }) => rules).find(({ expr }) => expr.includes(metric))?.expr ?? ''
      const called = (keyId: number, values: string) => ({
        series: `${metric}{instance="a",operation="getPet",key_id="${keyId}"}`,
        values,
      })
      for (const [expr, days] of [
        [guide, 30],
        [alert, 1],
      ] as const) {
        assert.deepEqual(faultsOf(expr), [])
        // The series have steps of an hour. Key 1 calls every hour. Key 2 called once, and then the service was
        // restarted. Keys 3 and 4 called only before the period of the query, and the service of key 4 was never
        // restarted.
        const [before, since] = [days * 24 + 24, days * 24]
        const input_series = [
          called(1, `0+1x${before + since}`),
          called(2, `_x${before + 1} 1 1 1 stale`),
          called(3, `1 1 stale`),
          called(4, `7x${before + since}`),
        ]
        const exp_samples = [
          { labels: '{operation="getPet",key_id="1"}', value: since },
          { labels: '{operation="getPet",key_id="2"}', value: 1 },
        ]
        const promql_expr_test = [{ expr, eval_time: `${before + since}h`, exp_samples }]
        using folder = new Folder()
        const path = join(folder.path, 'test.yaml')
        writeFileSync(path, JSON.stringify({ tests: [{ interval: '1h', input_series, promql_expr_test }] }))
        assert.equal(await promtool(['test', 'rules', path]), '', expr)
      }
    },
  )
})

test('The check of queries finds a metric, a label, a value or a displayed label that does not exist [decision 26]', () => {
  const good = 'sum by (code) (rate(petstore_errors_total{code="unavailable",job="x"}[5m])) > 0'
  assert.deepEqual(faultsOf(good, '{{code}} of {{ $labels.code }}'), [])
  for (const [from, to] of [
    ['petstore_errors_total', 'petsore_errors_total'],
    ['by (code)', 'by (kode)'],
    ['{code=', '{status='],
    ['unavailable', 'gone'],
  ] as const)
    assert.notDeepEqual(faultsOf(good.replace(from, to)), [], to)
  assert.deepEqual(faultsOf('petstore_event_streams', '{{route}}'), ['route'])
})
