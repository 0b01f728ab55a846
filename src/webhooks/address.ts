/**
 * Decides which addresses webhooks may be sent to: public addresses over https, and networks that the operator allows.
 */
import { Resolver } from 'node:dns/promises'
import { readFileSync } from 'node:fs'
import { type BlockList, isIP } from 'node:net'
import { contains, networksOf } from '../config/network.ts'
import { urlLengthMax } from '../model/webhook.ts'

/**
 * Addresses that IANA reserves for other purposes than hosts of the internet. Clouds serve their metadata at
 * 169.254.169.254.
 */
const reservedIpv4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]
/** Teredo and other protocols, documentation, and 6to4, whose addresses contain IPv4 addresses. */
const reservedIpv6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']

/** An IPv4 network as it is reached from a network that has only IPv6. */
function nat64Of(network: string): string {
  const [address, prefix] = network.split('/')
  return `64:ff9b::${address}/${96 + Number(prefix)}`
}

const reserved = networksOf(...reservedIpv4, ...reservedIpv4.map(nat64Of), ...reservedIpv6)
/** All IPv6 addresses except these are unassigned, or belong to the link, the site or a multicast group. */
const assigned = networksOf('0.0.0.0/0', nat64Of('0.0.0.0/0'), '2000::/3')

/** Whether a webhook may be sent to this address. Plain http and other ports are accepted only for allowed networks. */
export const mayReach = (url: URL, address: string, allowed: BlockList): boolean =>
  contains(allowed, address) || (isUsual(url) && contains(assigned, address) && !contains(reserved, address))

const isUsual = ({ protocol, port }: URL): boolean => protocol === 'https:' && port === ''

/** The IP address, if the URL contains one instead of a name. The URL parser has normalised every notation. */
export function literalOf({ hostname }: URL): string | undefined {
  const text = hostname.replace(/^\[(.*)\]$/, '$1')
  return isIP(text) ? text : undefined
}

/** Returns what is wrong with the URL of a webhook, before its name is resolved. */
export function urlFault(url: URL, allowed: BlockList): string | undefined {
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or a password'
  if (url.href.includes('#')) return 'must not contain a fragment'
  // An HTTP client would take the default port instead.
  if (url.port === '0') return 'must have a port other than 0'
  // Encoding makes a URL up to six times as long.
  if (url.href.length > urlLengthMax) return `must have at most ${urlLengthMax} characters after it is encoded`
  const literal = literalOf(url)
  const known = literal ? [literal] : isLocal.test(url.hostname) ? loopback : []
  if (known.length > 0) return known.some((address) => mayReach(url, address, allowed)) ? undefined : unreachable
  return isUsual(url) || allowed.rules.length > 0 ? undefined : unreachable
}

/** These names mean this machine, whatever DNS says. */
const isLocal = /(?:^|\.)localhost\.?$/
const loopback = ['127.0.0.1', '::1']
const unreachable = 'must be an https URL on port 443 that leads to a public address'

interface NameOptions {
  readonly hostsFile?: string
  /** Name servers instead of the system's, as `127.0.0.1:53`. */
  readonly servers?: readonly string[]
}

/** How long each name server is asked, and how often. */
const dnsTimes = { timeout: 2_000, tries: 3 }

/**
 * The addresses of a name, from the file of hosts or else from DNS, without search domains. IPv4 comes first: a network
 * without IPv6 then reaches a receiver that has both. The system's own lookup (getaddrinfo) cannot be cancelled and
 * takes one of the process's four threads: four names whose server is silent would stop all webhooks.
 */
export async function addressesOf(
  name: string,
  signal: AbortSignal,
  { hostsFile = '/etc/hosts', servers }: NameOptions = {},
): Promise<readonly string[]> {
  const plain = name.replace(/\.$/, '').toLowerCase()
  const local = addressesIn(hostsFile, plain)
  if (local.length > 0) return local
  if (isLocal.test(plain)) return loopback
  const resolver = new Resolver(dnsTimes)
  if (servers) resolver.setServers(servers)
  const cancel = () => resolver.cancel()
  signal.addEventListener('abort', cancel)
  const answers = await Promise.allSettled([resolver.resolve4(plain), resolver.resolve6(plain)])
  signal.removeEventListener('abort', cancel)
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
}

/** Reads the file each time, as it may change: that takes 20 µs, and no thread of the pool. */
function addressesIn(hostsFile: string, name: string): string[] {
  let text = ''
  try {
    text = readFileSync(hostsFile, 'utf8')
  } catch {
    // Without the hosts file, names are only looked up in DNS.
  }
  const found = text.split('\n').flatMap((line) => {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().toLowerCase().split(/\s+/)
    return isIP(address) && names.includes(name) ? [address] : []
  })
  return found.toSorted((one, other) => isIP(one) - isIP(other))
}
