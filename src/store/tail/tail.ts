/**
 * Live tails: what the journal makes durable, tried on the queries of all tailing clients at once, and
 * handed to those whose query matches.
 *
 *     journal ── committed ──▶ pending ranges ── every 25 ms ──▶ thread ──▶ a queue per client ──▶ http/
 *
 * A client's backlog holds what arrived before it came, the pump brings what arrives afterwards; both
 * part at one sequence, so nothing is given twice or left out. While nobody tails, a commit costs one
 * comparison.
 */
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { CommittedFrame } from '../../journal/journal.ts'
import type { Selector } from '../../language/ast.ts'
import { limits } from '../../limits.ts'
import { ProblemError } from '../../problems.ts'
import type { Sequence } from '../../record.ts'
import type { Tail, TailRequest } from '../store.ts'
import type { QueriesUnderWay } from '../view/queries-under-way.ts'
import { backlogOf, type FindArrived } from './backlog.ts'
import { TailClient } from './client.ts'
import { type PendingRange, PendingRanges } from './pending.ts'
import type { TailRange, TailResult } from './task.ts'
import type { TailForm } from './text.ts'
import type { TailThread } from './thread.ts'

/** Between the beginnings of two tasks, ms: what comes meanwhile is tried together. */
const intervalMs = 25
/** Of one task: what it has found is sent before the next. */
const turnMs = 25
const rangesPerTask = 16

const retrySeconds = 5

export interface TailsOptions {
  readonly thread: Pick<TailThread, 'run' | 'start' | 'close'>
  readonly pathOf: (file: number) => string
  readonly queries: QueriesUnderWay
  readonly logger: Logger
  /** Of the first record to come. */
  readonly nextSequence: Sequence
  /** The first of those that are this service's; absent: all are. */
  readonly firstSequence?: Sequence
}

/** A query, whatever number of clients tail it. */
interface TailedQuery {
  readonly number: number
  readonly selector: Selector
  readonly form: TailForm
  readonly clients: Set<TailClient>
}

export class Tails {
  readonly #options: TailsOptions
  readonly #pending: PendingRanges
  readonly #clients = new Set<TailClient>()
  /** By the text of form and selector. */
  readonly #tailed = new Map<string, TailedQuery>()
  #nextSequence: Sequence
  #nextNumber = 0
  #running: Promise<void> | undefined
  #isClosed = false
  #droppedCount = 0

  constructor(options: TailsOptions) {
    this.#options = options
    this.#nextSequence = options.nextSequence
    this.#pending = new PendingRanges(options.queries)
  }

  get clientCount(): number {
    return this.#clients.size
  }

  /** Records that clients were not given. */
  get droppedCount(): number {
    return this.#droppedCount
  }

