/**
 * Where a request comes from: the address of the socket or, if that is a proxy which the operator trusts,
 * what it says in `X-Forwarded-For`. Anybody may write that header, so nobody else is believed.
 */

import { type BlockList, isIP } from 'node:net'

/**
 * The client's address as text. `socket`: 4 or 16 bytes. Of the header the last address counts that is
 * no trusted proxy's: what is before it was written by somebody else. What is not an address ends
 * the search.
 */
export function clientAddress(
  socket: Uint8Array,
  forwardedFor: string,
  trusted: BlockList | undefined,
): string {
  let address = textOfAddress(socket)
  if (trusted === undefined || forwardedFor === '') return address
  for (const named of forwardedFor.split(',').reverse()) {
    if (!isTrusted(trusted, address)) return address
    const next = unmapped(bareAddress(named.trim()))
    if (isIP(next) === 0) return address
    address = next
  }
  return address
}

/**
 * What failures of an address are counted under: IPv4 whole, of IPv6 the first 64 bits, because any
 * customer of any provider has that many addresses to choose from.
 */
export function addressKey(address: string): string {
  if (isIP(address) !== 6) return address
  return `${groupsOf(address).slice(0, 4).join(':')}::/64`
}

/**
 * IPv4 with dots, also when IPv6 carries it (`::ffff:…`, a socket that takes both); IPv6 as eight
 * groups.
 */
export function textOfAddress(bytes: Uint8Array): string {
  if (bytes.length === 4) return bytes.join('.')
  const isMapped = bytes.subarray(0, 10).every(byte => byte === 0)
  if (isMapped && bytes[10] === 0xff && bytes[11] === 0xff) return bytes.subarray(12).join('.')
  const groups: string[] = []
  for (let i = 0; i < bytes.length; i += 2) {
    groups.push(((bytes[i]! << 8) | bytes[i + 1]!).toString(16))
  }
  return groups.join(':')
}

function isTrusted(trusted: BlockList, address: string): boolean {
  const version = isIP(address)
  return version !== 0 && trusted.check(address, version === 6 ? 'ipv6' : 'ipv4')
}

/** Some proxies write a port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function bareAddress(named: string): string {
  const inBrackets = /^\[([^\]]*)\](?::\d+)?$/.exec(named)
  if (inBrackets !== null) return inBrackets[1]!
  return /^[\d.]+:\d+$/.test(named) ? named.slice(0, named.indexOf(':')) : named
}

function unmapped(address: string): string {
  return /^::ffff:([\d.]+)$/i.exec(address)?.[1] ?? address
}

/** The eight groups of an IPv6 address, in lower case without leading zeros. */
function groupsOf(address: string): string[] {
  // URL writes an address in its one canonical form, but for the groups that `::` leaves out.
  const canonical = new URL(`http://[${address.split('%', 1)[0]}]`).hostname.slice(1, -1)
  const [head = '', tail] = canonical.split('::')
  if (tail === undefined) return head.split(':')
  const before = head === '' ? [] : head.split(':')
  const after = tail === '' ? [] : tail.split(':')
  const missing = 8 - before.length - after.length
  return [...before, ...Array.from({ length: missing }, () => '0'), ...after]
}
