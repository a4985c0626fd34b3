/**
 * The ways in which people meet a question: first, paced, warm, cold. Each phase asks all questions and
 * notes every time; who is asked stays as the phase leaves it for the next one.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { type Memory, readMemory } from './child.ts'
import { type PreparedQuery, timeNothing, timeQuery } from './measure.ts'
import { dropPageCache, readIntoPageCache } from './page-cache.ts'
import type { BenchService } from './service.ts'

/**
 * First: once after a restart. Paced: after a rest. Warm: again and again. Cold: once after a restart
 * with the page cache dropped.
 */
export const phases = ['first', 'paced', 'warm', 'cold'] as const
export type Phase = (typeof phases)[number]

/** Who is asked. */
export interface Subject {
  readonly pid: number
  readonly dataDir: string
  /** Milliseconds of one answer. Throws when it is wrong. */
  time(query: PreparedQuery): Promise<number>
  /** Milliseconds of an answer to which nothing is looked up: what machine, client and HTTP take by themselves. */
  timeNothing(): Promise<number>
  stop(): Promise<void>
}

/** A service over HTTP; `dataDir`: where its records are, when that is not its own directory. */
export function subjectOf(on: BenchService, dataDir = on.dataDir): Subject {
  return {
    pid: on.pid,
    dataDir,
    time: query => timeQuery(on, query),
    timeNothing: () => timeNothing(on),
    stop: () => on.stop(),
  }
}

export interface PhaseOptions {
  /** Restarts of the phase `first`. */
  readonly rounds: number
  /** Between such a restart and the first question. */
  readonly startRestMs: number
  readonly restMs: number
  readonly pacedRuns: number
  readonly warmRounds: number
}

/** In the warm phase, each question in a row; the last one counts. */
export const asksInARow = 15

export class QueryPhases {
  readonly #options: PhaseOptions
  readonly #queries: readonly PreparedQuery[]
  readonly #restart: () => Promise<Subject>
  readonly #times: Partial<Record<Phase, number[]>>[]
  readonly #timesOfNothing: Partial<Record<Phase, number[]>> = {}
  readonly #memory: Partial<Record<Phase, Memory>> = {}
  readonly #warmAsks: number[][][]
  #subject: Subject
  #isUsed = false
  #isCacheDropped = true

  constructor(
    subject: Subject,
    restart: () => Promise<Subject>,
    queries: readonly PreparedQuery[],
    options: PhaseOptions,
  ) {
    this.#subject = subject
    this.#restart = restart
    this.#queries = queries
    this.#options = options
    this.#times = queries.map(() => ({}))
    this.#warmAsks = queries.map(() => [])
  }

  async run(phase: Phase): Promise<void> {
    await this[phase]()
    this.#memory[phase] = readMemory(this.#subject.pid)
  }

  /** One restart and a rest, then all questions once in order; files lie in the page cache. */
  async first(): Promise<void> {
    for (let round = 0; round < this.#options.rounds; round++) {
      await this.#subject.stop()
      readIntoPageCache(this.#subject.dataDir)
      this.#subject = await this.#restart()
      await pause(this.#options.startRestMs)
      await this.#timeNothing('first')
      for (const index of this.#queries.keys()) await this.#time('first', index)
      this.#isUsed = true
    }
  }

  /** On one that has heard each question before. */
  async paced(): Promise<void> {
    if (!this.#isUsed) for (const query of this.#queries) await this.#subject.time(query)
    for (let run = 0; run < this.#options.pacedRuns; run++) {
      await pause(this.#options.restMs)
      await this.#timeNothing('paced')
      for (const index of this.#queries.keys()) {
        await pause(this.#options.restMs)
        await this.#time('paced', index)
      }
    }
  }

  async warm(): Promise<void> {
    for (let round = 0; round < this.#options.warmRounds; round++) {
      for (let ask = 1; ask < asksInARow; ask++) await this.#subject.timeNothing()
      await this.#timeNothing('warm')
      for (const [index, query] of this.#queries.entries()) {
        const asks: number[] = []
        while (asks.length < asksInARow - 1) asks.push(await this.#subject.time(query))
        asks.push(await this.#time('warm', index))
        this.#warmAsks[index]!.push(asks)
      }
    }
  }

  async cold(): Promise<void> {
    await this.#restartCold()
    await this.#timeNothing('cold')
    for (const index of this.#queries.keys()) {
      await this.#restartCold()
      await this.#time('cold', index)
    }
  }

  stop(): Promise<void> {
    return this.#subject.stop()
  }

  /** The times of a question by its place in the list. */
  timesOf(index: number): Partial<Record<Phase, readonly number[]>> {
    return this.#times[index]!
  }

  get timesOfNothing(): Partial<Record<Phase, readonly number[]>> {
    return this.#timesOfNothing
  }

  warmAsksOf(index: number): readonly (readonly number[])[] {
    return this.#warmAsks[index]!
  }

  get memory(): Partial<Record<Phase, Memory>> {
    return this.#memory
  }

  /** False when the page cache was to be dropped and could not be. */
  get isCacheDropped(): boolean {
    return this.#isCacheDropped
  }

  async #restartCold(): Promise<void> {
    await this.#subject.stop()
    this.#isCacheDropped = dropPageCache() && this.#isCacheDropped
    this.#subject = await this.#restart()
  }

  async #time(phase: Phase, index: number): Promise<number> {
    const elapsedMs = await this.#subject.time(this.#queries[index]!)
    note(this.#times[index]!, phase, elapsedMs)
    return elapsedMs
  }

  async #timeNothing(phase: Phase): Promise<void> {
    note(this.#timesOfNothing, phase, await this.#subject.timeNothing())
  }
}

function note(times: Partial<Record<Phase, number[]>>, phase: Phase, elapsedMs: number): void {
  const own = times[phase] ?? []
  own.push(elapsedMs)
  times[phase] = own
}
