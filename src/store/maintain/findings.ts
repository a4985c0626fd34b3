/**
 * What was found damaged at rest since the start, however found: counted for ever, and reported (in
 * `/health`) as long as it matters.
 */
import { hourMs } from '../../time-units.ts'
import type { LiveSegment, Segments } from '../view/segments.ts'

/**
 * `index`: it did not say what the footers say, and was rebuilt. `block`: of a segment; its records are
 * left out of answers. `footer`: header or one of the footers of a segment, which can be done without.
 * `frame`: of the journal. `file`: one that cannot be read at all, or is gone.
 */
export const findingKinds = ['index', 'block', 'footer', 'frame', 'file'] as const

export type FindingKind = (typeof findingKinds)[number]

export type FindingCounts = Readonly<Record<FindingKind, number>>

/** How long a rebuilt index is reported, ms: a check each quarter of an hour sees it. */
const indexToldMs = hourMs

/** Places that are listed one by one. */
const toldMax = 10

interface Told {
  readonly text: string
  readonly isOver: () => boolean
}

export const noFindings: FindingCounts = { index: 0, block: 0, footer: 0, frame: 0, file: 0 }

export class Findings {
  readonly #now: () => number
  readonly #segments: Pick<Segments, 'damaged'>
  readonly #counts: Record<FindingKind, number> = { ...noFindings }
  #index: Told | undefined
  /** By place: what is found again is the same. */
  readonly #told = new Map<string, Told>()

  constructor(segments: Pick<Segments, 'damaged'>, now: () => number) {
    this.#segments = segments
    this.#now = now
  }

  get counts(): FindingCounts {
    return { ...this.#counts }
  }

  /** `fault`: after "the index", in words for people. */
  noteIndex(fault: string): void {
    this.#counts.index++
    const at = this.#now()
    const text = `the index ${fault}; it was built anew at ${new Date(at).toISOString()}`
    this.#index = { text, isOver: () => this.#now() > at + indexToldMs }
  }

  /** A block that is out of sight from now on: `Segments` knows of it. */
  noteBlock(): void {
    this.#counts.block++
  }

  /** Returns false when it was known. `isOver`: the place is gone. */
  note(
    kind: 'footer' | 'frame' | 'file',
    place: string,
    text: string,
    isOver: () => boolean,
  ): boolean {
    if (this.#told.has(`${kind} ${place}`)) return false
    this.#counts[kind]++
    this.#told.set(`${kind} ${place}`, { text: `${place}: ${text}`, isOver })
    return true
  }

  /** Of an index that was rebuilt lately, for people. */
  indexText(): string | undefined {
    return this.#index?.isOver() ? undefined : this.#index?.text
  }

  /** What of the data is damaged now, for people. */
  dataText(): string | undefined {
    for (const [key, { isOver }] of this.#told) if (isOver()) this.#told.delete(key)
    const told = [...this.#told.values()].map(({ text }) => text)
    const { damaged } = this.#segments
    if (damaged.size > 0) {
      const blockCount = [...damaged.values()].reduce((sum, count) => sum + count, 0)
      const segments = [...damaged.keys()].slice(0, toldMax).join(', ')
      const lost = 'answers lack their records, quarantine/ has their bytes'
      told.unshift(`${blockCount} blocks of segments ${segments} are damaged: ${lost}`)
    }
    const more = told.length - toldMax
    if (more > 0) told.splice(toldMax, more, `and ${more} more`)
    return told.length === 0 ? undefined : told.join('; ')
  }
}

/** Of a segment, for people. */
export function segmentName({ day, path }: Pick<LiveSegment, 'day' | 'path'>): string {
  return `${day}/${path.slice(path.lastIndexOf('/') + 1)}`
}
