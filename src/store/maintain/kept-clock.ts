/** The clock of retention, with what it knows on disk, and what it doubts in the log and in `/health`. */
import type { Logger } from 'pino'
import type { Disk } from '../../disk/disk.ts'
import type { Health } from '../../health.ts'
import type { Timestamp } from '../../record.ts'
import { readClockFile, writeClockFile } from './clock-file.ts'
import { type KnownClock, RetentionClock } from './retention-clock.ts'

/** How often what is known is kept, ms: a process that is killed loses so much of it. */
const keepEveryMs = 600_000

export interface KeptClockParts {
  readonly dataDir: string
  readonly disk: Disk
  readonly logger: Pick<Logger, 'info' | 'warn'>
  readonly health: Pick<Health, 'raise' | 'clear'>
  readonly now: () => Timestamp
  /** Whether somebody says that the clock is right as it is. */
  readonly isAccepted: boolean
  /**
   * When the newest segment was made, by the clock of then: what is known in a directory of a version
   * that kept nothing. Undefined when there is no segment.
   */
  readonly newestMadeAt: Timestamp | undefined
}

export class KeptClock {
  readonly #parts: KeptClockParts
  readonly #clock: RetentionClock
  #keptAt = Number.NEGATIVE_INFINITY
  #isKeptInDoubt = false
  #hasFailed = false

  constructor(parts: KeptClockParts) {
    this.#parts = parts
    const { logger, health, now } = parts
    this.#clock = new RetentionClock({
      now,
      monotonic: () => performance.now(),
      known: parts.isAccepted ? undefined : this.#readKnown(),
      onDoubt: (clock, known) => {
        const way = clock > known ? 'ahead of' : 'behind'
        const text = `the clock is days ${way} the time that is known; retention by age believes it after a day, or with --accept-clock`
        logger.warn({ clock: new Date(clock), known: new Date(known) }, text)
        health.raise('clock_doubted', text)
      },
      onBelief: clock => {
        logger.info({ clock: new Date(clock) }, 'retention by age believes the clock')
        health.clear('clock_doubted')
      },
    })
  }

  /** The time from which retention by age counts. Keeps what is known, now and then; never throws. */
  async time(): Promise<Timestamp> {
    const time = this.#clock.time()
    const isInDoubt = this.#clock.doubt !== undefined
    const isDue = performance.now() - this.#keptAt >= keepEveryMs
    if (isDue || isInDoubt !== this.#isKeptInDoubt) await this.keep()
    return time
  }

  /** Keeps what is known. A disk that is full must not keep old segments from being deleted. */
  async keep(): Promise<void> {
    const { dataDir, disk, logger } = this.#parts
    const { known } = this.#clock
    try {
      await writeClockFile(dataDir, known, disk)
      this.#keptAt = performance.now()
      this.#isKeptInDoubt = known.doubt !== undefined
      this.#hasFailed = false
    } catch (error) {
      if (!this.#hasFailed) logger.warn({ err: error }, 'the time that is known cannot be kept')
      this.#hasFailed = true
    }
  }

  #readKnown(): KnownClock | undefined {
    const { dataDir, disk, logger, newestMadeAt, now } = this.#parts
    try {
      const known = readClockFile(dataDir, disk)
      if (known !== undefined) return known
    } catch (error) {
      logger.warn({ err: error }, 'the time that was kept cannot be read')
    }
    return newestMadeAt === undefined ? undefined : { time: Math.min(newestMadeAt, now()) }
  }
}
