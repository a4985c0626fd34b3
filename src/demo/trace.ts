/**
 * One request on its way through the shop: a clock that advances with each step, one trace id in all
 * events, and for each service the condition that it is in at that moment.
 */
import type { Chance } from './chance.ts'
import { conditionOf, type Fault } from './deploys.ts'
import type { DemoEvent, Level } from './event.ts'
import { type EnvironmentName, hosts, plans, type ServiceName, shopEnvironment } from './shop.ts'

/** How a step of a service went. */
export interface Step {
  readonly durationMs: number
  /** Undefined when it went well. */
  readonly error: { readonly type: string; readonly message: string } | undefined
}

/** Steps that fail on an ordinary day. */
const failureShare = 0.004
/** Steps of a bad version that fail. */
const faultyShare = 0.45

export class Trace {
  readonly events: DemoEvent[] = []
  readonly chance: Chance
  readonly customer: { readonly id: number; readonly plan: string }
  readonly #environment: EnvironmentName
  readonly #traceId: string
  /** Decides which process of each service it meets. */
  readonly #place: number
  #time: number

  /** `time`: when the request comes in, Unix ms. */
  constructor(chance: Chance, time: number, environment: EnvironmentName) {
    this.chance = chance
    this.#time = time
    this.#environment = environment
    this.#traceId = chance.hex(32)
    this.#place = chance.between(0, 59)
    // A few customers come often, most of them seldom.
    this.customer = { id: 10_000 + chance.skewed(1_500), plan: chance.pick(plans) }
  }

  get time(): number {
    return this.#time
  }

  /** A service works for about `middleMs`; its bad version longer, and often in vain. */
  step(service: ServiceName, middleMs: number): Step {
    const { chance } = this
    const { fault, severity } = this.#condition(service)
    const isFaulty = fault !== undefined && chance.happens(severity)
    const slowdown = isFaulty ? (fault === 'null-price' ? 1.3 : 6) : 1
    const durationMs = chance.skewed(middleMs * slowdown)
    this.#time += durationMs
    if (!chance.happens(isFaulty ? faultyShare : failureShare)) {
      return { durationMs, error: undefined }
    }
    return { durationMs, error: errorOf(isFaulty ? fault : undefined, durationMs) }
  }

  say(
    service: ServiceName,
    level: Level,
    message: string,
    attributes: Readonly<Record<string, unknown>> = {},
  ): void {
    this.events.push({
      service,
      environment: this.#environment,
      time: Math.floor(this.#time),
      level,
      message,
      attributes: {
        trace_id: this.#traceId,
        host: hosts[service][this.#place % hosts[service].length],
        version: this.#condition(service).version,
        ...attributes,
        customer: this.customer,
      },
    })
  }

  /** Only the shop itself has incidents; staging is where they should have been found. */
  #condition(service: ServiceName) {
    const condition = conditionOf(service, this.#time)
    return this.#environment === shopEnvironment ? condition : { ...condition, fault: undefined }
  }
}

function errorOf(fault: Fault | undefined, durationMs: number) {
  switch (fault) {
    case 'pool-exhausted':
      return {
        type: 'PoolTimeoutError',
        message: `no connection became free within ${Math.max(durationMs, 500)} ms (40 of 40 in use)`,
      }
    case 'null-price':
      return {
        type: 'TypeError',
        message: "Cannot read properties of undefined (reading 'amount')",
      }
    case 'slow-calls':
      return { type: 'DeadlineExceeded', message: `deadline exceeded after ${durationMs} ms` }
    default:
      return { type: 'ConnectionReset', message: 'socket hang up' }
  }
}
