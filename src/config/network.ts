/** IP addresses and networks, and the client's address behind proxies. */
import { isIPv4, isIPv6 } from 'node:net'

/** An IPv4-mapped IPv6 address is read as the IPv4 address. */
export interface IpAddress {
  readonly bits: 32 | 128
  readonly value: bigint
}

export interface Network extends IpAddress {
  readonly prefix: number
}

/** The proxies whose X-Forwarded-For is believed: those in these networks, or this many in front of the service. */
export type TrustedProxies = number | readonly Network[]

export function readIpAddress(text: string): IpAddress | undefined {
  if (isIPv4(text)) return { bits: 32, value: joined(text.split('.'), 8n) }
  const [plain = ''] = text.split('%')
  if (!isIPv6(plain)) return undefined
  // The URL parser writes every group in hexadecimal, also an IPv4 address at the end.
  const [head = [], tail = []] = new URL(`http://[${plain}]`).hostname.slice(1, -1).split('::').map(groupsIn)
  const groups = [...head, ...Array<string>(8 - head.length - tail.length).fill('0x0'), ...tail]
  const value = joined(groups, 16n)
  return value >> 32n === 0xffffn ? { bits: 32, value: value & 0xffffffffn } : { bits: 128, value }
}

const joined = (parts: readonly string[], width: bigint): bigint =>
  parts.reduce((value, part) => (value << width) | BigInt(part), 0n)

const groupsIn = (text: string): string[] => (text === '' ? [] : text.split(':').map((group) => `0x${group}`))

/** Reads a network such as `10.0.0.0/8`, or a single address. */
export function readNetwork(text: string): Network | undefined {
  const [, name = '', digits] = /^([^/]+)(?:\/([0-9]{1,3}))?$/.exec(text) ?? []
  const address = readIpAddress(name)
  if (!address) return undefined
  const isMapped = address.bits === 32 && isIPv6(name)
  const prefix = digits === undefined ? address.bits : Number(digits) - (isMapped ? 96 : 0)
  return prefix >= 0 && prefix <= address.bits ? { ...address, prefix } : undefined
}

/**
 * Identifies the client for limits per address: by its IPv4 address, or by its IPv6 network of 64 bits, as one client may use
 * all addresses of such a network. Proxies append to X-Forwarded-For, so it is read from the right, and only as far as the
 * proxies are trusted: the client may have made up the rest.
 */
export function clientOf(
  socket: string | undefined,
  forwardedFor: string | undefined,
  trusted: TrustedProxies,
): string {
  let client = readIpAddress(socket ?? '')
  const entries = forwardedFor?.split(',') ?? []
  for (let hops = 0; entries.length > 0 && isTrusted(client, hops, trusted); hops++) {
    const next = readIpAddress(withoutPort((entries.pop() as string).trim()))
    if (!next) break
    client = next
  }
  if (!client) return 'unknown'
  return client.bits === 32 ? `v4 ${client.value}` : `v6 ${client.value >> 64n}`
}

function isTrusted(address: IpAddress | undefined, hops: number, trusted: TrustedProxies): boolean {
  if (typeof trusted === 'number') return hops < trusted
  return address !== undefined && trusted.some((network) => contains(network, address))
}

export function contains({ bits, value, prefix }: Network, address: IpAddress): boolean {
  const hostBits = BigInt(bits - prefix)
  return bits === address.bits && value >> hostBits === address.value >> hostBits
}

/** Some proxies write `192.0.2.1:4711` or `[2001:db8::1]:4711`. */
const withoutPort = (text: string): string =>
  text.replace(/^\[(.+)\](?::[0-9]+)?$/, '$1').replace(/^([0-9.]+):[0-9]+$/, '$1')