  /** Frames have become durable, and visible to queries. */
  committed(frames: readonly CommittedFrame[]): void {
    const last = frames.at(-1)
    if (last === undefined) return
    this.#nextSequence = last.header.firstSequence + last.header.recordCount
    if (this.#clients.size === 0) return
    this.#pending.add(frames)
    this.#running ??= this.#run()
  }

  /** See `Store`. `find` looks through what is there already. */
  async open(request: TailRequest, find: FindArrived): Promise<Tail> {
    const backlogBefore = backlogOf(request, find, this.#options.firstSequence)
    const client = this.#admit(request)
    try {
      client.begin(await backlogBefore(client.from))
      return client
    } catch (error) {
      client.close()
      throw error
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#endAll('the service is stopping')
    await this.#options.thread.close()
    await this.#running
  }

  #admit({ selector, form = 'events' }: TailRequest): TailClient {
    if (this.#clients.size >= limits.tailsMax) {
      const detail = `${this.#clients.size} clients are tailing, as many as may at once`
      throw new ProblemError('tails_too_many', detail, { retryAfterSeconds: retrySeconds })
    }
    const key = JSON.stringify([form, selector])
    const tailed = this.#tailed.get(key) ?? {
      number: this.#nextNumber++,
      selector,
      form,
      clients: new Set(),
    }
    const client = new TailClient({
      from: this.#nextSequence,
      noteDropped: count => {
        this.#droppedCount += count
      },
      onClose: () => {
        this.#clients.delete(client)
        tailed.clients.delete(client)
        if (tailed.clients.size === 0) this.#tailed.delete(key)
        if (this.#clients.size === 0) this.#pending.clear()
      },
    })
    if (this.#clients.size === 0) this.#options.thread.start()
    this.#pending.cut()
    this.#tailed.set(key, tailed)
    tailed.clients.add(client)
    this.#clients.add(client)
    return client
  }

  /** Runs until nothing is pending. */
  async #run(): Promise<void> {
    try {
      await nextTurn() // Who waits for the acknowledgement comes first.
      while (!this.#pending.isEmpty) {
        const startedAt = performance.now()
        const isAllDone = await this.#pump()
        if (isAllDone) await pause(Math.max(0, startedAt + intervalMs - performance.now()))
      }
    } catch (error) {
      if (!this.#isClosed) this.#options.logger.error({ err: error }, 'tails were ended')
      this.#endAll('the service made a mistake; connect again')
    } finally {
      this.#running = undefined
    }
  }

  /** Tries the first of what is pending. Returns whether that was all there was. */
  async #pump(): Promise<boolean> {
    const { thread, logger } = this.#options
    if (this.#pending.bytes > limits.tailBehindBytesMax) {
      this.#endAll('records come faster than they can be tailed; connect again')
      return true
    }
    const queries = [...this.#tailed.values()].map(({ clients: _, ...query }) => query)
    const taken = this.#pending.take(rangesPerTask)
    let doneCount = 0
    try {
      const result = await thread.run({ queries, ranges: this.#rangesOf(taken), turnMs })
      if ('stuckQuery' in result) {
        this.#endStuck(result.stuckQuery)
        return false
      }
      if (result.damagedFrames > 0) {
        logger.error({ damagedFrames: result.damagedFrames }, 'a tail met damaged frames')
      }
      this.#deliver(result.ranges, taken)
      doneCount = result.ranges.length
    } finally {
      for (const { leave } of taken.slice(0, doneCount)) leave()
      this.#pending.putBack(taken.slice(doneCount))
      if (this.#clients.size === 0) this.#pending.clear()
    }
    return this.#pending.isEmpty
  }

  #rangesOf(taken: readonly PendingRange[]): TailRange[] {
    let bytesBehind = taken.reduce((sum, { bytes }) => sum + bytes, this.#pending.bytes)
    return taken.map(({ file, offset, bytes }) => {
      bytesBehind -= bytes
      const isCountedOnly = bytesBehind > limits.tailBehindBytes
      return { path: this.#options.pathOf(file), file, offset, bytes, isCountedOnly }
    })
  }

  /** Returns what was found in the first of the ranges that were taken to those who want it. */
  #deliver(found: TailResult['ranges'], taken: readonly PendingRange[]): void {
    const byNumber = new Map([...this.#tailed.values()].map(tailed => [tailed.number, tailed]))
    for (const [i, matches] of found.entries()) {
      const { firstSequence, endSequence } = taken[i]!
      for (const { query, ...text } of matches) {
        for (const client of byNumber.get(query)?.clients ?? []) {
          if (client.from <= firstSequence) client.push(text)
        }
      }
      for (const client of this.#clients) {
        if (client.from <= firstSequence) client.advance(endSequence)
      }
    }
  }

  #endStuck(number: number): void {
    const reason = 'a regular expression of the query takes too long'
    for (const { number: other, clients } of this.#tailed.values()) {
      if (other === number) for (const client of clients) client.end(reason)
    }
  }

  #endAll(reason: string): void {
    for (const client of this.#clients) client.end(reason)
  }
}
