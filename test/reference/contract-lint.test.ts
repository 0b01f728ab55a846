/** Other people's rules for OpenAPI documents, held against ours, without a network. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { root } from '../support/project.ts'

/** Ends the program that loads it at the first connection it makes. */
const offline = `data:text/javascript,${encodeURIComponent(`
import { Socket } from 'node:net'
Socket.prototype.connect = function (options) {
  process.stderr.write('It asked for a connection: ' + JSON.stringify(options))
  process.exit(97)
}`)}`

/** What a program of this project's dependencies says of the document; fails with it unless it finds nothing. */
function expectNoFault(program: string, ...args: string[]): void {
  const bin = join(root, 'node_modules/.bin', program)
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', offline, bin, ...args], {
    cwd: root,
    encoding: 'utf8',
    // Redocly would ask for a newer version of itself, and tell its makers that it ran.
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  })
  assert.equal(status, 0, `${stdout}\n${stderr}`)
}

test('redocly finds no fault in the document', () => {
  expectNoFault('redocly', 'lint', 'openapi.json', '--max-problems=1000')
})

test('Spectral finds nothing against the rules of OWASP but what .spectral.yaml waives', () => {
  expectNoFault('spectral', 'lint', 'openapi.json', '--fail-severity=hint')
})
