/** Where webhooks may be sent, in whatever form an address is written. */
import assert from 'node:assert/strict'
import { isIP } from 'node:net'
import { describe, test } from 'node:test'
import { networksOf } from '../../src/config/network.ts'
import { mayReach, urlFault } from '../../src/webhooks/address.ts'

function isOpen(text: string): boolean {
  assert.ok(isIP(text), `${text} is no address`)
  return mayReach(new URL('https://shop.example'), text, networksOf())
}

test('The public addresses reach exactly to the borders of the reserved networks', () => {
  for (const text of ['1.1.1.1', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255'])
    assert.equal(isOpen(text), true, text)
  for (const text of ['172.15.255.255', '172.32.0.0', '223.255.255.255', '::ffff:8.8.8.8', '64:ff9b::8.8.8.8'])
    assert.equal(isOpen(text), true, text)
  for (const text of ['2606:4700::1111', '2a00::1', '2001:4860::8888', '2003::1'])
    assert.equal(isOpen(text), true, text)
})

describe('the URL of a webhook', () => {
  const faultOf = (text: string, ...allowed: string[]) => urlFault(new URL(text), networksOf(...allowed))

  test('The URL of a webhook is https on port 443, with a name or a public address [decision 16]', () => {
    for (const text of ['https://shop.example/hooks?a=b', 'HTTPS://SHOP.EXAMPLE:443', 'https://bücher.example./'])
      assert.equal(faultOf(text), undefined, text)
    for (const text of ['https://1.1.1.1/', 'https://[2606:4700::1111]/']) assert.equal(faultOf(text), undefined, text)
    for (const text of ['http://shop.example/', 'https://shop.example:8443/', 'http://1.1.1.1/', 'https://1.1.1.1:22/'])
      assert.match(faultOf(text) ?? '', /https URL on port 443/, text)
  })

  test('The URL of a webhook has no user, password, fragment or port 0', () => {
    for (const text of ['https://user@shop.example/', 'https://:secret@shop.example/', 'https://1.1.1.1@127.0.0.1/'])
      assert.match(faultOf(text) ?? '', /user name/, text)
    for (const text of ['https://shop.example/#a', 'https://shop.example/#'])
      assert.match(faultOf(text) ?? '', /fragment/)
    assert.match(faultOf('http://127.0.0.1:0/', '127.0.0.1') ?? '', /port/)
  })

  test('The URL of a webhook has at most 2048 characters in its normal form', () => {
    const url = (length: number, text: string) => `https://a.example/${text.repeat(length)}`
    assert.equal(faultOf(url(2048 - 18, 'a')), undefined)
    for (const text of [url(2049 - 18, 'a'), url(400, 'é')]) assert.match(faultOf(text) ?? '', /at most 2048/)
  })

  test('The URL of a webhook cannot have a private address, in whatever form it is written', () => {
    for (const host of [
      '2130706433',
      '0x7f000001',
      '0177.0.0.1',
      '127.1',
      '127.0.0.1.',
      '0',
      '127.0.0.1',
      '１２７.０.０.１',
      '[::1]',
      '[::]',
      '[::ffff:127.0.0.1]',
      '[0:0:0:0:0:ffff:7f00:1]',
      '[64:ff9b::7f00:1]',
      '169.254.169.254',
      'localhost',
      'LOCALHOST.',
      'shop.localhost',
    ])
      assert.match(faultOf(`https://${host}/`) ?? '', /public address/, host)
  })

  test('The URL of a webhook may be http or have another port only in networks that the operator allows [decision 16]', () => {
    const allowed = ['10.1.0.0/16', 'fd00::/8']
    for (const text of ['http://10.1.2.3/', 'https://10.1.2.3:8443/', 'http://[fd00::1]:9000/'])
      assert.equal(faultOf(text, ...allowed), undefined, text)
    for (const text of ['http://10.2.0.1/', 'https://10.2.0.1/', 'http://1.1.1.1/', 'https://127.0.0.1/'])
      assert.match(faultOf(text, ...allowed) ?? '', /public address/, text)
    assert.equal(faultOf('http://localhost:9000/', '127.0.0.0/8'), undefined)
    // It is not known yet where any other name leads.
    assert.equal(faultOf('http://hooks.internal:9000/', ...allowed), undefined)
    const reaches = (url: string, address: string) => mayReach(new URL(url), address, networksOf(...allowed))
    assert.equal(reaches('http://hooks.internal:9000/', '10.1.2.3'), true)
    assert.equal(reaches('http://hooks.internal:9000/', '1.1.1.1'), false, 'plain http on the internet')
    assert.equal(reaches('https://hooks.internal:9000/', '1.1.1.1'), false, 'another port on the internet')
    assert.equal(reaches('https://hooks.internal/', '1.1.1.1'), true)
    assert.equal(reaches('https://hooks.internal/', '10.2.0.1'), false)
    assert.equal(reaches('https://hooks.internal/', 'not an address'), false)
  })
})
