/**
 * Large bodies share each turn of the event loop: what is read of them in one turn is bounded, so that
 * single events, and answers of the disk, wait a millisecond behind them. Without a bound, 64 senders
 * whose bodies come at once have 30 MB read and copied before anything else is looked at.
 *
 * A connection that has brought something beyond the bound is paused. Two continue in each turn: the one
 * whose body began first, so that bodies become whole one after the other and not all of them lie
 * in memory half-read, and the one that has waited longest, so that none is left behind. One that
 * brings nothing holds up nobody. Where very many wait that are kept, the second one is mostly one that is
 * thrown away: kept ones side by side would each take memory for all of their bytes.
 *
 * Of very many that come at once only some are kept; the others are read in turn all the same, and
 * thrown away.
 *
 * It is paused when all that came in the turn is read: uWebSockets reads up to some MiB of a connection
 * whether it is paused or not, and if the end of the body is in it, resuming would begin the idle timeout
 * anew, which then cuts the connection off while its body is dealt with.
 */
import type { NativeResponse } from '../native.ts'

/** Of all bodies in one turn; copied in half a millisecond. One piece has up to 512 KiB. */
const turnBytesMax = 1024 * 1024

/**
 * When more connections than these are paused, reading is not what their bodies wait for, but being
 * decoded and stored. Then the main thread does other things for so long, ms, between two turns: 256
 * bodies of 700 KB in gzip, nearly all of them refused, had it do nothing but read for half a second.
 */
const pausedUsually = 16
const restMs = 4

/**
 * When so many bodies wait with their first pieces to be read on, or these are so many bytes together, those
 * of further ones are not kept. Each piece is fresh pages, and of 256 that came in one moment 240 were
 * refused when they were read.
 */
const keptWaitingMax = 32
const keptWaitingBytesMax = 8 * 1024 * 1024

/**
 * When so many wait that are kept, they become whole one after the other: the memory of one that is refused
 * is then that of the next. Only in each of so many turns another one of them goes on beside the first.
 */
const keptTogether = 16
const besideEveryTurns = 4

type Pausable = Pick<NativeResponse, 'pause' | 'resume'>

export class SharedReading {
  #turnBytes = 0
  /** All that have brought a piece, in the order in which they began. */
  readonly #begun = new Set<Pausable>()
  /** Beyond the bound in this turn. */
  readonly #beyond = new Set<Pausable>()
  /** Whoever has waited longest is first. */
  readonly #paused = new Set<Pausable>()
  /** Of those beyond and paused, those whose body is kept, with the bytes of the last piece. */
  readonly #keptWaiting = new Map<Pausable, number>()
  #keptWaitingBytes = 0
  #isTurnAwaited = false
  #turnCount = 0

  /** Whether no more bodies should be begun to be kept: very many wait for their turn to be read. */
  get isCrowded(): boolean {
    return this.#keptWaiting.size >= keptWaitingMax || this.#keptWaitingBytes >= keptWaitingBytesMax
  }

  /**
   * Counts a piece of a body of which more will come, and which is kept or thrown away; may pause the
   * connection in this turn, until later.
   */
  add(response: Pausable, bytes: number, becomes: 'kept' | 'thrown-away'): void {
    this.#turnBytes += bytes
    this.#begun.add(response)
    if (this.#turnBytes > turnBytesMax) {
      if (becomes === 'kept') this.#addKept(response, bytes)
      if (this.#beyond.size === 0) setImmediate(() => this.#pauseThoseBeyond())
      this.#beyond.add(response)
    }
    this.#awaitTurn()
  }

  /** The body is over, or its connection closed: it is not touched any more. */
  delete(response: Pausable): void {
    this.#beyond.delete(response)
    this.#paused.delete(response)
    this.#begun.delete(response)
    this.#deleteKept(response)
  }

  #addKept(response: Pausable, bytes: number): void {
    this.#deleteKept(response)
    this.#keptWaiting.set(response, bytes)
    this.#keptWaitingBytes += bytes
  }

  #deleteKept(response: Pausable): void {
    this.#keptWaitingBytes -= this.#keptWaiting.get(response) ?? 0
    this.#keptWaiting.delete(response)
  }

  #pauseThoseBeyond(): void {
    for (const response of this.#beyond) {
      response.pause()
      this.#paused.add(response)
    }
    this.#beyond.clear()
  }

  #awaitTurn(): void {
    if (this.#isTurnAwaited) return
    this.#isTurnAwaited = true
    if (this.#paused.size > pausedUsually) setTimeout(() => this.#begin(), restMs)
    else setImmediate(() => this.#begin())
  }

  #begin(): void {
    this.#isTurnAwaited = false
    this.#pauseThoseBeyond()
    this.#turnBytes = 0
    this.#resumeFirst(this.#begun, true)
    const isTurnOfAny = this.#turnCount++ % besideEveryTurns === 0
    this.#resumeFirst(this.#paused, isTurnOfAny || this.#keptWaiting.size < keptTogether)
    if (this.#paused.size > 0) this.#awaitTurn()
  }

  /** `mayBeKept`: whether it may be one whose body is kept. */
  #resumeFirst(inOrder: ReadonlySet<Pausable>, mayBeKept: boolean): void {
    for (const response of inOrder) {
      if (!mayBeKept && this.#keptWaiting.has(response)) continue
      if (!this.#paused.delete(response)) continue
      this.#deleteKept(response)
      response.resume()
      return
    }
  }
}
