/** Counts page faults before and after memory is reserved, in a heap that nobody else has used: one line of JSON. */
import { setTimeout as pause } from 'node:timers/promises'
import { reserveHeap } from '../../src/threads/heap-reserve.ts'

const mib = 1024 ** 2
const pageBytes = 4096

export interface Faults {
  /** Of so many pages of fresh memory. */
  readonly fresh: number
  /** Of none, while somebody asked. */
  readonly whileAsked: number
  /** Of as many pages as were fresh. */
  readonly reserved: number
}

const faultCount = () => process.resourceUsage().minorPageFault
const kept: Buffer[] = []

/** Faults of 16 MiB of arrays. */
function faultsOfArrays(): number {
  const before = faultCount()
  for (let i = 0; i < 16; i++) {
    const array = Buffer.allocUnsafeSlow(mib)
    for (let at = 0; at < mib; at += pageBytes) array[at] = 1
    kept.push(array)
  }
  return faultCount() - before
}

const fresh = faultsOfArrays()
let isAsked = true
const { signal } = new AbortController()
const beforeAsked = faultCount()
const reserving = reserveHeap(24 * mib, { isWanted: () => isAsked, signal })
await pause(200)
const whileAsked = faultCount() - beforeAsked
isAsked = false
await reserving
const faults: Faults = { fresh, whileAsked, reserved: faultsOfArrays() }
process.stdout.write(JSON.stringify(faults))
