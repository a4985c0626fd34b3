/** Evaluates rules when they are due, a few at once, each through the door by which all queries go. */
import type { Config } from '../config/config.ts'
import { limits } from '../limits.ts'
import type { AlertMetrics } from '../observe/alert-metrics.ts'
import { ProblemError } from '../problems.ts'
import { TimeSlice } from '../query/evaluate/time-slice.ts'
import type { Timestamp } from '../record.ts'
import type { Store } from '../store/store.ts'
import { checkAlerts } from './bounds.ts'
import { type Alert, type Change, step } from './evaluate.ts'
import type { Ledger } from './ledger.ts'
import type { StoredRule } from './rule.ts'
import { momentAt, samplesAt, seriesOf } from './samples.ts'
import { dueMoments, endOf, lastMoment } from './schedule.ts'
import { Scheduler } from './scheduler.ts'

export interface EvaluatorOptions {
  readonly ledger: Ledger
  readonly store: Pick<Store, 'series' | 'patterns'>
  readonly now: () => number
  readonly config: Pick<Config, 'queryTimeoutMs'>
  readonly logger: { warn(fields: object, text: string): void }
  readonly metrics: Pick<AlertMetrics, 'noteEvaluation'>
  /** Told after each evaluation that was noted: there may be somebody to tell. */
  readonly onEvaluated: () => void
}

/** How often it is saved up to when rules were evaluated. */
const progressSaveMs = 30_000

export class Evaluator {
  readonly #options: EvaluatorOptions
  readonly #scheduler: Scheduler
  readonly #ending = new AbortController()
  #saving: NodeJS.Timeout | undefined

  constructor(options: EvaluatorOptions) {
    this.#options = options
    const { now } = options
    const runningMax = limits.alertEvaluationsMax
    this.#scheduler = new Scheduler({ now, runningMax, run: id => this.#run(id) })
  }

  /** What was missed since the last time is evaluated, too. */
  start(): void {
    for (const rule of this.#options.ledger.rules.list()) this.look(rule.id)
    this.#saving = setInterval(() => this.#saveProgress(), progressSaveMs)
    this.#saving.unref()
  }

  async close(): Promise<void> {
    clearInterval(this.#saving)
    this.#ending.abort(new Error('the service is stopping'))
    await this.#scheduler.stop()
    await this.#saveProgress()
  }

  /** To be called when a rule was made, changed or deleted. */
  look(id: string): void {
    const rule = this.#options.ledger.rules.find(id)
    this.#scheduler.set(id, rule?.enabled ? this.#nextAt(rule) : undefined)
  }

  #nextAt(rule: StoredRule): Timestamp {
    const now = this.#options.now()
    const { evaluatedFor } = this.#options.ledger.states.get(rule.id)
    const isDue = dueMoments(rule, evaluatedFor, now) !== undefined
    return isDue ? now : lastMoment(rule, now) + rule.everyMs
  }

  async #run(id: string): Promise<Timestamp | undefined> {
    const { ledger, now } = this.#options
    const rule = ledger.rules.find(id)
    if (rule === undefined) return undefined
    try {
      await this.#evaluate(rule)
    } catch (error) {
      if (this.#ending.signal.aborted) return undefined
      this.#noteFailure(rule, error as Error)
      // Not at once: what failed may fail again.
      return lastMoment(rule, now()) + rule.everyMs
    }
    const current = ledger.rules.find(id)
    return current?.enabled ? this.#nextAt(current) : undefined
  }

  /** Throws what the query or the catalog throws: then nothing has changed. */
  async #evaluate(rule: StoredRule): Promise<void> {
    const { ledger, now, store, metrics, onEvaluated } = this.#options
    const { alerts: before, evaluatedFor } = ledger.states.get(rule.id)
    const moments = dueMoments(rule, evaluatedFor, now())
    if (moments === undefined) return
    const startedAt = performance.now()
    const series = await this.#within(signal => seriesOf(store, rule, moments, signal))
    let alerts: readonly Alert[] = before
    const changes: Change[] = []
    const slice = new TimeSlice(this.#ending.signal)
    for (let i = 0; i < moments.count; i++) {
      await slice.yieldWhenOver()
      const next = step(rule, alerts, samplesAt(series, i), momentAt(moments, i))
      checkAlerts(next.alerts)
      alerts = next.alerts
      changes.push(...next.changes)
      if (changes.length > limits.alertChangesMax)
        changes.splice(0, changes.length - limits.alertChangesMax)
    }
    const tookMs = performance.now() - startedAt
    const state = { alerts, evaluatedFor: endOf(moments), evaluatedAt: now(), tookMs }
    await ledger.evaluated(rule, state, changes)
    metrics.noteEvaluation('ok', tookMs / 1000)
    onEvaluated()
  }

  #noteFailure(rule: StoredRule, error: Error): void {
    const { ledger, now, logger, metrics } = this.#options
    metrics.noteEvaluation('failed', 0)
    logger.warn({ rule: rule.id, err: error }, `the rule ${rule.name} could not be evaluated`)
    const { alerts, evaluatedFor } = ledger.states.get(rule.id)
    // What a query is refused for it is refused for again: its moments are not gathered.
    const isLeftOut = error instanceof ProblemError && error.status < 500
    const passed = isLeftOut ? lastMoment(rule, now()) : evaluatedFor
    ledger.failed(rule, {
      alerts,
      ...(passed !== undefined && { evaluatedFor: passed }),
      evaluatedAt: now(),
      error: error.message,
    })
  }

  async #within<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { queryTimeoutMs: timeoutMs } = this.#options.config
    const deadline = new AbortController()
    const timer = setTimeout(() => {
      const detail = `the query was given up after ${timeoutMs} ms`
      deadline.abort(new ProblemError('query_too_large', detail, { field: 'query' }))
    }, timeoutMs)
    try {
      return await work(AbortSignal.any([deadline.signal, this.#ending.signal]))
    } finally {
      clearTimeout(timer)
    }
  }

  async #saveProgress(): Promise<void> {
    try {
      await this.#options.ledger.states.saveProgress()
    } catch (error) {
      this.#options.logger.warn({ err: error }, 'how far rules were evaluated could not be saved')
    }
  }
}
