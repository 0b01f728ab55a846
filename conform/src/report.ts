/** The result of a run as a file: JSON, JUnit, TAP or a page. */
import type { Level } from './rule.ts'
import type { Check } from './run.ts'

interface Result {
  readonly url: string
  readonly level: Level
  readonly checks: readonly Check[]
}

export const numbersOf = (checks: readonly Check[]) => {
  const number = (status: Check['status']) => checks.filter((check) => check.status === status).length
  return { passed: number('pass'), failed: number('fail'), skipped: number('skip') }
}

/** By the ending of a file's name. */
export const formats: Readonly<Record<string, (result: Result) => string>> = {
  '.json': ({ url, level, checks }) => `${JSON.stringify({ url, level, ...numbersOf(checks), checks }, null, 2)}\n`,
  '.xml': ({ checks }) => {
    const { failed, skipped } = numbersOf(checks)
    const cases = checks.map(({ id, level, title, status, expected, actual, curl }) => {
      const detail = escaped(`expected: ${expected}\nactual: ${actual}\n${curl}`)
      const inner = {
        pass: '',
        skip: `<skipped message="${escaped(actual)}"/>`,
        fail: `<failure message="${escaped(expected)}">${detail}</failure>`,
      }
      const name = escaped(`${id}: ${title}`)
      return `  <testcase classname="conform.${level}" name="${name}">${inner[status]}</testcase>\n`
    })
    const numbers = `tests="${checks.length}" failures="${failed}" skipped="${skipped}"`
    return `<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="petstore conform" ${numbers}>
${cases.join('')}</testsuite>
`
  },
  '.tap': ({ checks }) => {
    const lines = checks.map(({ id, title, status, expected, actual }, i) => {
      const name = `${i + 1} - ${id}: ${title.replaceAll('#', '')}`
      const details = ['---', `expected: ${JSON.stringify(expected)}`, `actual: ${JSON.stringify(actual)}`, '...']
      if (status === 'fail') return `not ok ${name}\n${details.map((line) => `  ${line}\n`).join('')}`
      return `ok ${name}${status === 'skip' ? ` # SKIP ${actual}` : ''}\n`
    })
    return `TAP version 14\n1..${checks.length}\n${lines.join('')}`
  },
  '.html': ({ url, level, checks }) => {
    const { passed, failed, skipped } = numbersOf(checks)
    return `<!doctype html>
<html lang=en>
<meta charset=utf-8>
<meta name=viewport content="width=device-width">
<title>${failed} of ${checks.length} checks failed</title>
<style>
:root { color-scheme: light dark; font: 16px/1.5 system-ui }
body { max-width: 60rem; margin: auto; padding: 1rem; overflow-wrap: anywhere }
h1 { font-size: 1.4rem }
ul { list-style: none; padding: 0 }
pre { white-space: pre-wrap; border-left: .2rem solid; padding-left: .8rem }
.fail summary { color: light-dark(#b00020, #ff8a80) }
.skip { opacity: .7 }
</style>
<h1>${escaped(url)}</h1>
<p>Level ${level}: ${passed} passed, ${failed} failed, ${skipped} skipped.</p>
<ul>
${checks.map(htmlItem).join('')}</ul>
</html>
`
  },
}

const marks = { pass: '✓', fail: '✗', skip: '–' }
function htmlItem({ id, title, source, status, expected, actual, curl }: Check): string {
  const lines = status === 'fail' ? `expected: ${expected}\nactual:   ${actual}\n\n${curl}` : actual
  return `<li class=${status}><details${status === 'fail' ? ' open' : ''}>
<summary>${marks[status]} <b>${id}</b> ${escaped(title)}</summary>
<p>${escaped(source)}</p>${lines && `\n<pre>${escaped(lines)}</pre>`}
</details>
`
}

/** For XML and HTML; what XML cannot have is left out. */
const escaped = (text: string): string =>
  text
    .replace(/[^\t\n\x20-\ud7ff\ue000-\ufffd]/gu, (c) => (c.length > 1 ? c : '�'))
    .replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c] as string)
