/** Addresses: how they are read, and who the client is behind proxies. */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { clientOf, readIpAddress, readNetwork, type TrustedProxies } from '../../src/config/network.ts'

const networks = (...texts: string[]) => texts.map((text) => readNetwork(text) ?? assert.fail(`${text} is no network`))

describe('an address', () => {
  test('is read in every way it may be written', () => {
    for (const [text, bits, value] of [
      ['192.0.2.1', 32, 0xc0000201n],
      ['255.255.255.255', 32, 0xffffffffn],
      ['::ffff:192.0.2.1', 32, 0xc0000201n],
      ['::ffff:c000:201', 32, 0xc0000201n],
      ['::ffff:192.0.2.1%eth0', 32, 0xc0000201n],
      ['0:0:0:0:0:ffff:192.0.2.1', 32, 0xc0000201n],
      ['::', 128, 0n],
      ['::1', 128, 1n],
      ['1::', 128, 1n << 112n],
      ['2001:DB8::1:2', 128, 0x20010db8000000000000000000010002n],
      ['1:2:3:4:5:6:7:8', 128, 0x00010002000300040005000600070008n],
      ['64:ff9b::192.0.2.1', 128, 0x0064ff9b0000000000000000c0000201n],
      ['fe80::1%eth0', 128, 0xfe800000000000000000000000000001n],
    ] as const)
      assert.deepEqual(readIpAddress(text), { bits, value }, text)
  })

  test('is nothing else', () => {
    for (const text of ['', ' ', '1.2.3', '1.2.3.256', '01.2.3.4', '1::2::3', '::g', '[::1]', 'localhost', '1.2.3.4/8'])
      assert.equal(readIpAddress(text), undefined, text)
  })
})

describe('a network', () => {
  test('has a prefix that its address has room for', () => {
    const wrong = [
      '10.0.0.0/33',
      '::/129',
      '10.0.0.0/',
      '/8',
      '10.0.0.0/8/8',
      '10.0.0.0/-1',
      '::ffff:10.0.0.0/8',
      'a/8',
    ]
    for (const text of wrong) assert.equal(readNetwork(text), undefined, text)
  })

  test('may be a single address, or written as IPv4-mapped IPv6', () => {
    assert.equal(readNetwork('10.0.0.1')?.prefix, 32)
    assert.equal(readNetwork('::1')?.prefix, 128)
    assert.deepEqual(readNetwork('::ffff:10.0.0.0/104'), readNetwork('10.0.0.0/8'))
  })
})

describe('the client', () => {
  const client = clientOf('203.0.113.9', undefined, [])

  /** Asserts that a request is attributed to the client at 203.0.113.9. */
  const finds = (socket: string | undefined, forwardedFor: string | undefined, trusted: TrustedProxies) =>
    assert.equal(clientOf(socket, forwardedFor, trusted), client)
  const differs = (socket: string | undefined, forwardedFor: string | undefined, trusted: TrustedProxies) =>
    assert.notEqual(clientOf(socket, forwardedFor, trusted), client)

  test('is the other end of the connection, if no proxy is trusted; also IPv4-mapped', () => {
    finds('203.0.113.9', '198.51.100.7', [])
    finds('::ffff:203.0.113.9', '198.51.100.7', [])
    differs('198.51.100.7', '203.0.113.9', [])
  })

  test('is the rightmost address that is no trusted proxy, whatever stands before it [D77]', () => {
    const trusted = networks('10.0.0.0/8', '2001:db8::/32')
    finds('10.0.0.1', '203.0.113.9', trusted)
    finds('::ffff:10.0.0.1', '::ffff:203.0.113.9', trusted)
    finds('2001:db8:1::1', '192.0.2.1, 203.0.113.9, 10.1.1.1,10.2.2.2', trusted)
    finds('203.0.113.9', '192.0.2.1, 10.0.0.1', trusted)
    differs('11.0.0.1', '203.0.113.9', trusted)
    differs('2001:db9::1', '203.0.113.9', trusted)
    differs('::a00:1', '203.0.113.9', networks('10.0.0.1'))
  })

  test('is behind as many proxies as are trusted [D77]', () => {
    finds('10.0.0.1', '203.0.113.9', 1)
    finds('10.0.0.1', '192.0.2.1, 203.0.113.9', 1)
    finds('10.0.0.1', '192.0.2.1, 203.0.113.9, 10.0.0.2', 2)
    differs('10.0.0.1', '203.0.113.9, 10.0.0.2', 1)
    finds('10.0.0.1', '203.0.113.9', 5)
    finds('203.0.113.9', undefined, 2)
  })

  test('is the first of the proxies if all of them are trusted', () => {
    assert.equal(
      clientOf('10.0.0.1', '10.0.0.2, 10.0.0.3', networks('10.0.0.0/8')),
      clientOf('10.0.0.2', undefined, []),
    )
  })

  test('is the last proxy before an entry that is no address [D77]', () => {
    for (const entry of ['unknown', '', '_hidden', '203.0.113.9, x', "'; DROP TABLE pets", 'x'.repeat(10_000)])
      assert.equal(clientOf('10.0.0.1', entry, 1), clientOf('10.0.0.1', undefined, []))
    assert.equal(clientOf('10.0.0.1', '203.0.113.9, x, 10.0.0.2', 3), clientOf('10.0.0.2', undefined, []))
  })

  test('may be written with a port', () => {
    finds('10.0.0.1', '203.0.113.9:4711', 1)
    finds('10.0.0.1', '[::ffff:203.0.113.9]:4711', 1)
    assert.equal(clientOf('10.0.0.1', '[2001:db8::1]', 1), clientOf('2001:db8::1', undefined, []))
  })

  test('with IPv6 is its network of 64 bits [D77]', () => {
    const one = clientOf('2001:db8:0:1::1', undefined, [])
    assert.equal(clientOf('2001:db8:0:1:ffff:ffff:ffff:ffff', undefined, []), one)
    assert.notEqual(clientOf('2001:db8:0:2::1', undefined, []), one)
    assert.notEqual(clientOf('::cb00:7109', undefined, []), client, 'a number is not enough')
  })

  test('without an address, as on a Unix socket, is behind a proxy that is counted, and unknown to any list', () => {
    finds(undefined, '203.0.113.9', 1)
    assert.equal(clientOf(undefined, '203.0.113.9', networks('0.0.0.0/0', '::/0')), 'unknown')
    assert.equal(clientOf('', undefined, 1), 'unknown')
  })
})
