/**
 * The block index on a simulated machine: the real one (`block-index.ts`) over an in-memory stand-in
 * for LMDB, because thousands of real environments would take hours.
 *
 * The index is a cache. LMDB keeps a prefix of its commits through a power cut; here the next start
 * finds, by chance, the last state, that after any earlier commit of the process, or nothing at all.
 */
import type { RootDatabase } from 'lmdb'
import type { Random } from '../../bench/random.ts'
import { BlockIndex } from '../../src/index/block-index.ts'
import { PowerCut } from '../disk/simulated-disk.ts'

type Key = string | number | readonly (string | number)[]

interface Entry {
  readonly key: Key
  readonly value: unknown
}

/** Entries by the text of their key, by the name of the database. */
type State = ReadonlyMap<string, ReadonlyMap<string, Entry>>

export class SimulatedIndex {
  readonly #random: Random
  readonly #databases = new Map<string, Map<string, Entry>>()
  /** After each commit of this process, and before the first. */
  readonly #states: State[] = []
  readonly #isDead: () => boolean

  constructor(random: Random, isDead: () => boolean, state: State = new Map()) {
    this.#random = random
    this.#isDead = isDead
    for (const [name, entries] of state) this.#databases.set(name, new Map(entries))
    this.#noteState()
  }

  open(): BlockIndex {
    const root = {
      ...this.#database('root'),
      openDB: ({ name }: { name: string }) => this.#database(name),
      transactionSync: (change: () => void) => this.#commit(change),
      transaction: async (change: () => void) => {
        await new Promise(setImmediate)
        this.#commit(change)
      },
      close: async () => {},
    }
    return new BlockIndex(root as unknown as RootDatabase)
  }

  /** What the next process finds, as `isPowerCut` allows. */
  left(isPowerCut: boolean): State {
    const random = this.#random
    const last = this.#states.at(-1)!
    if (!isPowerCut) return last
    return random.pick([last, random.pick(this.#states), new Map()])
  }

  #commit(change: () => void): void {
    if (this.#isDead()) throw new PowerCut('the power was cut before')
    change()
    this.#noteState()
  }

  #noteState(): void {
    const copied = [...this.#databases].map(([name, map]) => [name, new Map(map)] as const)
    this.#states.push(new Map(copied))
  }

  /** As much of LMDB's database as the index uses. */
  #database(name: string) {
    const entries = this.#databases.get(name) ?? new Map<string, Entry>()
    this.#databases.set(name, entries)
    const sorted = () => [...entries.values()].sort((a, b) => compareKeys(a.key, b.key))
    return {
      get: (key: Key) => entries.get(JSON.stringify(key))?.value,
      put: (key: Key, value: unknown) => entries.set(JSON.stringify(key), { key, value }),
      remove: (key: Key) => entries.delete(JSON.stringify(key)),
      clearSync: () => entries.clear(),
      getKeys: () => sorted().map(({ key }) => key),
      getRange: ({ start, end }: { start?: Key; end?: Key } = {}) =>
        sorted().filter(
          ({ key }) =>
            (start === undefined || compareKeys(key, start) >= 0) &&
            (end === undefined || compareKeys(key, end) < 0),
        ),
    }
  }
}

/** The order of LMDB's keys: element by element; numbers before texts. */
function compareKeys(a: Key, b: Key): number {
  const [left, right] = [[a].flat(), [b].flat()] as (string | number)[][]
  for (const [i, one] of left!.entries()) {
    const other = right![i]
    if (other === undefined) return 1
    if (one === other) continue
    if (typeof one !== typeof other) return typeof one === 'number' ? -1 : 1
    return one < other ? -1 : 1
  }
  return left!.length - right!.length
}
