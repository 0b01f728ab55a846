/** `petstore import` of a spreadsheet as a shop has it: categories by name, and everything that spreadsheets do to a file. */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { rex } from '../store/subject.ts'
import { animalsOf, fileIn, onStore } from '../support/catalogue.ts'
import { databases } from '../support/databases.ts'
import { releasePostgres } from '../support/postgres.ts'
import { command, Folder } from '../support/process.ts'

after(releasePostgres)

const categoriesOf = async (env: Record<string, string>) =>
  (await command(['export', '--categories', '--format', 'csv'], env)).stdout.trimEnd().split('\r\n').slice(1)

test('a spreadsheet with semicolons, a byte order mark, empty rows and cells with line ends is imported whole [D233]', async () => {
  using folder = new Folder()
  const statuses = ['Available', 'SOLD', ' pending ', '']
  const kinds = ['Dogs', 'dogs ', 'Guinea  pigs', 'guinea pigs', 'Vögel', '']
  const rows = Array.from({ length: 1_000 }, (_, i) => {
    const kind = kinds[i % 5] as string
    const row = `"Rex; the ""great"" ${i}";${kind};${statuses[i % 4]};"red\r\nand brown";1,50;;`
    return i % 50 === 0 ? `${row}\r\n;;;;;;\r\n` : row
  })
  const file = fileIn(folder, 'a.csv', `\ufeffPet_Name;Category;Status;Fur;Price;;\r\n${rows.join('\r\n')}\r\n\r\n`)
  const refused = await command(['import', file], folder.env)
  assert.match(refused.stderr, /^petstore: .* It has: Pet_Name, Category, Status, Fur, Price\.\n$/)
  const named = fileIn(folder, 'b.csv', `\ufeff NAME ;Category;Status;Fur;Price;;\r\n${rows.join('\r\n')}\r\n\r\n`)
  const { code, stderr } = await command(['import', named], folder.env)
  assert.equal(code, 0, stderr)
  assert.match(
    stderr,
    /^Added 3 categories: Dogs \(1\), Guinea {2}pigs \(2\), Vögel \(3\)\.\nColumns that are not imported: Fur, Price\.\nAdded 1,000 animals in .*; 0 rows were rejected\.\n$/,
  )
  const animals = await animalsOf(folder.url)
  assert.deepEqual(animals.slice(0, 5), [
    '1 1 available Rex; the "great" 0',
    '2 1 sold Rex; the "great" 1',
    '3 2 pending Rex; the "great" 2',
    '4 2 available Rex; the "great" 3',
    '5 3 available Rex; the "great" 4',
  ])
})

for (const database of databases)
  describe(`categories that a file names, on ${database.name}`, () => {
    async function withDatabase(work: (env: { DATABASE_URL: string }, folder: Folder) => Promise<void>): Promise<void> {
      using folder = new Folder()
      const { url, remove } = await database.open()
      try {
        await work({ DATABASE_URL: url }, folder)
      } finally {
        await remove()
      }
    }

    test('are those of the store, whatever their case and spaces; others get the next numbers, once [D235]', () =>
      withDatabase(async (env, folder) => {
        await onStore(env.DATABASE_URL, async ({ categories, pets }) => {
          await categories.put(-7n, 'Guinea pigs', undefined)
          await pets.insert({ ...rex, categoryId: 40n }, undefined)
          // Too large to count: the next would be rounded by some clients.
          await pets.insert({ ...rex, categoryId: 2n ** 60n }, undefined)
        })
        const rows = ['Rex,GUINEA   PIGS', 'Lady,Dogs', 'Max,41', 'Bello,dogs', 'Tramp,Cats', 'Tiger,"Cats "', 'Leo,-7']
        const file = fileIn(folder, 'a.csv', `name,category\n${rows.join('\n')}\n`)
        const { code, stderr } = await command(['import', file], env)
        assert.equal(code, 0, stderr)
        assert.match(stderr, /^Added 2 categories: Dogs \(42\), Cats \(43\)\.\nAdded 7 animals/)
        const found = (await animalsOf(env.DATABASE_URL)).slice(2).map((animal) => animal.replace(/^\d+ /, ''))
        assert.deepEqual(
          found,
          ['-7 Rex', '42 Lady', '41 Max', '42 Bello', '43 Tramp', '43 Tiger', '-7 Leo'].map((animal) =>
            animal.replace(' ', ' available '),
          ),
        )
        const again = await command(['import', file, '--again'], env)
        assert.match(again.stderr, /^Added 7 animals/)
        assert.deepEqual(await categoriesOf(env), ['-7,Guinea pigs', '42,Dogs', '43,Cats'])
      }))

    test('get one number each where two processes name them at once [D235]', () =>
      withDatabase(async (env, folder) => {
        await command(['migrate'], env)
        const names = Array.from({ length: 30 }, (_, i) => `Kind ${i}`)
        const fileOf = (name: string, list: readonly string[]) =>
          fileIn(folder, name, `name,category\n${list.map((kind) => `Rex,${kind}\n`).join('')}`)
        const files = [fileOf('a.csv', names), fileOf('b.csv', names.toReversed())]
        const ends = await Promise.all(files.map((file) => command(['import', file], env)))
        for (const { code, stderr } of ends) assert.equal(code, 0, stderr)
        const found = await categoriesOf(env)
        assert.deepEqual(found.map((each) => each.replace(/^\d+,/, '')).sort(), names.toSorted())
        assert.equal((await animalsOf(env.DATABASE_URL)).length, 60)
      }))
  })

