/**
 * The threads that scan. Each query may use all of them; tasks of several queries take turns in the
 * order in which they came.
 *
 * Cancelling has two steps. A flag in shared memory, looked at between frames, ends a scan within
 * milliseconds. A worker that is still busy after a grace is ended and replaced: no single record
 * and no expression may hold a thread for longer.
 */
import { Piscina } from 'piscina'
import type { RebuildFrame, RebuiltRecord, ScanResult, ScanTask } from './scan.ts'

const graceMs = 250

/** The tasks of one query, all cancelled together. */
export interface ScanJob {
  readonly cancelled: Int32Array
  scan(task: ScanTask): Promise<ScanResult>
  rebuild(frames: readonly RebuildFrame[]): Promise<(RebuiltRecord | undefined)[]>
}

export class ScanPool {
  readonly threads: number
  readonly #piscina: Piscina

  constructor(threads: number) {
    this.threads = threads
    this.#piscina = new Piscina({
      filename: new URL('./scan-worker.ts', import.meta.url).href,
      minThreads: threads,
      maxThreads: threads,
    })
  }

  /** Tasks that wait for a thread. */
  get queueSize(): number {
    return this.#piscina.queueSize
  }

  /**
   * Runs the tasks that `work` starts. When `signal` is aborted they are cancelled, and its reason
   * is thrown.
   */
  async run<T>(signal: AbortSignal, work: (job: ScanJob) => Promise<T>): Promise<T> {
    signal.throwIfAborted()
    const cancelled = new Int32Array(new SharedArrayBuffer(4))
    const kill = new AbortController()
    let grace: NodeJS.Timeout | undefined
    const cancel = () => {
      Atomics.store(cancelled, 0, 1)
      grace = setTimeout(() => kill.abort(), graceMs)
    }
    signal.addEventListener('abort', cancel, { once: true })
    try {
      return await work({
        cancelled,
        scan: task => this.#piscina.run(task, { name: 'scan', signal: kill.signal }),
        rebuild: frames => this.#piscina.run(frames, { name: 'rebuild', signal: kill.signal }),
      })
    } finally {
      clearTimeout(grace)
      signal.removeEventListener('abort', cancel)
      signal.throwIfAborted() // Whatever a cancelled task gave back is not the answer.
    }
  }

  async close(): Promise<void> {
    await this.#piscina.destroy()
  }
}
