/**
 * How many datagrams the kernel has dropped before we could read them: the last column of our socket's line
 * in `/proc/net/udp` or `udp6` (proc_pid_net(5)). Only Linux tells.
 */

import { readFileSync } from 'node:fs'
import { isIPv6 } from 'node:net'

export interface BoundAddress {
  readonly address: string
  readonly port: number
}

/** Undefined where nobody tells. */
export function kernelDrops({ address, port }: BoundAddress): number | undefined {
  const own = `${hexAddress(address)}:${port.toString(16).padStart(4, '0')}`.toUpperCase()
  try {
    const lines = readFileSync(isIPv6(address) ? '/proc/net/udp6' : '/proc/net/udp', 'latin1')
    const columns = lines.split('\n').map(line => line.trim().split(/\s+/))
    return Number(columns.find(column => column[1] === own)?.at(-1) ?? Number.NaN) || 0
  } catch {
    return undefined
  }
}

/** As the kernel prints it: words of 32 bits, each in the order of the machine's bytes (little-endian). */
function hexAddress(address: string): string {
  const bytes = isIPv6(address) ? bytesOfV6(address) : Buffer.from(address.split('.').map(Number))
  return bytes.swap32().toString('hex')
}

function bytesOfV6(address: string): Buffer {
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const groups = (text = '') =>
    text === '' ? [] : text.split(':').map(part => Number(`0x${part}`))
  const [before, behind] = [groups(head), groups(tail)]
  const zeros = new Array<number>(8 - before.length - behind.length).fill(0)
  return Buffer.from([...before, ...zeros, ...behind].flatMap(group => [group >> 8, group & 255]))
}
