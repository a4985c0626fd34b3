/**
 * Keeps the copy of a primary's settings what they are: asks what has changed, which is answered when
 * something has, and takes it. As long as the primary is away the last copy holds.
 */
import type { Logger } from 'pino'
import type { Health } from '../../health.ts'
import type { Timestamp } from '../../record.ts'
import { pause } from '../../threads/pause.ts'
import type { Catalog } from '../catalog.ts'
import { writeCopyNote } from './copy-file.ts'
import { type SettingsFeed, secretKeyId } from './feed.ts'
import type { Primary } from './primary.ts'

/** How long a primary waits for a change before it says that there is none, ms: the copy is no older. */
const waitMs = 1_000
/** Between two attempts, as long as it is away, ms. */
const pauseMs = 500
/** How long a change that was passed on waits to be in the copy, ms. */
const catchUpMs = 2_000

export interface FollowerParts {
  readonly primary: Primary
  readonly catalog: Pick<Catalog, 'takeCopy' | 'secretKey'>
  readonly dataDir: string
  readonly health: Pick<Health, 'raise' | 'clear'>
  readonly logger: Logger
  readonly now: () => number
  /** When the copy that is there was made. */
  readonly copiedAt: Timestamp
  /** Told the collections that have changed. */
  readonly onTaken: (collections: ReadonlySet<string>) => void
}

export class Follower {
  readonly #parts: FollowerParts
  readonly #ending = new AbortController()
  readonly #running: Promise<void>
  #known = { epoch: '', after: 0 }
  #copiedAt: Timestamp
  #isAway = false
  /** Those who wait for the next answer that was asked for after they came. */
  #catchingUp: (() => void)[] = []

  constructor(parts: FollowerParts) {
    this.#parts = parts
    this.#copiedAt = parts.copiedAt
    this.#running = this.#run()
  }

  /** How old the copy is, ms: the primary's settings were these so long ago. */
  get ageMs(): number {
    return Math.max(0, this.#parts.now() - this.#copiedAt)
  }

  /** Resolves when the copy has all that the primary had at the call, or when that takes too long. */
  catchUp(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, catchUpMs)
    this.#catchingUp.push(resolve)
    return promise.finally(() => clearTimeout(timer))
  }

  async close(): Promise<void> {
    this.#ending.abort()
    await this.#running
    await this.#note().catch(() => {}) // It only says how old the copy is.
  }

  async #run(): Promise<void> {
    const { signal } = this.#ending
    while (!signal.aborted) {
      try {
        const waiting = this.#catchingUp
        this.#catchingUp = []
        const isUrgent = waiting.length > 0 || this.#isAway
        const askedAt = this.#parts.now()
        const { primary } = this.#parts
        const feed = await primary.settings(this.#known, isUrgent ? 0 : waitMs, signal)
        await this.#take(feed, askedAt)
        for (const resolve of waiting) resolve()
      } catch (error) {
        if (signal.aborted) return
        this.#failed(error as Error)
        await pause(pauseMs, signal)
      }
    }
  }

  async #take(feed: SettingsFeed, askedAt: Timestamp): Promise<void> {
    const { catalog, health, logger, primary, onTaken } = this.#parts
    if (feed.secretKeyId !== secretKeyId(catalog.secretKey)) {
      const text = 'it is another primary than the one that this data directory has a copy of'
      throw new Error(`${text}: give it another --data-dir, or go back to that one`)
    }
    const changed = await catalog.takeCopy(feed)
    this.#known = { epoch: feed.epoch, after: feed.version }
    this.#copiedAt = askedAt
    if (changed.size > 0) {
      await this.#note()
      onTaken(changed)
    }
    if (this.#isAway) logger.info({ primary: primary.url }, 'the primary answers again')
    this.#isAway = false
    health.clear('primary_unreachable')
  }

  #failed(error: Error): void {
    const { health, logger, primary } = this.#parts
    const copied = new Date(this.#copiedAt).toISOString()
    const text = `settings are those of ${copied}, and cannot be changed: the primary does not give its own: ${error.message}`
    if (!this.#isAway) logger.warn({ primary: primary.url, err: error }, text)
    this.#isAway = true
    health.raise('primary_unreachable', text)
  }

  #note(): Promise<void> {
    const { dataDir, primary } = this.#parts
    return writeCopyNote(dataDir, { primary: primary.url, copiedAt: this.#copiedAt })
  }
}