describe('a category that a file names', () => {
  test('is a number where it is one; what is nearly one, and what cannot be a name, is rejected [D235]', async () => {
    using folder = new Folder()
    await onStore(folder.url, ({ categories }) => categories.put(1n, '7', undefined))
    const wrong = ['1.0', '1e3', '+5', '007', '"1,5"', '9223372036854775808', '"a\nb"', '']
    const file = fileIn(folder, 'a.csv', `name,category\nRex,7\n${wrong.map((cell) => `Lady,${cell}\n`).join('')}`)
    const { code, stderr } = await command(['import', file], folder.env)
    assert.equal(code, 1)
    const reasons = stderr.split('\n').filter((line) => line.startsWith('line'))
    assert.equal(reasons.length, wrong.length)
    assert.equal(reasons[0], 'line 3: category: must be a name, or an int64 integer')
    assert.equal(reasons.at(-1), 'line 11: category: is required')
    assert.deepEqual(await animalsOf(folder.url), ['1 7 available Rex'])
    assert.deepEqual(await categoriesOf(folder.env), ['1,7'])
  })

  test('is the one that is written alike, if several are the same but for their case; otherwise the row is rejected [D235]', async () => {
    using folder = new Folder()
    await onStore(folder.url, async ({ categories }) => {
      for (const [i, name] of ['Dogs', 'dogs', 'Cats', 'Cats'].entries())
        await categories.put(BigInt(i + 1), name, undefined)
    })
    const file = fileIn(folder, 'a.csv', 'name,category\nRex,dogs\nLady,DOGS\nTiger,Cats\n')
    const { stderr } = await command(['import', file], folder.env)
    assert.match(
      stderr,
      /^line 3: category: is the name of several \(1, 2\); write the number of one\nline 4: category: is the name of several \(3, 4\)/,
    )
    assert.deepEqual(await animalsOf(folder.url), ['1 2 available Rex'])
  })

  test('is not added for a row that is rejected', async () => {
    using folder = new Folder()
    const file = fileIn(folder, 'a.csv', 'name,category,status\nRex,Dogs,gone\n')
    const { stderr } = await command(['import', file], folder.env)
    assert.match(stderr, /^line 2: status: must be one of available, pending, sold\nAdded 0 animals/)
    assert.deepEqual(await categoriesOf(folder.env), [])
  })

  test('is left out beside an id, and is no member of NDJSON [D235]', async () => {
    using folder = new Folder()
    const both = fileIn(folder, 'a.csv', 'name,category,categoryId\nRex,Dogs,7\nLady,Dogs,\n')
    const { stderr } = await command(['import', both], folder.env)
    assert.match(stderr, /^line 3: categoryId: is required\nColumns that are not imported: category\.\n/)
    const lines = fileIn(folder, 'b.ndjson', '{"name":"Max","category":"Dogs"}\n')
    assert.match(
      (await command(['import', lines], folder.env)).stderr,
      /categoryId: is required; category: is not a known/,
    )
    assert.deepEqual(await animalsOf(folder.url), ['1 7 available Rex'])
    assert.deepEqual(await categoriesOf(folder.env), [])
  })

  test('is told by --dry-run, and refused where there are so many that it must be another column [D235]', async () => {
    using folder = new Folder()
    const rows = Array.from({ length: 1_001 }, (_, i) => `Rex,Kind ${i}\n`)
    const file = fileIn(folder, 'a.csv', `name,category\n${rows.join('')}`)
    const dry = await command(['import', file, '--dry-run'], folder.env)
    assert.match(dry.stderr, /^It names 1,001 categories: Kind 0, .*, Kind 9, …\.\n1,001 rows are valid/)
    const { code, stderr } = await command(['import', file], folder.env)
    assert.equal(code, 1)
    assert.match(stderr, /^petstore: The file names 1001 categories that the store does not have, such as Kind 0\. /)
    assert.deepEqual(await animalsOf(folder.url), [])
    assert.deepEqual(await categoriesOf(folder.env), [])
  })
})
