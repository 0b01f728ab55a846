/** The commands of the README exist, the tour runs unchanged on its own service, and what pages link to exists. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { Folder, Served } from '../harness/process.ts'
import { projectFile, root } from '../harness/project.ts'
import { testInFull } from '../harness/scope.ts'
import { settings } from '../src/config/config.ts'

const readme = projectFile('README.md')
const blocks = (page: string, info: string) =>
  [...page.matchAll(new RegExp(`^\`\`\`${info}\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(([, text]) => text ?? '')

test('docs/operating.md contains the table of settings from the program', () => {
  const rows = Object.entries(settings).map(
    ([name, { fallback, meaning }]) => `| \`${name}\` | ${fallback && `\`${fallback}\``} | ${meaning} |`,
  )
  assert.deepEqual(projectFile('docs/operating.md').match(/^\| `[A-Z_]+` \|.*$/gm), rows)
})

test('The README reaches its first command within one screen, and has one line to run the service and one to test it', () => {
  const { scripts } = JSON.parse(projectFile('package.json'))
  const linesOnScreen = 25
  assert.ok(readme.slice(0, readme.indexOf('```sh')).split('\n').length <= linesOnScreen)
  const lines = blocks(readme, 'sh').join('').split('\n')
  for (const line of ['npm ci --omit=dev && npm run demo', 'npm ci --omit=dev && npm start', 'npm ci && npm test'])
    assert.ok(lines.includes(line), line)
  assert.equal(scripts.demo, 'node -- bin/petstore.js serve --demo')
})

testInFull('Every block of the tour can be pasted as a whole, and three lines connect an agent', async () => {
  const tour = projectFile('docs/tour.md')
  assert.deepEqual(blocks(tour, 'sh start'), ['DATABASE_URL=sqlite:tour.db npm start\n'])
  using folder = new Folder()
  await using served = await Served.start(folder.env)
  /** Runs lines as if they were pasted, so that a command that reads would swallow the next line. */
  const paste = (lines: string) => {
    const input = lines
      .replaceAll('127.0.0.1:8080', `127.0.0.1:${served.port}`)
      .replaceAll('sqlite:tour.db', folder.url)
    return spawnSync('bash', ['-euo', 'pipefail'], { cwd: root, input, encoding: 'utf8' })
  }
  const { status, stdout, stderr } = paste(blocks(tour, 'sh tour').join('\necho "==="\n'))
  assert.equal(status, 0, stderr)
  const [, added = '', repeated = '', listed = '', sold = '', followed = '', refused = ''] = stdout.split('===\n')
  assert.match(added, /201 Created[\s\S]*Location: \S+\/pets\/1\b[\s\S]*"categoryId":9007199254740993/)
  assert.equal(repeated.match(/"id":2,"name":"Whiskers"/g)?.length, 2)
  assert.equal(repeated.match(/Idempotency-Replayed: true/g)?.length, 1)
  assert.match(listed, /Link: <[^>]+cursor=[^>]+>; rel="next"/)
  assert.match(sold, /"status":"placed".*"completed".*"pet_not_available"/s)
  assert.match(followed, /^\[\{[^\n]*"type":"order.placed"[^\n]*"type":"order.completed"[^\n]*\]$/m)
  for (const part of [/name: must be/, /categoryId: is required/, /colour: is not a known field/])
    assert.match(refused, part)

  const [lines = ''] = blocks(tour, 'sh agent')
  assert.equal(lines.trim().split('\n').length, 3)
  const agent = paste(`code() { printf %s "$2"; }\n${lines}`)
  const { url, headers } = JSON.parse(agent.stdout || agent.stderr)
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: {} })
  const sent = { method: 'POST', headers: { ...headers, 'Content-Type': 'application/json' }, body }
  const { result } = (await (await fetch(url, sent)).json()) as { result: { serverInfo: { name: string } } }
  assert.equal(result.serverInfo.name, 'petstore')
})

const pages = globSync('{*,bench/*,bench/notes/*,client/*,conform/*,deploy/*,docs/**/*}.md', { cwd: root })

test('Every page links only to existing files and headings', () => {
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

test('Every documented command runs with Node 20, because npm scripts or npx node start TypeScript', () => {
  const { scripts } = JSON.parse(projectFile('package.json'))
  const sources = globSync('{.ci,bench,build,client,conform,deploy,examples,src,test,tools}/**/*.{ts,js,mjs,sh}', {
    cwd: root,
    exclude: ['**/node_modules/**', '**/dist/**'],
  })
  const faultsIn = (text: string) => [
    ...(text.match(/(?<!npx )\b(?:node|bun) (?:-\S+ )*(?:[\w-]+\/)+[\w-]+\.ts\b/g) ?? []),
    ...[...text.matchAll(/\bnpm run (?:-\S+ )*([\w:-]+)/g)].flatMap(([command, name = '']) =>
      name in scripts ? [] : [command],
    ),
  ]
  assert.equal(
    faultsIn(['node', 'trials/long/run.ts, npx node trials/long/run.ts, npm run', 'nothing'].join(' ')).length,
    2,
  )
  const files = [...pages, ...sources]
  const faults = files.flatMap((file) => faultsIn(projectFile(file)).map((command) => `${file}: ${command}`))
  assert.deepEqual(faults, [])
})

/** Makes the anchors of headings like GitHub does. */
const headingsOf = (page: string): Set<string> =>
  new Set(
    [...projectFile(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  )
