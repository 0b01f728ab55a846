/** docs/guides.md: its programs run unchanged except for the addresses, and what it names exists. */
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe } from 'node:test'
import { call } from '../../harness/call.ts'
import { silentLog } from '../../harness/log.ts'
import { eventually } from '../../harness/patience.ts'
import { freePort } from '../../harness/postgres.ts'
import { Folder, makeKey, node, Program, testWith } from '../../harness/process.ts'
import { projectFile } from '../../harness/project.ts'
import { after, before, some } from '../../harness/scope.ts'
import { timeAt } from '../../harness/time.ts'
import { loadConfig } from '../../src/config/config.ts'
import { networksOf } from '../../src/config/network.ts'
import { scopes } from '../../src/model/key.ts'
import { type Service, startService } from '../../src/server/service.ts'
import { systemTime } from '../../src/time.ts'
import { createSender, newSecret } from '../../src/webhooks/send.ts'
import { unpackClient } from '../client/support/package.ts'

const guides = projectFile('docs/guides.md')

/** Returns the code blocks of a guide, by the name beside their language. */
function programsIn(title: string): Map<string, string> {
  const [, text = assert.fail(title)] = new RegExp(`^## ${title}\n(.*?)(?=^## |$(?![\\s\\S]))`, 'ms').exec(guides) ?? []
  return new Map([...text.matchAll(/^```\w+ (\w+)\n(.*?)^```$/gms)].map(([, name = '', code = '']) => [name, code]))
}

/** This does not use `go run`, which would leave the program running when it is ended. */
const goProgram = ['bash', '-ec', 'go build -o "$1.out" "$1"; exec "$1.out"', 'bash']

/** How to run a program of each language. */
const kinds = [
  { name: 'JavaScript', needs: [], program: [node], file: 'program.mjs' },
  { name: 'Client', needs: ['tar'], program: [node], file: 'program.mjs' },
  { name: 'Python', needs: ['python3'], program: ['python3', '-u'], file: 'program.py' },
  { name: 'Go', needs: ['bash', 'go'], program: goProgram, file: 'program.go' },
]
type Kind = (typeof kinds)[number]

