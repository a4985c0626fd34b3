/**
 * Runs what is due, a few at once, the longest overdue first. One timer for all: a thousand rules cost
 * nothing while none is due.
 */

export interface SchedulerOptions {
  readonly now: () => number
  readonly runningMax: number
  /** Must not reject. Resolves with when it is due again, Unix ms; undefined: never. */
  readonly run: (id: string) => Promise<number | undefined>
}

/** The longest that one timer waits, ms: clocks are set while it does. */
const sleepMsMax = 60_000

export class Scheduler {
  readonly #options: SchedulerOptions
  readonly #dueAt = new Map<string, number>()
  readonly #running = new Map<string, Promise<void>>()
  #timer: NodeJS.Timeout | undefined
  #isStopped = false

  constructor(options: SchedulerOptions) {
    this.#options = options
  }

  /** `dueAt`: Unix ms; undefined: it is not to be run any more. One that runs now is run again. */
  set(id: string, dueAt: number | undefined): void {
    if (dueAt === undefined) this.#dueAt.delete(id)
    else this.#dueAt.set(id, dueAt)
    this.#look()
  }

  /** Begins nothing more, and waits for what is under way. */
  async stop(): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#timer)
    await Promise.all(this.#running.values())
  }

  #look(): void {
    clearTimeout(this.#timer)
    if (this.#isStopped) return
    const { now, runningMax } = this.#options
    const waiting = [...this.#dueAt].filter(([id]) => !this.#running.has(id))
    waiting.sort(([, one], [, other]) => one - other)
    for (const [id, dueAt] of waiting) {
      if (this.#running.size >= runningMax) return // Its end looks again.
      const leftMs = dueAt - now()
      if (leftMs > 0) {
        this.#timer = setTimeout(() => this.#look(), Math.min(leftMs, sleepMsMax))
        this.#timer.unref()
        return
      }
      this.#begin(id)
    }
  }

  #begin(id: string): void {
    this.#dueAt.delete(id)
    const run = this.#options.run(id).then(dueAt => {
      this.#running.delete(id)
      // Whoever has set another time meanwhile knows better.
      if (dueAt !== undefined && !this.#dueAt.has(id)) this.#dueAt.set(id, dueAt)
      this.#look()
    })
    this.#running.set(id, run)
  }
}
