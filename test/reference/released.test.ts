/**
 * What was released still holds. The current document is compared with the last one in contracts/, by redocly and by
 * our own rules.
 */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { type Node, operationsOf } from '../../harness/openapi.ts'
import { Folder } from '../../harness/process.ts'
import { projectFile, root } from '../../harness/project.ts'
import { testInFull } from '../../harness/scope.ts'

const folder = new Folder()
after(() => folder[Symbol.dispose]())

const versions = readdirSync(join(root, 'contracts'))
  .flatMap((name) => /^(\d+\.\d+\.\d+)\.json$/.exec(name)?.[1] ?? [])
  .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
const version = versions.at(-1) ?? assert.fail('no document was released')
const released: Node = JSON.parse(projectFile(`contracts/${version}.json`))
const today: Node = JSON.parse(projectFile('openapi.json'))
const changelog = projectFile('CHANGELOG.md')
const day = new Date().toISOString().slice(0, 10)

/** The part of the changelog about the versions after the release, or about the release itself until it has a date. */
const newsSince = (since: string, text: string): string => text.split(new RegExp(`^## ${since} \\(2`, 'm'))[0] as string

/** Callers of an operation have this long to stop using it. */
const inAYear = (now: string): string => `${Number(now.slice(0, 4)) + 1}${now.slice(4)}`
const isOver = (node: Node, now: string): boolean => (node['x-deprecated-sunset'] ?? '9') <= now
const nameOf = ({ id, method, path }: { id: string; method: string; path: string }) => `${id} (${method} ${path})`

/** Returns what our own rules report about the step from one document to another. */
function faultsOf(before: Node, after: Node, now = day): string[] {
  const current = new Map(operationsOf(after).map((each) => [each.id, each]))
  return operationsOf(before).flatMap((was) => {
    const is = current.get(was.id)
    const { 'x-stability': beta, 'x-deprecated-sunset': sunset, 'x-scope': scope } = was.node
    if (isOver(was.node, now)) return []
    if (!is) return beta ? [] : [`${nameOf(was)} has disappeared`]
    const faults: string[] = []
    const complain = (text: string) => faults.push(`${nameOf(was)} ${text}`)
    if (sunset && (is.node['x-deprecated-sunset'] ?? '9') < sunset) complain('is removed earlier than was announced')
    if (beta) return faults
    if (is.method !== was.method || is.path !== was.path) complain(`has become ${is.method} ${is.path}`)
    if (is.node['x-stability']) complain('is no longer stable')
    if (is.node['x-scope'] && is.node['x-scope'] !== scope) complain(`needs the scope ${is.node['x-scope']}`)
    if (!sunset && isOver(is.node, inAYear(now))) complain('is removed within a year')
    for (const { name, in: place, schema, 'x-stability': stability } of was.node.parameters) {
      const found = is.node.parameters.find((each: Node) => each.name === name && each.in === place)
      if (!stability && (!found || found['x-stability'])) complain(`has no stable parameter ${name}`)
      else if (!stability && found.schema?.default !== schema.default) complain(`has another default of ${name}`)
    }
    for (const { name, required } of is.node.parameters)
      if (required && !was.node.parameters.some((each: Node) => each.name === name)) complain(`requires ${name}`)
    for (const status of Object.keys(was.node.responses))
      if (!(status in is.node.responses)) complain(`no longer answers ${status}`)
    return faults
  })
}

/** Returns the document without the parts that may still change or that have been removed. */
function stablePart(document: Node, now = day): Node {
  const copy = structuredClone(document)
  for (const [path, methods] of Object.entries<Node>(copy.paths)) {
    for (const [method, node] of Object.entries<Node>(methods)) {
      if (node['x-stability'] || isOver(node, now)) delete methods[method]
      node.parameters = node.parameters.filter((each: Node) => !each['x-stability'])
    }
    if (Object.keys(methods).length === 0) delete copy.paths[path]
  }
  for (const [type, { post }] of Object.entries<Node>(copy.webhooks ?? {}))
    if (post['x-stability']) delete copy.webhooks[type]
  return copy
}

interface Break {
  /** The JSON pointer of the change. */
  readonly path: string
  readonly message: string
}

let files = 0
/** Returns the changes that redocly considers breaking. */
async function breaksBetween(before: Node, after: Node): Promise<Break[]> {
  const paths = [before, after].map((document) => {
    const path = join(folder.path, `${files++}.json`)
    writeFileSync(path, JSON.stringify(document))
    return path
  })
  const bin = join(root, 'node_modules/.bin/redocly')
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  const args = [bin, 'diff', ...paths, '--fail-on', 'none', '--format', 'json']
  const { stdout } = await promisify(execFile)(process.execPath, args, { env, maxBuffer: 1e9 })
  return JSON.parse(stdout)
    .changes.filter(({ impact }: Node) => impact === 'major')
    .map(({ path, verdicts }: Node) => ({ path, message: verdicts[0].message }))
}

