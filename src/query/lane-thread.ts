/**
 * A scan thread: it runs one task after the other, in the order in which they came, and may be ended and
 * restarted.
 *
 * The order is kept here, because Piscina keeps none among tasks that can be cancelled: the one that has
 * waited longest goes behind all others again and again.
 */
import { EventEmitter } from 'node:events'
import { Piscina } from 'piscina'
import { machineMemoryBytes, scanThreadLimits } from '../memory-policy.js'
import { threadOptions } from '../threads/options.ts'
import type { TurnBounds } from '../threads/turn.ts'

/**
 * Ends tasks, and with each that is under way its thread. No AbortController, of which Piscina would take the
 * signal, too: one for each question and the listeners at it take 40 µs, a tenth of the way to a thread and
 * back.
 */
export class Kill extends EventEmitter {
  /** Asked by Piscina, too. */
  aborted = false

  constructor() {
    super()
    this.setMaxListeners(0) // One for each task.
  }

  /** All tasks that were begun with it, and will be. */
  now(): void {
    this.aborted = true
    this.emit('abort')
  }
}

/** In the place of what a task would have given back. */
class TaskKilled extends Error {
  override readonly name = 'TaskKilled'

  constructor() {
    super('the task was ended before its turn')
  }
}

/** How long a thread waits for a task before it rests, ms. */
const restMs = 10_000

export class LaneThread {
  readonly #pool: Piscina
  readonly #bounds: Pick<TurnBounds, 'turnMs' | 'longMs'>
  /** In shared memory, so that the task under way knows of those that wait: `taskCount` of the thread's
   *  `workerData`. */
  readonly #taskCount = new Int32Array(new SharedArrayBuffer(4))
  /** Begin the tasks that wait. */
  readonly #waiting: (() => void)[] = []
  #isBusy = false
  readonly #rest: NodeJS.Timeout
  /** Has rested since its last task. */
  #isRested = false

  /** `afterMs`: time without a task after which the thread frees memory, ms. */
  constructor(
    options: ConstructorParameters<typeof Piscina>[0],
    bounds: Pick<TurnBounds, 'turnMs' | 'longMs'>,
    afterMs = restMs,
  ) {
    const workerData = { ...options?.workerData, taskCount: this.#taskCount }
    this.#pool = new Piscina({
      ...options,
      workerData,
      maxThreads: 1,
      ...threadOptions,
      resourceLimits: scanThreadLimits(machineMemoryBytes),
    })
    this.#bounds = bounds
    this.#rest = setTimeout(() => this.#giveBackMemory(), afterMs).unref()
  }

  /** Tasks that wait for the thread. */
  get queueSize(): number {
    return this.#waiting.length
  }

  /** The turn of a task in this thread, without what the thread knows itself. */
  turn(cancelled: Int32Array): Omit<TurnBounds, 'taskCount'> {
    return { ...this.#bounds, cancelled }
  }

  /** Runs the function of the thread's program with that name. When it is killed, the thread is ended with
   *  the task; a task that waits only leaves. */
  async run<T>(name: string, task: unknown, kill: Kill): Promise<T> {
    if (kill.aborted) throw new TaskKilled()
    Atomics.add(this.#taskCount, 0, 1)
    try {
      if (this.#isBusy) await this.#turnOf(kill)
      this.#isBusy = true
      try {
        return await this.#pool.run(task, { name, signal: kill })
      } finally {
        this.#beginNext()
        if (!this.#isBusy) this.#restLater()
      }
    } finally {
      Atomics.sub(this.#taskCount, 0, 1)
    }
  }

  /** Has the thread do something that nobody waits for, when its tasks so far are done: no task itself,
   *  which others would make room for, or which keeps it from its rest. Without a thread there is
   *  nothing to do. */
  tell(name: string, what: unknown): void {
    if (this.#pool.threads.length === 0) return
    const done = this.#isBusy
      ? this.#turnOf(new Kill()).then(() => this.#runAside(name, what))
      : this.#runAside(name, what)
    done.then(() => {
      if (!this.#isBusy && this.#isRested) this.#restLater()
    })
  }

  async close(): Promise<void> {
    clearTimeout(this.#rest)
    await this.#pool.destroy()
  }

  /** Resolves when all tasks that came before have ended. */
  #turnOf(kill: Kill): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = () => {
        kill.off('abort', leave)
        resolve()
      }
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(begin), 1)
        reject(new TaskKilled())
      }
      kill.once('abort', leave)
      this.#waiting.push(begin)
    })
  }

  #restLater(): void {
    this.#isRested = false
    this.#rest.refresh()
  }

  #beginNext(): void {
    const begin = this.#waiting.shift()
    this.#isBusy = begin !== undefined // Nobody comes in between.
    begin?.()
  }

  /** A thread that waits for tasks does nothing else, so its garbage would stay as long as it rests. */
  #giveBackMemory(): void {
    this.#isRested = true
    if (this.#isBusy || this.#pool.threads.length === 0) return
    this.#runAside('rest', undefined)
  }

  /**
   * Runs something other than a task. Never rejects: when the thread is ended meanwhile, nothing is
   * lost.
   */
  async #runAside(name: string, what: unknown): Promise<void> {
    this.#isBusy = true
    await this.#pool.run(what, { name }).catch(() => undefined)
    this.#beginNext()
  }
}
