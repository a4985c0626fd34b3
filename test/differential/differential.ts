/**
 * The service beside a plain reading of the contract: random events go in over HTTP, random questions are
 * asked in every state of storage, and every answer is compared with the one worked out plainly. A tail
 * follows meanwhile, across sealing and merging.
 */
import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import fc from 'fast-check'
import { metric, metricBecomes } from '../faults/events-oracle.ts'
import { openTail } from '../service/open-tail.ts'
import { type ServiceProcess, startService } from '../service/service-process.ts'
import { sampleOf } from '../store/random-store.ts'
import { compare, same, storedRecords } from './asking.ts'
import { arbitraryEvent, type RandomEvent } from './events.ts'
import { arbitraryQuestion, type StoredRecord } from './questions.ts'
import { makeSenders, type SentRecord, sendAll } from './senders.ts'

export interface DifferentialOptions {
  readonly seed: number
  /** Events in all; a third is sent for each state of storage. */
  readonly events: number
  /** Questions in each state. */
  readonly questions: number
}

export interface DifferentialReport {
  /** Answers compared, and records that matched in them. */
  readonly questions: number
  readonly matched: number
  readonly tailed: number
}

/**
 * Runs the service on an empty directory. Throws where an answer differs, with what was asked; the same
 * seed makes the same events and questions again.
 */
export async function runDifferential(
  dataDir: string,
  { seed, events, questions }: DifferentialOptions,
): Promise<DifferentialReport> {
  const all = sampleOf(arbitraryEvent, events, seed)
  const third = Math.ceil(events / 3)
  const parts = [0, 1, 2].map(i => all.slice(i * third, (i + 1) * third))
  const run = new Run(dataDir, seed, questions)
  try {
    await run.inJournal(parts[0]!)
    await run.sealed(parts[1]!)
    const tailed = await run.merged(parts[2]!)
    return { questions: run.asked, matched: run.matched, tailed }
  } finally {
    await run.end()
  }
}

/** Events sent beside, until segments are merged. */
const moreEvents = 50
const moreRoundsMax = 20
/** A merge of a few records takes no longer. */
const mergePauseMs = 300

class Run {
  asked = 0
  matched = 0
  readonly #dataDir: string
  readonly #seed: number
  readonly #questions: number
  #service: ServiceProcess | undefined
  #senders: Awaited<ReturnType<typeof makeSenders>> = []
  readonly #sent: SentRecord[] = []

  constructor(dataDir: string, seed: number, questions: number) {
    this.#dataDir = dataDir
    this.#seed = seed
    this.#questions = questions
  }

  /** All that is stored is in the journal. */
  async inJournal(events: readonly RandomEvent[]): Promise<void> {
    const service = await this.#start([])
    this.#senders = await makeSenders(service)
    await this.#send(events)
    assert.equal(await metric(service, 'segment_records'), 0)
    await this.#compareAnswers()
  }

  /** What an earlier process took is in segments, what came since in the journal. */
  async sealed(events: readonly RandomEvent[]): Promise<void> {
    const earlier = this.#sent.length
    const service = await this.#start([])
    await metricBecomes(service, 'segment_records', count => count === earlier)
    await this.#send(events)
    assert.equal(await metric(service, 'journal_records'), this.#sent.length - earlier)
    await this.#compareAnswers()
  }

  /** Many small files were sealed, and merged, while a client tailed. Returns how much it was given. */
  async merged(events: readonly RandomEvent[]): Promise<number> {
    const service = await this.#start(['--journal-file-bytes', '4KiB'])
    const tail = await openTail(service, { parameters: { last: '0' } })
    const from = this.#sent.length
    await this.#send(events)
    await metricBecomes(service, 'journal_unsealed_files', count => count === 0)
    // Segments are merged when several of a day are of one size, which is chance: the more, the likelier.
    for (let round = 1; (await metric(service, 'compactions_total')) === 0; round++) {
      assert.ok(round <= moreRoundsMax, 'nothing was merged')
      await this.#send(sampleOf(arbitraryEvent, moreEvents, this.#seed + round))
      await metricBecomes(service, 'journal_unsealed_files', count => count === 0)
      await pause(mergePauseMs)
    }
    const records = await this.#compareAnswers()
    const tailed = await tail.records(this.#sent.length - from)
    tail.stop()
    same(tailed, records.slice(from))
    return tailed.length
  }

  async end(): Promise<void> {
    await this.#service?.end('SIGKILL')
  }

  async #start(flags: readonly string[]): Promise<ServiceProcess> {
    assert.equal((await this.#service?.end()) ?? 0, 0, 'the service ended in order')
    this.#service = await startService(this.#dataDir, { flags })
    return this.#service
  }

  async #send(events: readonly RandomEvent[]): Promise<void> {
    this.#sent.push(...(await sendAll(this.#service!, this.#senders, events, this.#seed)))
  }

  async #compareAnswers(): Promise<StoredRecord[]> {
    const service = this.#service!
    const records = await storedRecords(service, this.#sent)
    const property = fc.asyncProperty(arbitraryQuestion(records), async question => {
      this.matched += await compare(service, records, question)
      this.asked++
    })
    // Tried smaller, a failing question is easier to read; each try is a round of requests.
    await fc.assert(property, { numRuns: this.#questions, seed: this.#seed, endOnFailure: false })
    return records
  }
}
