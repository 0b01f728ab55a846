/** IP addresses and networks, and the client's address behind proxies. */
import { BlockList, isIPv4, isIPv6 } from 'node:net'

/** The proxies whose X-Forwarded-For is believed: those in these networks, or this many in front of the service. */
export type TrustedProxies = number | BlockList

/** Adds a network such as `10.0.0.0/8`, or a single address; false if the text is neither. */
export function addNetwork(networks: BlockList, text: string): boolean {
  const [, address = '', digits] = /^([^/]+)(?:\/([0-9]{1,3}))?$/.exec(text) ?? []
  const family = familyOf(address)
  if (!family) return false
  const bits = family === 'ipv4' ? 32 : 128
  const prefix = digits === undefined ? bits : Number(digits)
  // `::ffff:10.0.0.0/8` would mean every IPv4 address. `/104` is intended.
  if (prefix > bits || (prefix < 96 && /^::ffff:/i.test(address))) return false
  networks.addSubnet(address, prefix, family)
  return true
}

/**
 * Networks that are known to be well-formed. `isIPv6` would add 10 ms to the start, because its pattern must be
 * compiled.
 */
export function networksOf(...texts: readonly string[]): BlockList {
  const networks = new BlockList()
  for (const text of texts) {
    const [address = '', prefix] = text.split('/')
    const family = address.includes(':') ? 'ipv6' : 'ipv4'
    if (prefix === undefined) networks.addAddress(address, family)
    else networks.addSubnet(address, Number(prefix), family)
  }
  return networks
}

/** Whether an address is in one of the networks. An IPv4-mapped IPv6 address counts as IPv4. */
export function contains(networks: BlockList, address: string): boolean {
  const family = familyOf(address)
  return family !== undefined && networks.check(address, family)
}

const familyOf = (text: string) => (isIPv4(text) ? 'ipv4' : isIPv6(text) ? 'ipv6' : undefined)

/**
 * Identifies the client for limits per address: by its IPv4 address, or by its IPv6 network of 64 bits, as one client
 * may use all addresses of such a network. Proxies append to X-Forwarded-For, so it is read from the right, and only as
 * far as the proxies are trusted: the client may have made up the rest.
 */
export function clientOf(
  socket: string | undefined,
  forwardedFor: string | undefined,
  trusted: TrustedProxies,
): string {
  let client = socket ?? ''
  const entries = forwardedFor?.split(',') ?? []
  for (let hops = 0; entries.length > 0 && isTrusted(client, hops, trusted); hops++) {
    const next = withoutPort((entries.pop() as string).trim())
    if (!familyOf(next)) break
    client = next
  }
  return familyOf(client) ? groupsIn(client).join(':') : 'unknown'
}

const isTrusted = (address: string, hops: number, trusted: TrustedProxies): boolean =>
  typeof trusted === 'number' ? hops < trusted : contains(trusted, address)

/** The groups of an IPv6 address that distinguish clients: the first four, or all if it is IPv4-mapped. */
function groupsIn(address: string): string[] {
  const [text] = (isIPv4(address) ? `::ffff:${address}` : address).split('%')
  // The URL parser writes every group in hexadecimal, including an IPv4 address at the end.
  const [head = [], tail = []] = new URL(`http://[${text}]`).hostname
    .slice(1, -1)
    .split('::')
    .map((part) => part.split(':').filter(Boolean))
  const groups = [...head, ...Array<string>(8 - head.length - tail.length).fill('0'), ...tail]
  return groups.slice(0, 6).join() === '0,0,0,0,0,ffff' ? groups : groups.slice(0, 4)
}

/** Some proxies write `192.0.2.1:4711` or `[2001:db8::1]:4711`. */
const withoutPort = (text: string): string =>
  text.replace(/^\[(.+)\](?::[0-9]+)?$/, '$1').replace(/^([0-9.]+):[0-9]+$/, '$1')

/** A value of WEBHOOKS_ALLOW that allows this machine, too. */
export const withLoopback = (allowed = ''): string => `127.0.0.1,::1${allowed && `,${allowed}`}`

/** Whether only this machine can connect to an address that is listened on. */
export const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || host.startsWith('127.')
