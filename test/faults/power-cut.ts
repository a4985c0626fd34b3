/**
 * One seed of the power-cut test: a few lives of a store on one simulated machine. In each it recovers
 * what is there, takes records, rotates, seals, compacts and deletes, until the power is cut or the
 * process killed, at any operation, also while it recovers from the cut before. Some lives are of
 * `logstrata upgrade`, after one of an older version that wrote format 1. The last life is calm.
 *
 * Some requests have keys, and are sent again, also in later lives.
 *
 * After every start, and when all is done, the oracle compares what the store finds with what was sent.
 */

import { makeRandom, type Random } from '../../bench/random.ts'
import type { Config } from '../../src/config/config.ts'
import { readAt } from '../../src/disk/read.ts'
import { BatchWriter } from '../../src/journal/batch-writer.ts'
import type { LogRecord, Stream } from '../../src/record.ts'
import { fileMagic, formatVersion } from '../../src/segment/file-header.ts'
import { listSegments } from '../../src/segment/files.ts'
import type { LocalStore } from '../../src/store/local-store.ts'
import { dayMs, hourMs } from '../../src/time-units.ts'
import { type Deafness, SimulatedDisk } from '../disk/simulated-disk.ts'
import { asFormat1 } from '../segment/other-formats.ts'
import { SimulatedIndex } from './power-cut-index.ts'
import { PowerCutOracle, type SentRecord } from './power-cut-oracle.ts'
import { KeyedRequests } from './power-cut-requests.ts'
import { openSimulatedStore, upgradeSimulated } from './power-cut-store.ts'

export interface PowerCutReport {
  readonly seed: number
  readonly violations: readonly string[]
  readonly acknowledged: number
  /** Ends of lives: while the store was opened, while it worked, and when it had been closed; and while
   *  segments were upgraded. */
  readonly cuts: { opening: number; working: number; calm: number; upgrading: number }
  readonly kills: number
  readonly sealedRecords: number
  readonly compactions: number
  readonly deletedSegments: number
  readonly upgradedSegments: number
  /** Requests under keys that were sent again. */
  readonly repeated: number
}

const beginning = Date.UTC(2026, 10, 20)

const streams: readonly Stream[] = [
  { service: 'checkout', environment: 'prod' },
  { service: 'search', environment: 'prod' },
  { service: 'search', environment: 'test' },
]

/** Runs one seed to its end, or to the first life with a violation. */
export function powerCut(seed: number, deaf: Deafness = {}): Promise<PowerCutReport> {
  return new Machine(seed, deaf).run()
}

class Machine {
  readonly #seed: number
  readonly #random: Random
  readonly #config: Partial<Config>
  readonly #oracle: PowerCutOracle
  readonly #keyed: KeyedRequests
  readonly #violations: string[] = []
  readonly #cuts = { opening: 0, working: 0, calm: 0, upgrading: 0 }
  #disk: SimulatedDisk
  #index: SimulatedIndex
  #now = beginning
  #kills = 0
  #sealedRecords = 0
  #compactions = 0
  #deletedSegments = 0
  #upgradedSegments = 0

  constructor(seed: number, deaf: Deafness) {
    const random = makeRandom(seed)
    this.#seed = seed
    this.#random = random
    const retentionAgeMs = random.pick([undefined, undefined, 30 * hourMs])
    const journalFileBytes = random.pick([400, 1_500, 4_000])
    this.#config = { journalFileBytes, journalFileAgeMs: hourMs, retentionAgeMs }
    this.#oracle = new PowerCutOracle(() => this.#now - (retentionAgeMs ?? 1_000 * dayMs))
    this.#keyed = new KeyedRequests(random)
    this.#disk = new SimulatedDisk(random, deaf)
    this.#disk.makeDirectorySync('/data')
    this.#index = new SimulatedIndex(random, () => this.#disk.isDead)
  }

  async run(): Promise<PowerCutReport> {
    const lives = 2 + this.#random.below(4)
    for (let life = 1; life <= lives && this.#violations.length === 0; life++) {
      const isUpgrade = life > 1 && life < lives && this.#random.below(3) === 0
      if (isUpgrade) this.#makeOlder()
      const isCut = life < lives && this.#random.below(10) > 0
      // Few operations: in the middle of recovery.
      if (isCut) this.#disk.cutAfter(1 + this.#random.below(this.#random.pick([15, 40, 100])))
      if (isUpgrade) await this.#upgrade()
      else await this.#live(life === lives ? 'calm' : 'cut')
      this.#startAgain()
    }
    return {
      seed: this.#seed,
      violations: this.#violations,
      acknowledged: this.#oracle.acknowledgedCount,
      cuts: this.#cuts,
      kills: this.#kills,
      sealedRecords: this.#sealedRecords,
      compactions: this.#compactions,
      deletedSegments: this.#deletedSegments,
      upgradedSegments: this.#upgradedSegments,
      repeated: this.#keyed.repeatedCount,
    }
  }

  /** One process, from its start to its end. */
  async #live(end: 'calm' | 'cut'): Promise<void> {
    const disk = this.#disk
    let store: LocalStore | undefined
    let phase: keyof PowerCutReport['cuts'] = 'opening'
    try {
      store = await this.#open()
      phase = 'working'
      await this.#compare(store, 'working')
      await this.#work(store)
      if (end === 'calm') {
        await store.settle()
        await this.#keyed.sendAllAgain(store, this.#now)
        await store.settle()
        await this.#compare(store, 'settled')
      }
      if (!disk.isDead) phase = 'calm'
      if (end === 'calm' || this.#random.below(2) === 0) await store.close()
    } catch (error) {
      if (!disk.isDead) this.#violations.push(`failed with the power on: ${String(error)}`)
    }
    this.#cuts[phase]++
    disk.release()
    await this.#bury(store)
  }