/** Returns the operations whose beta parts break and that the changelog does not mention. */
function unannounced(breaks: readonly Break[], news: string): string[] {
  const isMeant = (pointer: string, { path, method }: { path: string; method: string }) => {
    const own = `#/paths/${path.replaceAll('/', '~1')}`
    return pointer === own || `${pointer}/`.startsWith(`${own}/${method.toLowerCase()}/`)
  }
  return operationsOf(released)
    .filter((each) => breaks.some(({ path }) => isMeant(path, each)))
    .filter(({ id, method, path }) => !news.includes(`\`${id}\``) && !news.includes(`\`${method} ${path}\``))
    .map(nameOf)
}

/** A change that somebody could make to the current document. */
type Change = (document: Node) => unknown
function planted(change: Change): Node {
  const copy = structuredClone(released)
  change(copy)
  return copy
}

describe(`Since ${version}`, () => {
  test(`No stable part of the interface has disappeared since ${version}, no sunset is earlier, and no scope is tighter [decision 25]`, () => {
    assert.deepEqual(faultsOf(released, today), [])
  })

  testInFull(`Redocly finds no breaking change of a stable part since ${version} [decision 25]`, async () => {
    assert.deepEqual(await breaksBetween(stablePart(released), stablePart(today)), [])
  })

  test(`Beta parts have changed since ${version} only as the changelog says [decision 25]`, async () => {
    assert.deepEqual(unannounced(await breaksBetween(released, today), newsSince(version, changelog)), [])
  })

  test('Every dated version in the changelog has its document and its client in contracts/ [decision 25]', () => {
    const kept = readdirSync(join(root, 'contracts'))
    for (const [, dated] of changelog.matchAll(/^## (\d+\.\d+\.\d+) \(2/gm))
      for (const name of [`${dated}.json`, `client-${dated}.tgz`]) assert.ok(kept.includes(name), name)
  })
})

describe('Our rules', () => {
  const listPets = ({ paths }: Node): Node => paths['/pets'].get
  const createPet = ({ paths }: Node): Node => paths['/pets'].post
  const getPet = ({ paths }: Node): Node => paths['/pets/{petId}'].get
  const limit = (document: Node): Node => listPets(document).parameters[0]
  const set =
    (node: (document: Node) => Node, member: string, value: unknown): Change =>
    (document) =>
      (node(document)[member] = value)
  const shop = { name: 'shop', in: 'query', required: true, schema: {} }
  const [beta, sunset] = ['x-stability', 'x-deprecated-sunset']
  const changes: readonly [what: string, change: Change, complaint: string][] = [
    ['a sunset that moves earlier', set(getPet, sunset, '2030-12-04'), 'getPet is removed earlier than was announced'],
    ['a removal that comes soon', set(createPet, sunset, inAYear(day)), 'createPet is removed within a year'],
    ['another default', (it) => (limit(it).schema.default = 10), 'listPets has another default of limit'],
    ['a stable operation that is gone', ({ paths }) => delete paths['/pets'].post, 'createPet has disappeared'],
    ['a deprecated one that is gone early', ({ paths }) => delete paths['/pets/{petId}'].get, 'getPet has disappeared'],
    ['a stable operation that becomes beta', set(listPets, beta, 'beta'), 'listPets is no longer stable'],
    ['a stable parameter that becomes beta', set(limit, beta, 'beta'), 'listPets has no stable parameter limit'],
    ['a parameter that is required all at once', (it) => listPets(it).parameters.push(shop), 'listPets requires shop'],
    [
      'an operation that moves',
      ({ paths }) => {
        paths['/animals'] = { get: paths['/pets'].get }
        delete paths['/pets'].get
      },
      'listPets has become GET /animals',
    ],
    ['a scope that tightens', set(listPets, 'x-scope', 'pets:write'), 'listPets needs the scope pets:write'],
    ['an answer that is gone', (it) => delete getPet(it).responses[404], 'getPet no longer answers 404'],
  ]
  for (const [what, change, complaint] of changes)
    test(`The check against released contracts reports ${what} [decision 25]`, () => {
      const faults = faultsOf(released, planted(change)).map((fault) => fault.replace(/ \(.*?\)/, ''))
      assert.deepEqual(faults, [complaint])
    })

  test('A deprecated operation may be removed on the day of its sunset, and a scope may be loosened', () => {
    const after = planted(({ paths }) => {
      delete paths['/pets/{petId}'].get
      delete paths['/pets'].get['x-scope']
    })
    assert.deepEqual(faultsOf(released, after, '2030-12-05'), [])
    assert.equal(stablePart(released, '2030-12-05').paths['/pets/{petId}'], undefined)
  })

  testInFull('Redocly finds every breaking change of a stable schema', async () => {
    const after = planted(({ paths, components: { schemas } }) => {
      schemas.PetStatus.enum.pop()
      schemas.NewPet.required.push('status')
      paths['/pets'].get.parameters[0].schema.maximum = 50
    })
    const messages = (await breaksBetween(stablePart(released), stablePart(after))).map(({ message }) => message)
    assert.equal(messages.length, 3, messages.join('\n'))
  })
})
