/**
 * Tells receivers what they are to be told, until each has it: one thing after the other, what is of
 * one rule in its order, what fails again and again, less and less often. A receiver that hangs keeps
 * only itself.
 */

import type { Config } from '../../config/config.ts'
import type { Health } from '../../health.ts'
import { limits } from '../../limits.ts'
import type { AlertMetrics } from '../../observe/alert-metrics.ts'
import { messageWithCauses } from '../../problems.ts'
import { dayMs } from '../../time-units.ts'
import type { Ledger } from '../ledger.ts'
import type { Receiver } from '../receivers/receiver.ts'
import { firingNotice } from '../telling.ts'
import { Addresses } from './addresses.ts'
import { DeliveryFailed } from './delivery-failed.ts'
import { type Notice, subjectOf } from './notice.ts'
import { send } from './send.ts'
import type { SendContext } from './send-context.ts'

export interface DeliveriesOptions {
  readonly ledger: Ledger
  readonly config: Pick<Config, 'alertPrivateNetworks'>
  readonly now: () => number
  readonly logger: { warn(fields: object, text: string): void }
  readonly metrics: Pick<AlertMetrics, 'noteDelivery'>
  readonly health: Pick<Health, 'watch'>
  readonly patience?: Partial<Patience>
}

/** All in ms. */
interface Patience {
  /** How long a receiver may take to answer. */
  readonly answerMs: number
  /** After this a first attempt is made again; each time twice that, up to the second. */
  readonly againMs: number
  readonly againMsMax: number
  /** After this nobody wants to know any more. */
  readonly giveUpMs: number
  /** How often Alertmanagers are told again that an alert fires. */
  readonly resendMs: number
}

const patience: Patience = {
  answerMs: 10_000,
  againMs: 1_000,
  againMsMax: 5 * 60_000,
  giveUpMs: dayMs,
  resendMs: 60_000,
}

/** What failed so far. Only of this process: another one tries at once. */
interface Failures {
  readonly count: number
  readonly nextAt: number
  readonly error: string
}

/** From then on, ms, the service says that alerts are not delivered. */
const lateMs = 5 * 60_000

export class Deliveries {
  readonly #options: DeliveriesOptions
  readonly #context: Omit<SendContext, 'publicUrl'>
  readonly #patience: Patience
  readonly #failures = new Map<string, Failures>()
  /** By receiver: what is under way. */
  readonly #busy = new Map<string, Promise<void>>()
  readonly #ending = new AbortController()
  #publicUrl: string | undefined
  #timer: NodeJS.Timeout | undefined
  #resending: NodeJS.Timeout | undefined

