/**
 * How long records are kept, as people set it while the service runs. What a flag or the environment
 * sets holds instead: who starts the service has the last word, and the page says so. Kept in the
 * catalog.
 */
import type { Config } from '../config/config.ts'
import { ProblemError } from '../problems.ts'
import type { RetentionBounds } from '../store/maintain/retention.ts'
import type { Shelf, ShelfCollection } from './shelf.ts'

/** Null: no bound. */
export interface RetentionBoundsSet {
  /** Ms. */
  readonly ageMs: number | null
  /** Of all segments together. */
  readonly bytes: number | null
}

export interface RetentionShown extends RetentionBoundsSet {
  /** The bounds that a flag or the environment sets, which only another start can change. */
  readonly fixed: readonly (keyof RetentionBoundsSet)[]
}

const collectionName = 'retention'
const key = 'bounds'
const none: RetentionBoundsSet = { ageMs: null, bytes: null }
const flags = { ageMs: '--retention-age', bytes: '--retention-bytes' } as const

export class Retention {
  readonly #shelf: Shelf
  readonly #collection: ShelfCollection<RetentionBoundsSet>
  readonly #started: Readonly<Record<keyof RetentionBoundsSet, number | undefined>>
  #set: RetentionBoundsSet

  constructor(shelf: Shelf, config: Pick<Config, 'retentionAgeMs' | 'retentionBytes'>) {
    this.#shelf = shelf
    this.#collection = shelf.collection(collectionName)
    this.#started = { ageMs: config.retentionAgeMs, bytes: config.retentionBytes }
    this.#set = this.#collection.get(key) ?? none
  }

  shown(): RetentionShown {
    const { ageMs, bytes } = this.#started
    const fixed = (['ageMs', 'bytes'] as const).filter(name => this.#started[name] !== undefined)
    return { ageMs: ageMs ?? this.#set.ageMs, bytes: bytes ?? this.#set.bytes, fixed }
  }

  /** What holds now, as the store takes it. */
  bounds(): RetentionBounds {
    return boundsOf(this.shown())
  }

  /** A copy has changed it. */
  reload(): void {
    this.#set = this.#collection.get(key) ?? none
  }

  /**
   * What would hold with other bounds.
   * @throws ProblemError `retention_fixed` for another value than the one that is fixed.
   */
  check(wanted: RetentionBoundsSet): RetentionBounds {
    for (const name of ['ageMs', 'bytes'] as const) {
      const started = this.#started[name]
      if (started === undefined || wanted[name] === started) continue
      const detail = `"${name}" is fixed by ${flags[name]}, or its environment variable: start the service without it to set it here`
      throw new ProblemError('retention_fixed', detail, { field: name })
    }
    return boundsOf(wanted)
  }

  /** Resolves when it is on disk; it holds from then on. Rejects as `check` throws. */
  async change(wanted: RetentionBoundsSet): Promise<void> {
    this.check(wanted)
    const { ageMs, bytes } = wanted
    // What a flag has now is not what people chose: without it their own choice holds again.
    const next = {
      ageMs: this.#started.ageMs === undefined ? ageMs : this.#set.ageMs,
      bytes: this.#started.bytes === undefined ? bytes : this.#set.bytes,
    }
    await this.#shelf.write(() => this.#collection.put(key, next))
    this.#set = next
  }
}

function boundsOf({ ageMs, bytes }: RetentionBoundsSet): RetentionBounds {
  return { ageMsMax: ageMs ?? undefined, bytesMax: bytes ?? undefined }
}
