/**
 * The keys that are remembered, in typed arrays of a bounded size: 40 bytes each. The table is a row of
 * pages, each a hash table of its own; when it is full, the oldest page goes as a whole. So nothing is ever
 * moved, and no key waits until millions of others have a new place.
 *
 * A key is either stored, under way (`claim`: the number of who stores it), or void: it could not be stored.
 */
import { eventKeyBytes, hashBytes } from '../../journal/receipts.ts'

/** Into how many pages the table is divided: an eighth of all is forgotten at once. */
const pagesMax = 8

/** Hash (4), fingerprint (2), second of receipt, state. */
const entryWords = 8
const fingerprintAt = 4
const secondAt = 6
const stateAt = 7

/** States: void, stored (with one more than how many events were accepted), under way (with the claim). */
const voidState = 0
const underWayFlag = 0x8000_0000
const answerFlag = 0x4000_0000
export const claimMax = 0x3fff_ffff

/** What is known of a key. */
export interface KnownKey {
  readonly isSame: boolean
  /** Of who stores it; undefined when it is stored. */
  readonly claim: number | undefined
  readonly accepted: number
  readonly hasAnswer: boolean
}

export interface StoredKey {
  readonly accepted: number
  readonly hasAnswer: boolean
}

/** One event under its key. */
export const storedEvent: StoredKey = { accepted: 1, hasAnswer: false }

class Page {
  readonly #entries: Uint32Array
  /** The number of an entry and 1, or 0. */
  readonly #slots: Uint32Array
  readonly #mask: number
  count = 0
  newestSecond = 0

  constructor(entriesMax: number) {
    const slotCount = 2 ** Math.ceil(Math.log2(1.5 * entriesMax + 1))
    this.#entries = new Uint32Array(entryWords * entriesMax)
    this.#slots = new Uint32Array(slotCount)
    this.#mask = slotCount - 1
  }

  /** Where the entry begins; -1 when there is none. `key` at `at`: hash and fingerprint. */
  find(key: Buffer, at: number): number {
    const entries = this.#entries
    const first = key.readUInt32LE(at)
    for (let slot = first & this.#mask; ; slot = (slot + 1) & this.#mask) {
      const number = this.#slots[slot]!
      if (number === 0) return -1
      const entry = (number - 1) * entryWords
      const isFound =
        entries[entry] === first &&
        entries[entry + 1] === key.readUInt32LE(at + 4) &&
        entries[entry + 2] === key.readUInt32LE(at + 8) &&
        entries[entry + 3] === key.readUInt32LE(at + 12)
      if (isFound) return entry
    }
  }

  /** There must be room, and no such entry. Returns where it begins. */
  add(key: Buffer, at: number): number {
    let slot = key.readUInt32LE(at) & this.#mask
    while (this.#slots[slot] !== 0) slot = (slot + 1) & this.#mask
    const entry = this.count * entryWords
    this.#slots[slot] = ++this.count
    for (let i = 0; i < hashBytes / 4; i++) this.#entries[entry + i] = key.readUInt32LE(at + 4 * i)
    return entry
  }

  set(entry: number, key: Buffer, at: number, second: number, state: number): void {
    this.#entries[entry + fingerprintAt] = key.readUInt32LE(at + hashBytes)
    this.#entries[entry + fingerprintAt + 1] = key.readUInt32LE(at + hashBytes + 4)
    this.#entries[entry + secondAt] = second
    this.#entries[entry + stateAt] = state
    if (second > this.newestSecond) this.newestSecond = second
  }

  state(entry: number): number {
    return this.#entries[entry + stateAt]!
  }

  setVoid(entry: number): void {
    this.#entries[entry + stateAt] = voidState
  }

  second(entry: number): number {
    return this.#entries[entry + secondAt]!
  }

  hasFingerprint(entry: number, key: Buffer, at: number): boolean {
    const own = this.#entries
    return (
      own[entry + fingerprintAt] === key.readUInt32LE(at + hashBytes) &&
      own[entry + fingerprintAt + 1] === key.readUInt32LE(at + hashBytes + 4)
    )
  }
}

export interface ReceiptTableOptions {
  /** Keys that are remembered at most. */
  readonly countMax: number
  /** For how long, in whole seconds. */
  readonly secondsMax: number
}

/** Keys are given as bytes and an offset: hash and fingerprint, `eventKeyBytes` in all. */
export class ReceiptTable {
  readonly #options: ReceiptTableOptions
  readonly #pageEntries: number
  /** The newest first. */
  readonly #pages: Page[] = []