  /** Has an older version written some of the segments. */
  #makeOlder(): void {
    const disk = this.#disk
    for (const { path } of listSegments('/data/segments', disk)) {
      if (this.#random.below(3) === 0) continue
      const older = olderForm(readWhole(path, disk))
      if (older === undefined) continue
      const file = disk.createSync(path)
      file.write(older)
      file.datasync()
      file.close()
    }
  }

  /** One life of `logstrata upgrade`. */
  async #upgrade(): Promise<void> {
    const disk = this.#disk
    try {
      this.#upgradedSegments += await upgradeSimulated(disk, this.#index)
    } catch (error) {
      if (!disk.isDead) this.#violations.push(`failed with the power on: ${String(error)}`)
    }
    this.#cuts[disk.isDead ? 'upgrading' : 'calm']++
    disk.release()
  }

  #open(): Promise<LocalStore> {
    const now = () => this.#now
    return openSimulatedStore({ config: this.#config, disk: this.#disk, index: this.#index, now })
  }

  /** Sends records and lets time pass, until there was enough of it or the power is cut. */
  async #work(store: LocalStore): Promise<void> {
    const random = this.#random
    const appends: Promise<void>[] = []
    const steps = random.below(5) === 0 ? 0 : random.below(60)
    for (let step = steps; step > 0 && !this.#disk.isDead; step--) {
      const chance = random.below(100)
      if (chance < 42) appends.push(this.#append(store))
      else if (chance < 54) appends.push(this.#appendBatch(store))
      else if (chance < 66) appends.push(this.#appendKeyed(store))
      else if (chance < 75) await Promise.all(appends.splice(0))
      else if (chance < 80) this.#now += random.below(2 * hourMs)
      else if (chance < 82) this.#now += random.below(dayMs)
      else if (chance < 86) await store.settle()
      else if (chance < 89) await this.#compareAfter(store, appends)
      else await new Promise(setImmediate)
    }
    await Promise.all(appends)
    if (steps === 0) await store.settle() // Nothing but what an earlier life has left to do.
  }

  async #compareAfter(store: LocalStore, appends: Promise<void>[]): Promise<void> {
    await Promise.all(appends.splice(0))
    await store.settle()
    await this.#compare(store, 'settled')
  }

  async #append(store: LocalStore): Promise<void> {
    const sent = this.#send()
    await acknowledged([sent], store.append(sent.record, sent.stream))
  }

  async #appendBatch(store: LocalStore): Promise<void> {
    const count = 1 + this.#random.below(8)
    const sent = Array.from({ length: count }, () => this.#send())
    const writer = new BatchWriter()
    for (const { record, stream } of sent) writer.add(record, stream)
    await acknowledged(sent, store.appendBatches([writer.encode()]))
  }

  #appendKeyed(store: LocalStore): Promise<void> {
    return this.#keyed.send(store, this.#now, () => this.#send(true))
  }

  #send(mayComeLater = false): SentRecord {
    const random = this.#random
    return this.#oracle.send(id => {
      const daysAgo = random.pick([0, 0, 0, 0, 1, 2])
      // Whole seconds, so that many records have the same time.
      const timestamp = Math.floor((this.#now - daysAgo * dayMs) / 1_000) * 1_000
      const length = random.below(5) === 0 ? 300 + random.below(2_500) : random.below(60)
      const message = `${id} ${['paid', 'sent', 'opened'][id % 3]} ${random.hex(4 * Math.ceil(length / 4))}`
      const attributes = ['n', String(id % 7)]
      if (random.below(2) === 0) attributes.push('trace', random.hex(32))
      const level = random.pick(['info', 'warn', 'error'])
      const record: LogRecord = { timestamp, level, message, attributes }
      return { record, stream: random.pick(streams) }
    }, mayComeLater)
  }

  async #compare(store: LocalStore, state: 'settled' | 'working'): Promise<void> {
    this.#violations.push(...(await this.#oracle.violations(store, state)))
  }

  /** Ends what is left of a process, so that its timers do not run on. */
  async #bury(store: LocalStore | undefined): Promise<void> {
    if (store === undefined) return
    const { sealedRecords, compactions, deletedSegments } = store.stats()
    this.#sealedRecords += sealedRecords
    this.#compactions += compactions
    this.#deletedSegments += deletedSegments
    await store.close()
  }

  #startAgain(): void {
    const isKill = this.#random.below(4) === 0
    if (isKill) this.#kills++
    const disk = isKill ? this.#disk.afterKill() : this.#disk.afterPowerCut()
    this.#disk = disk
    const state = this.#index.left(!isKill)
    this.#index = new SimulatedIndex(this.#random, () => disk.isDead, state)
  }
}

/** Of what a broken machine has not synced, which may be anything, there is none. */
function olderForm(bytes: Buffer): Buffer | undefined {
  if (!bytes.subarray(0, 8).equals(fileMagic) || bytes.readUInt32LE(8) !== formatVersion) {
    return undefined
  }
  try {
    return asFormat1(bytes)
  } catch {
    return undefined
  }
}

function readWhole(path: string, disk: SimulatedDisk): Buffer {
  const file = disk.openSync(path)
  return readAt(file, 0, file.size())
}

/** Notes that records were acknowledged; a refusal is no answer, the sender has to send again. */
async function acknowledged(sent: readonly SentRecord[], append: Promise<void>): Promise<void> {
  try {
    await append
  } catch {
    return
  }
  for (const record of sent) record.isAcknowledged = true
}
