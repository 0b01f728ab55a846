/**
 * `petstore export` writes everything exactly as it was when it began, and an import of the file gives the same
 * catalogue.
 */
import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { animalsOf, csvOf, fileIn, onStore, withDatabase } from '../../harness/catalogue.ts'
import { databases } from '../../harness/databases.ts'
import { releasePostgres } from '../../harness/postgres.ts'
import { command, done, Folder } from '../../harness/process.ts'
import { after, before, some, test } from '../../harness/scope.ts'
import { runSql } from '../../harness/sql.ts'
import { int64Max, int64Min, rex, rowOf } from '../store/subject.ts'

after(releasePostgres)

const names = [
  '𝔊𝔯𝔦𝔰𝔲',
  'e\u0301',
  '"\\',
  ' Rex ',
  '\u{10ffff}',
  'a\ufeff',
  '=1+1',
  "a,b;c'd",
  '-5',
  '+x',
  '@y',
  '＝1',
  '"a"";b,c',
  '\ufeffé',
  "'=1",
  'a\u2028b',
]
const categories = [int64Min, int64Max, 2n ** 53n + 1n, 0n]
const at = '2026-01-01T00:00:00.000Z'
const heldUntil = '2100-01-01T00:00:00.000Z'
const linesOf = (stdout: string) =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