describe('The guides', () => {
  const folder = new Folder()
  let service: Service
  let key: string

  before(async () => {
    key = await makeKey(folder.env, ...scopes.flatMap((scope) => ['--scope', scope]))
    service = await startService(loadConfig({ ...folder.env, PORT: '0' }), systemTime, silentLog)
    unpackClient(`client-${JSON.parse(projectFile('package.json')).version}.tgz`, folder.path)
    for (let i = 0; i < 101; i++) await addPet()
  })
  after(async () => {
    await service?.stop()
    folder[Symbol.dispose]()
  })

  const addPet = () => call(service.publicUrl, 'POST', '/pets', { key, body: { name: 'Bella', categoryId: 2 } })

  /** Starts the program of a guide in a language, with the addresses of the test. */
  function start({ name, program, file }: Kind, guide: string, env: Record<string, string>, port = 9000): Program {
    const cwd = join(folder.path, `${guide}-${name}-${port}`)
    mkdirSync(cwd)
    const code = programsIn(guide).get(name) ?? assert.fail(`${guide} has nothing in ${name}`)
    const here = code.replaceAll('http://127.0.0.1:8080/v1', service.publicUrl).replaceAll('9000', String(port))
    writeFileSync(join(cwd, file), here)
    return new Program([...program, join(cwd, file)], { env: { PETSTORE_KEY: key, HOME: folder.path, ...env }, cwd })
  }

  for (const kind of some(kinds)) {
    const isPaged = programsIn('Pages').has(kind.name)
    const walks = isPaged ? testWith : () => {}
    walks(kind.needs, `walk every page in ${kind.name}`, async () => {
      const stdout = await start(kind, 'Pages', {}).succeeded
      const ids = stdout.match(/^\d+n?(?= \w+$)/gm)?.map((id) => Number.parseInt(id, 10))
      const expected = Array.from({ length: 101 }, (_, i) => i + 1)
      assert.deepEqual(ids?.slice(0, 101), expected)
    })

    testWith(
      kind.needs,
      `The guide to webhooks in ${kind.name} accepts a valid signature, and refuses a wrong or old one`,
      async () => {
        const secret = newSecret()
        const allowed = networksOf('127.0.0.0/8')
        const body = '{"id":7,"type":"pet.created","data":{"id":9223372036854775807,"name":"Zoë"}}'
        const send = (port: number, secrets: readonly string[], now = Date.now()) =>
          createSender({ time: timeAt(() => now), allowed }).send({
            url: `http://127.0.0.1:${port}/`,
            id: 'msg_1_7-mwhmvow0',
            body,
            secrets,
            tries: 0,
          })
        /** Another process may take the port before the program listens. Then the next port is tried. */
        const listening = async (attempts = 4): Promise<[port: number, receiver: Program]> => {
          const port = await freePort()
          const receiver = start(kind, 'Webhooks', { WEBHOOK_SECRET: secret }, port)
          let end: string | undefined
          receiver.ended.then(({ stderr }) => (end = stderr))
          const first = await eventually(
            () => send(port, [secret]),
            ({ fault }) => fault !== 'connection_failed' || end !== undefined,
          )
          if (first.status === 204 && end === undefined) return [port, receiver]
          assert.ok(attempts > 0 && /address already in use/i.test(end ?? ''), `${JSON.stringify(first)} ${end}`)
          return listening(attempts - 1)
        }
        const [port, started] = await listening()
        await using receiver = started
        await receiver.until(/^msg_1_7-mwhmvow0 .*pet\.created/m)
        assert.deepEqual(await send(port, [newSecret(), secret]), { status: 204 }, 'while the secret is replaced')
        assert.deepEqual(await send(port, [newSecret()]), { status: 400 }, 'another secret')
        assert.deepEqual(await send(port, [secret], Date.now() - 301_000), { status: 400 }, 'old')
        // The time is so far ahead that it is still too far ahead when the request arrives.
        assert.deepEqual(await send(port, [secret], Date.now() + 400_000), { status: 400 }, 'of the future')
        assert.equal((await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body })).status, 400, 'not signed')
      },
    )
  }

  testWith(['tar'], 'The guide to events follows them with the client', async () => {
    await using follower = start(kinds[1] as Kind, 'Events', {})
    await follower.until(/^have 101n$/m)
    await eventually(addPet, () => /^pet\.created \d+-\w+$/m.test(follower.stdout))
  })

  testWith(['tar'], 'The guide to categories finds one by its name with the client', async () => {
    await call(service.publicUrl, 'POST', '/categories', { key, body: { name: 'Guinea pigs' } })
    assert.equal(await start(kinds[1] as Kind, 'Categories', {}).succeeded, 'Pip is one of the Guinea pigs\n')
  })

  testWith(['tar'], 'The guide to orders reserves and sells an animal with the client', async () => {
    const stdout = await start(kinds[1] as Kind, 'Reservations', {}).succeeded
    assert.match(stdout, /^held until \d{4}-\S+Z and sold \d{4}-\S+Z\n$/)
  })

  testWith(['bash', 'curl', 'sed'], 'All commands of the guides succeed', async () => {
    const [, ...parts] = guides.split(/^## /m)
    const commands = parts.flatMap((part) => [...part.matchAll(/^```sh curl\n(.*?)^```$/gms)].map(([, code]) => code))
    assert.equal(commands.length, 4)
    const script = ['curl() { command curl -sS --fail-with-body "$@"; }', ...commands].join('\n')
    const run = script.replaceAll('http://127.0.0.1:8080/v1', service.publicUrl).replaceAll('pst_…', key)
    const stdout = await new Program(['bash', '-euo', 'pipefail', '-c', run]).succeeded
    assert.match(stdout, /"scopes":.*"name":"Rex".*"name":"Guinea pigs".*"id":1,"name":"Max"/s)
  })
})
