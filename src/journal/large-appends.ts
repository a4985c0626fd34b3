/**
 * Requests that are too large for one commit: they go to disk a part at a time, between what others send
 * meanwhile (`part-pace.ts`). A body of 60 MiB in one piece held up
 * every other sender for as long as its write and sync took, a third of a second and more.
 *
 * Whoever waits longest is next, and gives one batch at a time, so that several large requests share
 * the disk. A request is acknowledged with its last part. When a part fails the rest is given up; parts
 * before it are stored, which the error says.
 */
import { ProblemError } from '../problems.ts'
import type { EncodedBatch } from './batch-writer.ts'
import { receiptBytes } from './receipts.ts'

/** What one commit takes of all large requests: some 3 ms of a disk that writes 200 MB a second. */
const partBytesMax = 512 * 1024
/** The same in records, for those that take next to no bytes. */
const partRecordsMax = 1 << 17

interface LargeAppend {
  readonly batches: readonly EncodedBatch[]
  /** Batches that are on disk. */
  committed: number
  /** Batches that are on disk or in the part that is being written. */
  taken: number
  readonly done: PromiseWithResolvers<void>
  /** Whoever wants to know of each batch that is on disk. */
  readonly onWritten: OnWritten | undefined
}

/** Called with a batch that is on disk and visible; its payload is not read any more. */
export type OnWritten = (batch: EncodedBatch) => void

/** Batches of large requests that are committed together. */
export interface Part {
  readonly batches: readonly EncodedBatch[]
  readonly bytes: number
  /** Acknowledges the requests that end with this part; to be called when it is visible. */
  committed(): void
  /** Abandons all requests that have something in it. */
  failed(refusal: ProblemError): void
}

/** Whether batches are too many for one commit. */
export function isLarge(batches: readonly EncodedBatch[]): boolean {
  return batches.length > 1 && sumOf(batches, bytesOf) > partBytesMax
}

export class LargeAppends {
  #waiting: LargeAppend[] = []
  #bytes = 0

  /** Bytes that wait for their turn. */
  get bytes(): number {
    return this.#bytes
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0
  }

  /** Resolves when all of it is on disk; rejects with the argument of `Part.failed`. */
  add(batches: readonly EncodedBatch[], onWritten?: OnWritten): Promise<void> {
    const done = Promise.withResolvers<void>()
    done.promise.catch(() => {}) // Its sender may have gone away.
    this.#waiting.push({ batches, committed: 0, taken: 0, done, onWritten })
    this.#bytes += sumOf(batches, bytesOf)
    return done.promise
  }

  /** What the next commit takes; empty when nothing waits. */
  takePart(): Part {
    const batches: EncodedBatch[] = []
    /** Requests that have something in it, with how many of their batches are on disk after it. */
    const appends = new Map<LargeAppend, number>()
    let [bytes, records] = [0, 0]
    while (this.#waiting.length > 0 && bytes < partBytesMax && records < partRecordsMax) {
      const append = this.#waiting.shift()!
      const batch = append.batches[append.taken++]!
      batches.push(batch)
      appends.set(append, append.taken)
      bytes += bytesOf(batch)
      records += batch.recordCount
      if (append.taken < append.batches.length) this.#waiting.push(append)
    }
    this.#bytes -= bytes
    return {
      batches,
      bytes,
      committed: () => {
        // The next part may be taken by now, and be under way: what counts is how far this one came.
        for (const [append, count] of appends) {
          const { batches, committed, onWritten } = append
          if (onWritten !== undefined)
            for (const batch of batches.slice(committed, count)) onWritten(batch)
          append.committed = count
          if (append.committed === append.batches.length) append.done.resolve()
        }
      },
      failed: refusal => {
        this.#waiting = this.#waiting.filter(append => !appends.has(append))
        for (const append of appends.keys()) this.#giveUp(append, refusal)
      },
    }
  }

  #giveUp({ batches, committed, taken, done }: LargeAppend, refusal: ProblemError): void {
    this.#bytes -= sumOf(batches.slice(taken), bytesOf)
    const stored = sumOf(batches.slice(0, committed), ({ recordCount }) => recordCount)
    done.reject(stored === 0 ? refusal : storedInPart(refusal, stored))
  }
}

function storedInPart(refusal: ProblemError, records: number): ProblemError {
  const [what] = refusal.message.split(';')
  const detail = `${what}; only the first ${records} records of this were stored`
  return new ProblemError(refusal.code, detail, refusal.extras)
}

const bytesOf = ({ payloadBytes, receipts }: EncodedBatch) => payloadBytes + receiptBytes(receipts)

function sumOf(batches: readonly EncodedBatch[], sizeOf: (batch: EncodedBatch) => number): number {
  return batches.reduce((sum, batch) => sum + sizeOf(batch), 0)
}