  constructor(options: ReceiptTableOptions) {
    this.#options = options
    this.#pageEntries = Math.max(1, Math.floor(options.countMax / pagesMax))
  }

  /** Keys in the table, void and forgotten ones too. */
  get count(): number {
    return this.#pages.reduce((sum, page) => sum + page.count, 0)
  }

  /** What is known of a key at a time, in seconds since 1970; undefined when nothing is. */
  find(key: Buffer, at: number, nowSecond: number): KnownKey | undefined {
    for (const page of this.#pages) {
      const entry = page.find(key, at)
      if (entry === -1) continue
      const state = page.state(entry)
      if (state === voidState || this.#isOver(page.second(entry), nowSecond)) continue
      const isSame = page.hasFingerprint(entry, key, at)
      if (state >= underWayFlag) {
        return { isSame, claim: state - underWayFlag, accepted: 0, hasAnswer: false }
      }
      const accepted = (state & ~answerFlag) - 1
      return { isSame, claim: undefined, accepted, hasAnswer: (state & answerFlag) !== 0 }
    }
    return undefined
  }

  /** Notes that a key, of which nothing is known, is being stored. */
  claim(key: Buffer, at: number, second: number, claim: number): void {
    this.#put(key, at, second, underWayFlag + claim)
  }

  /** Notes that a key is stored, whatever was known of it. */
  store(key: Buffer, at: number, second: number, { accepted, hasAnswer }: StoredKey): void {
    this.#put(key, at, second, (accepted + 1) | (hasAnswer ? answerFlag : 0))
  }

  /** Forgets a key if it is still under way for this claim. */
  release(key: Buffer, at: number, claim: number): void {
    for (const page of this.#pages) {
      const entry = page.find(key, at)
      if (entry !== -1 && page.state(entry) === underWayFlag + claim) page.setVoid(entry)
    }
  }

  #put(key: Buffer, at: number, second: number, state: number): void {
    for (const page of this.#pages) {
      const entry = page.find(key, at)
      if (entry === -1) continue
      // What is void, or was remembered long ago, gets a place among the newest.
      const isUnderWay = page.state(entry) >= underWayFlag
      if (page === this.#pages[0] || isUnderWay) {
        page.set(entry, key, at, second, state)
        return
      }
      page.setVoid(entry)
    }
    const page = this.#pageWithRoom(second)
    page.set(page.add(key, at), key, at, second, state)
  }

  #pageWithRoom(nowSecond: number): Page {
    const newest = this.#pages[0]
    const { countMax } = this.#options
    if (newest !== undefined && newest.count < this.#pageEntries) return newest
    while (this.#isLastOver(nowSecond) || this.count + this.#pageEntries > countMax) {
      if (this.#pages.pop() === undefined) break
    }
    const page = new Page(this.#pageEntries)
    this.#pages.unshift(page)
    return page
  }

  #isLastOver(nowSecond: number): boolean {
    const last = this.#pages.at(-1)
    return last !== undefined && this.#isOver(last.newestSecond, nowSecond)
  }

  #isOver(second: number, nowSecond: number): boolean {
    return nowSecond - second > this.#options.secondsMax
  }
}

/** Keys in a row of event keys. */
export function keyCount(keys: Uint8Array): number {
  return keys.length / eventKeyBytes
}
