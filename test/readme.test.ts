/**
 * Every command of the README is run: the tour as it stands, on a service of its own. What pages link to, and files
 * that they and comments name, exist.
 */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import { settings } from '../src/config/config.ts'
import { Folder, Served } from './support/process.ts'
import { projectFile, root } from './support/project.ts'

const readme = projectFile('README.md')
const blocks = (info: string) =>
  [...readme.matchAll(new RegExp(`^\`\`\`${info}\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(([, text]) => text ?? '')

describe('the README', () => {
  test('has the table of settings as the program has it', () => {
    const rows = Object.entries(settings).map(
      ([name, { fallback, meaning }]) => `| \`${name}\` | ${fallback && `\`${fallback}\``} | ${meaning} |`,
    )
    assert.deepEqual(readme.match(/^\| `[A-Z_]+` \|.*$/gm), rows)
  })

  test('connects an agent with three lines, and has a tour whose commands work in their order', async () => {
    using folder = new Folder()
    await using served = await Served.start(folder.env)
    const run = (before: string, lines: string) => {
      const script = `${before}\n${lines.replaceAll('127.0.0.1:8080', `127.0.0.1:${served.port}`)}`
      const env = { ...process.env, ...folder.env }
      return spawnSync('bash', ['-euo', 'pipefail', '-c', script], { cwd: root, env, encoding: 'utf8' })
    }
    const [lines = ''] = blocks('sh agent')
    assert.equal(lines.trim().split('\n').length, 3)
    const agent = run('code() { printf %s "$2"; }', lines)
    const { url, headers } = JSON.parse(agent.stdout || agent.stderr)
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: {} })
    const sent = { method: 'POST', headers: { ...headers, 'Content-Type': 'application/json' }, body }
    const { result } = (await (await fetch(url, sent)).json()) as { result: { serverInfo: { name: string } } }
    assert.equal(result.serverInfo.name, 'petstore')

    // That npx finds the program was seen with the agent: it takes a second each time.
    const npx = 'npx() { [ "$1 $2" = "--no-install petstore" ] && shift 2 && bin/petstore.js "$@"; }'
    const { status, stdout, stderr } = run(npx, blocks('sh tour').join('\necho "==="\n'))
    assert.equal(status, 0, stderr)
    const [, added = '', repeated = '', sold = '', followed = '', refused = ''] = stdout.split('===\n')
    assert.match(added, /201 Created[\s\S]*Location: \S+\/pets\/1\b[\s\S]*"categoryId":9007199254740993/)
    assert.equal(repeated.match(/"id":2,"name":"Whiskers"/g)?.length, 2)
    assert.equal(repeated.match(/Idempotency-Replayed: true/g)?.length, 1)
    assert.match(sold, /Link: <[^>]+cursor=[^>]+>; rel="next".*"status":"placed".*"completed".*"pet_not_available"/s)
    assert.match(followed, /^\[\{[^\n]*"type":"order.placed"[^\n]*"type":"order.completed"[^\n]*\]$/m)
    for (const part of [/name: must be/, /categoryId: is required/, /colour: is not a known field/])
      assert.match(refused, part)
    assert.match(stderr, /evoked/)
  })
})

test('docs/performance.md has the figures of the last benchmark', () => {
  const page = projectFile('docs/performance.md')
  const { rows, machine } = JSON.parse(projectFile('bench/results.json'))
  assert.ok(page.includes(`| on ${machine.processor} | bare Node |`))
  for (const { event, contender, rate, ratio } of rows) {
    const figure = rate.toLocaleString('en-US') + (contender === 'LIMIT' ? '' : ` (${ratio.toFixed(2)})`)
    assert.ok(
      page.split('\n').some((line) => line.startsWith(`| ${event} |`) && line.includes(` ${figure} |`)),
      figure,
    )
  }
})

const pages = globSync('{*,bench/*,client/*,conform/*,deploy/*,docs/**/*}.md', { cwd: root })

test('every page links only to files and headings that exist', () => {
  assert.ok(pages.includes('README.md') && pages.includes('docs/operating.md'))
  const faults = pages.flatMap((page) =>
    [...projectFile(page).matchAll(/\]\(([^)#:\s]*)(?:#([^)\s]+))?\)/g)]
      .filter(([, target = '', heading]) => {
        const path = target === '' ? page : join(dirname(page), target)
        if (!existsSync(join(root, path))) return true
        return heading !== undefined && !headingsOf(path).has(heading)
      })
      .map(([link]) => `${page}: ${link}`),
  )
  assert.deepEqual(faults, [])
})

const program = globSync('{src,test,tools,bench,build,client,conform,examples}/**/*', {
  cwd: root,
  exclude: ['**/node_modules', '**/dist'],
})

/**
 * The files of ours that a text names, such as `src/app.ts`, `http/auth.ts` and `test/store`, and that do not exist.
 */
function missingIn(text: string): string[] {
  const named = text.matchAll(/(?<![\w@/.-])(?:\.\.?\/)*((?:[\w-]+\/)*[\w.-]+\.tsx?\b|(?:src|test|bench)\/[\w./-]*\w)/g)
  return [...named]
    .map(([, name = '']) => name)
    .filter((name) => !program.some((file) => `/${file}`.endsWith(`/${name}`)))
}

test('every file of the program that a page or a comment names exists', () => {
  assert.deepEqual(missingIn('as store/rows.ts and test/shops do, but not ../test/store, http/auth.ts and /opt/x.ts'), [
    'store/rows.ts',
    'test/shops',
  ])
  const faults = [...pages, ...program.filter((file) => /\.tsx?$/.test(file))].flatMap((file) => {
    const text = projectFile(file)
    const comments = text.match(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*/gm) ?? []
    return missingIn(file.endsWith('.md') ? text : comments.join('\n')).map((name) => `${file} names ${name}`)
  })
  assert.deepEqual(faults, [])
})

/** As GitHub makes anchors of headings. */
const headingsOf = (page: string): Set<string> =>
  new Set(
    [...projectFile(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  )