for (const database of some(databases))
  describe(`petstore export from ${database.name}`, () => {
    let env: { DATABASE_URL: string }
    let remove: () => Promise<void>
    before(async () => {
      const opened = await database.open()
      remove = opened.remove
      env = { DATABASE_URL: opened.url }
      await onStore(opened.url, async ({ pets, orders, categories: named }) => {
        for (const [i, name] of names.entries())
          await pets.insert({ name, categoryId: categories[i % 4] as bigint, status: 'available' }, undefined)
        await pets.remove(2n, undefined)
        const held = { reference: '=Novak, "A"', heldUntil }
        for (const [petId, more] of [
          [3n, held],
          [4n, {}],
        ] as const)
          rowOf(await orders.place({ petId, ...more }, undefined))
        for (const to of ['completed', 'returned'] as const) await orders.move(2n, to)
        for (const [i, id] of categories.entries()) await named.put(id, names[i] as string, undefined)
      })
      await runSql(opened.url, `UPDATE orders SET created_at = '${at}', updated_at = '${at}'`)
      await runSql(opened.url, `UPDATE orders SET completed_at = '${at}' WHERE completed_at IS NOT NULL`)
    })
    after(() => remove())
    const exported = async (...args: string[]) => (await command(['export', ...args], env)).stdout

    for (const [format, what, flags, count] of [
      ['csv', 'animals', [], names.length - 1],
      ['ndjson', 'animals', [], names.length - 1],
      ['csv', 'categories', ['--categories'], 4],
      ['ndjson', 'categories', ['--categories'], 4],
    ] as const)
      test(`Exported ${what} that are imported again as ${format} are exported unchanged, except for ids [decision 28]`, async () => {
        const { code, stdout, stderr } = await command(['export', ...flags, '--format', format], env)
        const names = what === 'animals' ? 'To write the names of their categories: petstore export --categories\n' : ''
        assert.deepEqual([code, stderr], [0, `Exported ${count} ${what}.\n${names}`])
        using folder = new Folder()
        const file = fileIn(folder, `a.${format}`, stdout)
        for (const other of databases)
          await withDatabase(other, async (into) => {
            const url = into.DATABASE_URL
            if (what === 'categories') await onStore(url, (store) => store.categories.put(0n, 'Old', undefined))
            await done(['import', ...flags, file], into)
            const again = (await command(['export', ...flags, '--format', format], into)).stdout
            const withoutIds = (text: string) => (what === 'animals' ? text.replaceAll(/^(\{"id":)?\d+,/gm, '') : text)
            assert.equal(withoutIds(again), withoutIds(stdout))
            if (what === 'categories') assert.deepEqual(await animalsOf(url), [])
          })
      })

    test(`petstore export from ${database.name} writes orders in both formats`, async () => {
      const times = { createdAt: at, updatedAt: at }
      const order = { id: 1, petId: 3, status: 'placed', reference: '=Novak, "A"', heldUntil, ...times }
      const returned = { id: 2, petId: 4, status: 'returned', ...times, completedAt: at }
      assert.deepEqual(linesOf(await exported('--orders')), [order, returned])
      const columns = 'id,petId,status,reference,heldUntil,createdAt,updatedAt,completedAt'
      const rows = (mark: string) =>
        `1,3,placed,"${mark}=Novak, ""A""",${heldUntil},${at},${at},\r\n2,4,returned,,,${at},${at},${at}\r\n`
      assert.equal(await exported('--orders', '--format', 'csv'), `${columns}\r\n${rows('')}`)
      assert.equal(await exported('--orders', '--for-spreadsheets'), `\ufeff${columns}\r\n${rows("'")}`)
    })

    test(`petstore export from ${database.name} escapes what a spreadsheet would run only with --for-spreadsheets [decision 28]`, async () => {
      const plain = await exported('--format', 'csv')
      assert.match(plain, /^id,name,categoryId,status\r\n1,𝔊/)
      assert.match(plain, /\r\n7,=1\+1,/)
      const marked = await exported('--for-spreadsheets')
      assert.match(marked, /^\ufeffid,name,categoryId,status\r\n/)
      for (const line of [/^7,'=1\+1,/m, /^10,'\+x,/m, /^11,'@y,/m, /^12,'＝1,/m, /^9,-5,-9223372036854775808,/m])
        assert.match(marked, line)
    })

    test(`petstore export from ${database.name} shows the state of one moment, while others continue to write [decision 28]`, () =>
      withDatabase(database, async (env, folder) => {
        await done(['import', fileIn(folder, 'a.csv', csvOf(6_000))], env)
        const seen: number[] = []
        await onStore(env.DATABASE_URL, (reader) =>
          onStore(env.DATABASE_URL, (writer) =>
            reader.bulk.read('pets', ['id', 'status'], async (rows) => {
              seen.push(...rows.map(([id]) => Number(id)))
              assert.ok(rows.every(([, status]) => status === 'available'))
              await writer.pets.insert(rex, undefined)
              await writer.pets.update(5_900n, { status: 'sold' }, undefined)
              await writer.pets.remove(BigInt(6_000 - seen.length / 1_000), undefined)
            }),
          ),
        )
        const all = Array.from({ length: 6_000 }, (_, i) => i + 1)
        assert.deepEqual(seen, all)
      }))
  })

test('petstore export --for-spreadsheets leaves no formula, whatever character ends a cell [decision 28]', async () => {
  using folder = new Folder()
  const harmless = ['Rex', 'Jean-Luc', 'a - b', 'a=b', '-5', 'x; y', "it's", '5;6', 'a+b@c']
  const formulas = [
    '=1',
    'a;=1+1',
    'a,=1+1',
    'a|=1+1',
    ';=1;',
    'a; =1',
    'a;"=1+1"',
    '"=1"',
    ' @x',
    '-5+1',
    'a;-5+1',
    ';;+x',
    'a;＝1',
    '==',
  ]
  const rows = [...harmless, ...formulas].map((name) => `{"name":${JSON.stringify(name)},"categoryId":-1}\n`)
  await command(['import', fileIn(folder, 'in.ndjson', rows.join(''))], folder.env)
  const { stdout } = await command(['export', '--for-spreadsheets'], folder.env)
  for (const name of harmless) assert.ok(stdout.includes(`,${name},-1,`), name)
  // The output is split in every way, because quotes count only if they surround a whole cell.
  for (const delimiter of [',', ';', '|', '\t'])
    for (const line of stdout.trimEnd().split('\r\n').slice(1))
      for (const cell of line.split(delimiter))
        assert.doesNotMatch(cell.replace(/^[\s"]+/, ''), /^(?:[=@＝＋－＠]|[+-](?!\d+$))/, `${delimiter} ${line}`)
})