  constructor(options: DeliveriesOptions) {
    this.#options = options
    const addresses = new Addresses(options.config.alertPrivateNetworks)
    const { signal } = this.#ending
    this.#patience = { ...patience, ...options.patience }
    const { answerMs: timeoutMs, resendMs } = this.#patience
    this.#context = { addresses, timeoutMs, resendMs, signal, now: options.now }
    options.health.watch('alerts_undelivered', () => this.#lateText())
  }

  /** `publicUrl`: where people reach the page; of it links are made. */
  start(publicUrl: string): void {
    this.#publicUrl = publicUrl
    this.#resending = setInterval(() => this.#resend(), this.#patience.resendMs)
    this.#resending.unref()
    this.look()
  }

  /** Begins nothing more, and gives up what is under way: it is tried again after the next start. */
  async close(): Promise<void> {
    clearTimeout(this.#timer)
    clearInterval(this.#resending)
    this.#ending.abort(new Error('the service is stopping'))
    await Promise.all(this.#busy.values())
  }

  /** Sends what there is. To be called when there is something new. */
  look(): void {
    clearTimeout(this.#timer)
    if (this.#publicUrl === undefined || this.#ending.signal.aborted) return
    const { ledger, now } = this.#options
    let nextAt = Number.POSITIVE_INFINITY
    for (const receiver of ledger.receivers.list()) {
      if (this.#busy.size >= limits.alertDeliveriesMax) return // Its end looks again.
      if (this.#busy.has(receiver.id)) continue
      const next = this.#nextFor(receiver.id)
      if (typeof next === 'number') nextAt = Math.min(nextAt, next)
      else this.#occupy(receiver, () => this.#deliver(receiver, next))
    }
    if (nextAt === Number.POSITIVE_INFINITY) return
    this.#timer = setTimeout(
      () => this.look(),
      Math.min(Math.max(nextAt - now(), 0), this.#patience.againMsMax),
    )
    this.#timer.unref()
  }

  /** Sends one notice once, whatever waits. Throws what the attempt throws. */
  async sendOnce(receiver: Receiver, notice: Notice): Promise<void> {
    await send(receiver, notice, { ...this.#context, publicUrl: this.#publicUrl ?? '' })
  }

  /** How many notices wait for receivers, for each receiver one. */
  waitingCount(): number {
    let count = 0
    for (const { waiting } of this.#options.ledger.notices.list()) count += waiting.length
    return count
  }

  /** The next notice for a receiver, or when there is one, Unix ms. */
  #nextFor(receiverId: string): Notice | number {
    const now = this.#options.now()
    const blocked = new Set<string>()
    let nextAt = Number.POSITIVE_INFINITY
    for (const notice of this.#options.ledger.notices.list()) {
      const subject = subjectOf(notice)
      if (!notice.waiting.includes(receiverId) || blocked.has(subject)) continue
      const failures = this.#failures.get(keyOf(notice, receiverId))
      if (failures === undefined || failures.nextAt <= now) return notice
      blocked.add(subject)
      nextAt = Math.min(nextAt, failures.nextAt)
    }
    return nextAt
  }

  #occupy({ id }: Receiver, work: () => Promise<void>): void {
    const done = work().finally(() => {
      this.#busy.delete(id)
      this.look()
    })
    this.#busy.set(id, done)
  }

  async #deliver(receiver: Receiver, notice: Notice): Promise<void> {
    const { ledger, metrics, logger, now } = this.#options
    const key = keyOf(notice, receiver.id)
    const attempts = (this.#failures.get(key)?.count ?? 0) + 1
    try {
      await this.sendOnce(receiver, notice)
      await ledger.delivered(notice.id, receiver, { attempts })
      this.#failures.delete(key)
      metrics.noteDelivery(receiver.kind, 'delivered')
    } catch (error) {
      if (this.#ending.signal.aborted) return
      const failure = messageWithCauses(error as Error)
      const isFinal = error instanceof DeliveryFailed && error.isFinal
      metrics.noteDelivery(receiver.kind, 'failed')
      this.#noteFailure(key, attempts, failure)
      if (!isFinal && now() - notice.createdAt < this.#patience.giveUpMs) return
      const about = { receiver: receiver.id, err: error }
      logger.warn(about, `${receiver.name} was not told of an alert, and will not be`)
      metrics.noteDelivery(receiver.kind, 'given_up')
      await ledger.delivered(notice.id, receiver, { attempts, failure }).then(
        () => this.#failures.delete(key),
        () => {}, // The catalog fails: then it is tried again.
      )
    }
  }

  #noteFailure(key: string, count: number, error: string): void {
    const { againMs, againMsMax } = this.#patience
    const waitMs = Math.min(againMs * 2 ** (count - 1), againMsMax)
    // Not all at the same moment, when all failed at the same one.
    const nextAt = this.#options.now() + waitMs * (1 + Math.random() / 4)
    this.#failures.set(key, { count, nextAt, error })
  }

  /** Says to Alertmanagers what still fires. */
  #resend(): void {
    for (const receiver of this.#options.ledger.receivers.list()) {
      if (receiver.kind !== 'alertmanager' || this.#busy.has(receiver.id)) continue
      this.#occupy(receiver, () => this.#resendTo(receiver))
    }
  }

  async #resendTo(receiver: Receiver): Promise<void> {
    const { ledger, metrics, now } = this.#options
    for (const rule of ledger.rules.list()) {
      if (this.#ending.signal.aborted) return
      const content = firingNotice(rule, ledger.states.get(rule.id).alerts)
      if (content === undefined || !rule.receivers.includes(receiver.id)) continue
      const notice: Notice = { id: '', key: '', createdAt: now(), content, waiting: [] }
      // What waits says it, and perhaps something later than this.
      const isWaiting = [...ledger.notices.list()].some(
        one => one.waiting.includes(receiver.id) && subjectOf(one) === subjectOf(notice),
      )
      if (isWaiting) continue
      try {
        await this.sendOnce(receiver, notice)
      } catch {
        if (!this.#ending.signal.aborted) metrics.noteDelivery(receiver.kind, 'failed')
        return // In a minute again.
      }
    }
  }

  #lateText(): string | undefined {
    const { ledger, now } = this.#options
    const late = new Map<string, string>()
    for (const notice of ledger.notices.list()) {
      if (now() - notice.createdAt < lateMs) break // They are in order of time.
      for (const id of notice.waiting) {
        const failures = this.#failures.get(keyOf(notice, id))
        const receiver = ledger.receivers.find(id)
        if (failures !== undefined && receiver !== undefined)
          late.set(receiver.name, failures.error)
      }
    }
    const [first] = late
    if (first === undefined) return undefined
    return `${late.size} receivers of alerts cannot be told, such as ${first[0]}: ${first[1]}`
  }
}

function keyOf(notice: Notice, receiverId: string): string {
  return `${notice.id} ${receiverId}`
}
