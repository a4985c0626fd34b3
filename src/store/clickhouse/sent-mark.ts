/**
 * Tells the other front ends up to when ClickHouse has all that this one acknowledged: when a file was sent,
 * and now and then as long as nothing waits.
 */
import type { Logger } from 'pino'
import type { Timestamp } from '../../record.ts'
import type { JournalRanges } from '../view/journal-ranges.ts'
import type { Connection } from './connection.ts'
import { noteSent } from './front-ends.ts'

export interface SentMarkParts {
  readonly frontEnd: string
  readonly connection: Pick<Connection, 'command'>
  readonly ranges: Pick<JournalRanges, 'recordCount'>
  readonly now: () => number
  readonly logger: Logger
  /** How often it is looked whether nothing waits, ms. */
  readonly intervalMs: number
  /** Makes the tables. */
  readonly prepare: () => Promise<void>
}

export class SentMark {
  readonly #parts: SentMarkParts
  readonly #timer: NodeJS.Timeout
  /** The latest time that may be told, and the latest that was. */
  #asOf: Timestamp = 0
  #told: Timestamp = 0
  #telling: Promise<void> | undefined
  #isClosed = false

  constructor(parts: SentMarkParts) {
    this.#parts = parts
    this.#timer = setInterval(() => this.#look(), parts.intervalMs)
    this.#timer.unref()
    this.#look()
  }

  /** All that was acknowledged before this time is in ClickHouse. */
  sent(before: Timestamp): void {
    this.#asOf = Math.max(this.#asOf, before)
    if (!this.#isClosed) this.#telling ??= this.#tell()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#timer)
    await this.#telling
  }

  /** Nothing is in the journal that was acknowledged, and so everything in ClickHouse. */
  #look(): void {
    const { now, ranges } = this.#parts
    if (ranges.recordCount === 0) this.sent(now())
  }

  async #tell(): Promise<void> {
    const { frontEnd, connection, logger, prepare } = this.#parts
    try {
      await prepare()
      while (this.#told < this.#asOf) {
        const asOf = this.#asOf
        await noteSent(frontEnd, asOf, connection)
        this.#told = asOf
      }
    } catch (error) {
      // The next time tells it; until then the others say of their answers that they are older.
      logger.debug({ err: error }, 'the other front ends were not told what was sent')
    } finally {
      this.#telling = undefined
    }
  }
}
