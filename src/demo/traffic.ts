/**
 * The shop's traffic, in order of time, for as long as somebody asks for more. The same seed and the
 * same start give the same events, however they are asked for.
 */
import { type Chance, makeChance } from './chance.ts'
import { choresBetween } from './chores.ts'
import type { DemoEvent } from './event.ts'
import { checkout, journeys } from './journeys.ts'
import { busyness } from './rhythm.ts'
import { shopEnvironment, stagingEnvironment } from './shop.ts'
import { Trace } from './trace.ts'

/** Requests on average over a day; each leaves about three events. */
const requestsPerSecond = 5
/** Between two tests in staging. */
const stagingIntervalMs = 30_000

export interface TrafficOptions {
  readonly seed: number
  /** Of the first event, Unix ms. */
  readonly startTime: number
}

export class Traffic {
  readonly #chance: Chance
  /** All events before this time were given. */
  #time: number
  #nextRequest: number
  #nextTest: number
  /** Events of requests that have begun, later than `#time`. */
  #pending: DemoEvent[] = []

  constructor({ seed, startTime }: TrafficOptions) {
    this.#chance = makeChance(seed)
    this.#time = startTime
    this.#nextRequest = startTime
    this.#nextTest = startTime + stagingIntervalMs
  }

  /** The events before `time` that were not given yet. */
  until(time: number): DemoEvent[] {
    if (time <= this.#time) return []
    const events = [...this.#pending, ...choresBetween(this.#time, time)]
    for (; this.#nextRequest < time; this.#nextRequest += this.#gapMs()) {
      events.push(...this.#request())
    }
    for (; this.#nextTest < time; this.#nextTest += stagingIntervalMs) {
      const trace = new Trace(makeChance(this.#nextTest), this.#nextTest, stagingEnvironment)
      checkout(trace)
      events.push(...trace.events.filter(({ service }) => service !== 'mailer'))
    }
    this.#time = time
    this.#pending = events.filter(event => event.time >= time)
    return events.filter(event => event.time < time).sort((a, b) => a.time - b.time)
  }

  #gapMs(): number {
    return this.#chance.gapMs(requestsPerSecond * busyness(this.#nextRequest))
  }

  #request(): readonly DemoEvent[] {
    const trace = new Trace(this.#chance, this.#nextRequest, shopEnvironment)
    let left = this.#chance.unit() * sharesInAll
    for (const { share, journey } of journeys) {
      left -= share
      if (left < 0) {
        journey(trace)
        break
      }
    }
    return trace.events
  }
}

const sharesInAll = journeys.reduce((sum, { share }) => sum + share, 0)
