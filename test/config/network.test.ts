/** Addresses: how they are read, and which address is that of the client behind proxies. */

import assert from 'node:assert/strict'
import { BlockList } from 'node:net'
import { describe, test } from 'node:test'
import { addNetwork, clientOf, contains, networksOf, type TrustedProxies } from '../../src/config/network.ts'

describe('a network', () => {
  test('The prefix of a network is not longer than its address', () => {
    for (const text of ['10.0.0.0/8', '10.0.0.1', '::1', '2001:DB8::/32', '::ffff:10.0.0.0/104'])
      assert.equal(addNetwork(new BlockList(), text), true, text)
    const prefixes = ['10.0.0.0/33', '::/129', '10.0.0.0/', '/8', '10.0.0.0/8/8', '10.0.0.0/-1', '::ffff:10.0.0.0/8']
    const addresses = ['', ' ', '1.2.3', '1.2.3.256', '01.2.3.4', '1::2::3', '::g', '[::1]', 'localhost', 'a/8']
    for (const text of [...prefixes, ...addresses]) assert.equal(addNetwork(new BlockList(), text), false, text)
  })

  test('A network contains its addresses in every notation, and no others', () => {
    for (const text of ['10.0.0.0/8', '::ffff:10.0.0.0/104']) {
      for (const address of ['10.1.2.3', '::ffff:10.1.2.3', '::FFFF:a01:203', '0:0:0:0:0:ffff:a01:203%eth0'])
        assert.equal(contains(networksOf(text), address), true, address)
      for (const address of ['11.0.0.0', '::10.1.2.3', '::ffff:11.0.0.0', 'a00::1', '10.1', '[::ffff:10.1.2.3]', ''])
        assert.equal(contains(networksOf(text), address), false, address)
    }
    assert.equal(contains(networksOf('::/0'), '10.1.2.3'), true, 'IPv4-mapped IPv6 is IPv6, too')
    assert.deepEqual(
      ['fe80::1', 'fe80::1%eth0', 'fe80:0:0:1::', 'fe00::'].map((address) =>
        contains(networksOf('fe80::/64'), address),
      ),
      [true, true, false, false],
    )
  })
})

describe('the client', () => {
  const client = clientOf('203.0.113.9', undefined, 0)

  /** Asserts that a request is attributed to the client at 203.0.113.9. */
  const finds = (socket: string | undefined, forwardedFor: string | undefined, trusted: TrustedProxies) =>
    assert.equal(clientOf(socket, forwardedFor, trusted), client)
  const differs = (socket: string | undefined, forwardedFor: string | undefined, trusted: TrustedProxies) =>
    assert.notEqual(clientOf(socket, forwardedFor, trusted), client)

  test('Without a trusted proxy, the client of a request is the other end of the connection, even if IPv4-mapped', () => {
    finds('203.0.113.9', '198.51.100.7', 0)
    finds('::ffff:203.0.113.9', '198.51.100.7', 0)
    differs('198.51.100.7', '203.0.113.9', 0)
  })

  test('The client of a request is the rightmost address that is not a trusted proxy, whatever precedes it [decision 11]', () => {
    const trusted = networksOf('10.0.0.0/8', '2001:db8::/32')
    finds('10.0.0.1', '203.0.113.9', trusted)
    finds('::ffff:10.0.0.1', '::ffff:203.0.113.9', trusted)
    finds('2001:db8:1::1', '192.0.2.1, 203.0.113.9, 10.1.1.1,10.2.2.2', trusted)
    finds('203.0.113.9', '192.0.2.1, 10.0.0.1', trusted)
    differs('11.0.0.1', '203.0.113.9', trusted)
    differs('2001:db9::1', '203.0.113.9', trusted)
    differs('::a00:1', '203.0.113.9', networksOf('10.0.0.1'))
  })

  test('The client of a request is found behind the number of trusted proxies [decision 11]', () => {
    finds('10.0.0.1', '203.0.113.9', 1)
    finds('10.0.0.1', '192.0.2.1, 203.0.113.9', 1)
    finds('10.0.0.1', '192.0.2.1, 203.0.113.9, 10.0.0.2', 2)
    differs('10.0.0.1', '203.0.113.9, 10.0.0.2', 1)
    finds('10.0.0.1', '203.0.113.9', 5)
    finds('203.0.113.9', undefined, 2)
  })

  test('The client of a request is the first proxy if all proxies are trusted', () => {
    assert.equal(
      clientOf('10.0.0.1', '10.0.0.2, 10.0.0.3', networksOf('10.0.0.0/8')),
      clientOf('10.0.0.2', undefined, 0),
    )
  })

  test('The client of a request is the last proxy before an entry that is not an address [decision 11]', () => {
    for (const entry of ['unknown', '', '_hidden', '203.0.113.9, x', "'; DROP TABLE pets", 'x'.repeat(10_000)])
      assert.equal(clientOf('10.0.0.1', entry, 1), clientOf('10.0.0.1', undefined, 0))
    assert.equal(clientOf('10.0.0.1', '203.0.113.9, x, 10.0.0.2', 3), clientOf('10.0.0.2', undefined, 0))
  })

  test('The address of the client of a request may contain a port', () => {
    finds('10.0.0.1', '203.0.113.9:4711', 1)
    finds('10.0.0.1', '[::ffff:203.0.113.9]:4711', 1)
    assert.equal(clientOf('10.0.0.1', '[2001:db8::1]', 1), clientOf('2001:db8::1', undefined, 0))
  })

  test('The client of a request over IPv6 is its network of 64 bits [decision 11]', () => {
    const one = clientOf('2001:db8:0:1::1', undefined, 0)
    assert.equal(clientOf('2001:db8:0:1:ffff:ffff:ffff:ffff', undefined, 0), one)
    assert.notEqual(clientOf('2001:db8:0:2::1', undefined, 0), one)
    assert.notEqual(clientOf('::cb00:7109', undefined, 0), client, 'a number is not enough')
  })

  test('A peer without an address, as on a Unix socket, counts as one proxy and is in no list of networks', () => {
    finds(undefined, '203.0.113.9', 1)
    assert.equal(clientOf(undefined, '203.0.113.9', networksOf('0.0.0.0/0', '::/0')), 'unknown')
    assert.equal(clientOf('', undefined, 1), 'unknown')
  })
})
