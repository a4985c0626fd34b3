/** How many bytes of events wait for ClickHouse on the local disk, and whether there may be more. */
import type { CommittedFrame } from '../../journal/journal.ts'
import { ProblemError } from '../../problems.ts'

/** Seconds that a sender is asked to wait. */
const retrySeconds = 5

export class Backlog {
  readonly #bytesMax: number
  readonly #byFile = new Map<number, number>()
  #bytes = 0

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  get bytes(): number {
    return this.#bytes
  }

  /** Bytes of a file that an earlier process left. */
  addFile(file: number, bytes: number): void {
    this.#byFile.set(file, (this.#byFile.get(file) ?? 0) + bytes)
    this.#bytes += bytes
  }

  addFrames(frames: readonly CommittedFrame[]): void {
    for (const { file, bytes } of frames) this.addFile(file, bytes)
  }

  /** The file is with ClickHouse, and goes. */
  dropFile(file: number): void {
    this.#bytes -= this.#byFile.get(file) ?? 0
    this.#byFile.delete(file)
  }

  /** Why there may be no more, for people; undefined when there may. */
  get refusal(): string | undefined {
    if (this.#bytes < this.#bytesMax) return undefined
    return `${this.#bytes} bytes of events wait for ClickHouse, and ${this.#bytesMax} may`
  }

  /** Throws ProblemError `journal_full`. */
  refuseBeyond(): void {
    const { refusal } = this
    if (refusal === undefined) return
    const detail = `${refusal}; nothing of this was stored`
    throw new ProblemError('journal_full', detail, { retryAfterSeconds: retrySeconds })
  }
}
