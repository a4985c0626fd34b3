/**
 * A process that is killed leaves names and bytes that the next one sees but that nobody has synced:
 * the next one must not build on them before it has. Systematic, where `power-cut.ts` leaves it to
 * chance: a kill at every operation of some work, then a start with a power cut at every second one.
 */
import t from 'tap'
import { makeRandom } from '../../bench/random.ts'
import type { LocalStore } from '../../src/store/local-store.ts'
import { SimulatedDisk } from '../disk/simulated-disk.ts'
import { checkout, plainRecord } from '../journal/records.ts'
import { longRow } from '../long-runs.ts'
import { SimulatedIndex } from './power-cut-index.ts'
import { PowerCutOracle } from './power-cut-oracle.ts'
import { openSimulatedStore } from './power-cut-store.ts'

/** More operations than a start has. */
const startOperationsMax = 14

class KilledThenCut {
  readonly #seed: number
  readonly #oracle = new PowerCutOracle(() => 0)
  #disk: SimulatedDisk
  #index: SimulatedIndex

  constructor(seed: number) {
    this.#seed = seed
    const random = makeRandom(seed)
    this.#disk = new SimulatedDisk(random)
    this.#disk.makeDirectorySync('/data')
    this.#index = new SimulatedIndex(random, () => this.#disk.isDead)
  }

  /** Seals as many files, each with a few records, and stops as it should. */
  async sealFiles(count: number): Promise<void> {
    await this.#live(async store => {
      for (let file = 0; file < count; file++) await this.#sealFile(store)
    })
    this.#startAgain('kill')
  }

  /** Seals one file, and compacts, if it lives so long. Returns whether it did not. */
  async killedAfter(operations: number): Promise<boolean> {
    this.#disk.cutAfter(operations)
    const isKilled = await this.#live(store => this.#sealFile(store))
    this.#startAgain('kill')
    return isKilled
  }

  /** Starts, with a power cut; then once more, and says what is wrong there. */
  async cutAtStart(operations: number): Promise<string[]> {
    this.#disk.cutAfter(operations)
    await this.#live(store => store.settle())
    this.#startAgain('power cut')
    let violations: string[] = []
    await this.#live(async store => {
      violations = await this.#oracle.violations(store, 'working')
    })
    return violations
  }

  async #sealFile(store: LocalStore): Promise<void> {
    for (let i = 0; i < 3; i++) {
      const sent = this.#oracle.send(id => ({ record: plainRecord(`${id}`), stream: checkout }))
      await store.append(sent.record, sent.stream)
      sent.isAcknowledged = true
    }
    await store.settle()
  }

  /** One process. Returns whether it died before it was done. */
  async #live(work: (store: LocalStore) => Promise<void>): Promise<boolean> {
    const disk = this.#disk
    let isDead = false
    try {
      const options = { config: {}, disk, index: this.#index, now: () => 0 }
      const store = await openSimulatedStore(options)
      await work(store).finally(() => {
        isDead = disk.isDead
        disk.release()
        return store.close()
      })
    } catch (error) {
      if (!disk.isDead) throw error
      isDead = true
    }
    return isDead
  }

  #startAgain(why: 'kill' | 'power cut'): void {
    const isPowerCut = why === 'power cut'
    const disk = isPowerCut ? this.#disk.afterPowerCut() : this.#disk.afterKill()
    const state = this.#index.left(isPowerCut)
    this.#disk = disk
    this.#index = new SimulatedIndex(makeRandom(this.#seed), () => disk.isDead, state)
  }
}

for (const [what, filesBefore] of [
  ['the first file is sealed', 0],
  ['a file is sealed and segments are compacted', 3],
] as const) {
  t.test(`a kill while ${what}, then a power cut in the next start, loses nothing`, async t => {
    let killAfter = 0
    let isKilled = true
    while (isKilled) {
      killAfter++
      // Each time others: in time, all pairs.
      const operations = Array.from({ length: startOperationsMax }, (_, i) => 1 + i)
      const turned = killAfter % startOperationsMax
      for (const cutAfter of longRow([
        ...operations.slice(turned),
        ...operations.slice(0, turned),
      ])) {
        const run = new KilledThenCut(killAfter * 100 + cutAfter)
        await run.sealFiles(filesBefore)
        isKilled = await run.killedAfter(killAfter)
        const violations = await run.cutAtStart(cutAfter)
        if (violations.length > 0) t.same(violations, [], `kill ${killAfter}, cut ${cutAfter}`)
      }
    }
    t.ok(killAfter > 20, `${killAfter} operations`)
  })
}
