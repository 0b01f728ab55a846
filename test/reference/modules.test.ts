/** The modules of a page are TypeScript in the source, and one script without types in the browser. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { programsOf, type SampleRequest } from '../../src/reference/docs/programs.ts'
import { bundle } from '../../src/reference/modules.ts'

/** The script that is made of these modules, by their names; the first is the entry. */
const scriptOf = (modules: Record<string, string>): Promise<string> =>
  bundle(new URL(`file:///page/${Object.keys(modules)[0]}`), async ({ pathname }) =>
    Buffer.from(modules[pathname.slice('/page/'.length)] as string),
  )

/** What the script pushes to `said`. */
function run(script: string): unknown[] {
  const said: unknown[] = []
  new Function('said', script)(said)
  return said
}

test('modules see what they import, each runs once, and after those that it imports', async () => {
  const script = await scriptOf({
    'entry.ts': `import * as all from './a.ts'
import { type Shape, area as areaOf } from './b.ts'
said.push(all.one, areaOf({ side: 3 } satisfies Shape))
`,
    'a.ts': `import { area } from './b.ts'
/** Not sent. */
export const one: number = area({ side: 1 } as const)
`,
    'b.ts': `said.push('b')
const one = 'not the one of a.ts'
export interface Shape { readonly side: number }
export abstract class Box<T> { declare readonly of: T }
export async function* none(): AsyncGenerator<never> {}
export function area({ side }: Shape): number {
  // Not sent either.
  return side * side + one.length - one.length
}
`,
  })
  assert.deepEqual(run(script), ['b', 1, 9])
  assert.doesNotMatch(script, /Not sent|Shape|number|export|import/)
})

test('modules of packages stay imports, one for each', async () => {
  const script = await scriptOf({
    'entry.ts': `import htm from 'htm'\nimport { other } from './other.ts'\nhtm(other)\n`,
    'other.ts': `import htm from 'htm'\nimport {\n  h,\n  render as draw,\n} from 'preact'\nexport const other = [htm, h, draw]\n`,
  })
  assert.deepEqual(script.match(/^import .*/gm), [`import * as $0 from 'htm'`, `import * as $1 from 'preact'`])
  assert.match(script, /const \{ default: htm \} = \$0/)
  assert.match(script, /const \{ h, render: draw,? \} = \$1/)
})

test('modules that import each other are refused', async () => {
  const circle = scriptOf({
    'a.ts': `import { b } from './b.ts'\nexport const a = b\n`,
    'b.ts': `import { a } from './a.ts'\nexport const b = a\n`,
  })
  await assert.rejects(circle, /b\.ts and \S+a\.ts import each other/)
})

test('the programs that the page writes are those of the document, with every blank', async () => {
  const file = new URL('../../src/reference/docs/programs.ts', import.meta.url)
  const page = new Function(`${await bundle(file, (at) => readFile(at))}; return $0`)()
  const key = { header: 'Authorization', before: 'Bearer ' }
  const headers = [['Content-Type', 'application/json']] as const
  const requests: SampleRequest[] = [
    { method: 'POST', url: 'http://127.0.0.1/v1/pets', key, headers, body: '{"name":"a  ,  b"}' },
    { method: 'GET', url: 'http://127.0.0.1/v1/events/stream', key, headers: [], body: undefined, isStream: true },
  ]
  for (const request of requests) assert.deepEqual(page.programsOf(request), programsOf(request))
})
