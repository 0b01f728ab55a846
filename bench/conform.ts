/**
 * `npm run bench:conform` checks the service and its peers against the rules of the interface, and writes the table in
 * docs/conformance.md.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { levels } from '../conform/src/rule.ts'
import { rules } from '../conform/src/rules/rules.ts'
import { type Check, run } from '../conform/src/run.ts'
import { createSend } from '../conform/src/send.ts'
import { markdown } from './contest.ts'
import { preparePeers } from './peer.ts'
import { petstore } from './requests.ts'
import { type Server, say, start, startService } from './server.ts'
import { fill, onStage } from './stage.ts'

await onStage(async (stage) => {
  const url = `sqlite:${join(stage.folder, 'store.db')}`
  const key = await fill(url, 1)
  const rows: string[][] = []
  async function check(server: Server, animals: string): Promise<void> {
    say(`checking ${server.name}`)
    const send = createSend({ bytesMax: 2 ** 22, timeoutMilliseconds: 5_000 })
    const checks: Check[] = []
    await run({
      url: `http://127.0.0.1:${server.port}${animals.slice(0, -'/pets'.length)}`,
      key,
      rules,
      demanded: 'full',
      wait,
      clock: Date.now,
      send,
      until: Number.POSITIVE_INFINITY,
      report: (check) => checks.push(check),
    })
    send.close()
    await server.stop()
    const share = levels.map((level) => {
      const held = checks.filter((check) => check.level === level && /^(?:pass|fail)$/.test(check.status))
      return held.length === 0 ? '–' : `${held.filter(({ status }) => status === 'pass').length} of ${held.length}`
    })
    rows.push([server.name, ...share])
  }
  await check(await startService('petstore', url, { core: 'any' }), petstore.animals)
  for (const { name, command, options, dialect } of preparePeers(stage, 200, key))
    await check(await start(name, command, { ...options, core: 'any' }), dialect.animals)

  const table = markdown(['service', ...levels], rows)
  process.stdout.write(`${table}\n`)
  if (stage.quick) return
  const narrow = table.replace(/ +/g, ' ').replace(/-{3,}/g, '---')
  const page = new URL('../docs/conformance.md', import.meta.url)
  const text = readFileSync(page, 'utf8').replace(/(?<=<!-- others -->\n).*(?=<!-- end -->)/s, () => `\n${narrow}\n\n`)
  writeFileSync(page, text)
})
