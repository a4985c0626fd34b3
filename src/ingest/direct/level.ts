/** A sender's level out of the bytes of its JSON; the rules are those of `level.ts`. */

import { hasBytes } from '../bytes.ts'
import { type LevelReading, type LevelScale, readLevelText } from '../level.ts'

interface KnownText {
  readonly bytes: Uint8Array
  readonly reading: LevelReading | undefined
}

/** Senders use few words, which length and first letter tell apart: a place for each. */
const places = 64
/** Numbers that are levels. */
const levelDigitsMax = 2
/** Longer texts are read again each time. */
const knownBytesMax = 16

/** Reads the values of one field, and remembers what it read last. */
export class DirectLevel {
  readonly #scale: LevelScale
  readonly #known: (KnownText | undefined)[] = new Array(places).fill(undefined)

  constructor(scale: LevelScale) {
    this.#scale = scale
  }

  /** What the string whose inside is between `start` and `end` of `body` says; undefined: no level. */
  readText(body: Buffer, start: number, end: number): LevelReading | undefined {
    const place = ((end - start) * 31 + (body[start] ?? 0)) % places
    const known = this.#known[place]
    if (known !== undefined && hasBytes(body, start, end, known.bytes)) return known.reading
    const reading = readLevelText(this.#scale, body.toString('utf8', start, end))
    if (end - start <= knownBytesMax) {
      this.#known[place] = { bytes: Uint8Array.from(body.subarray(start, end)), reading }
    }
    return reading
  }

  /** What the number between `start` and `end` of `body` says, as its text does; undefined: no level. */
  readNumber(body: Buffer, start: number, end: number): LevelReading | undefined {
    if (end - start > levelDigitsMax || this.#scale === 'words') return undefined
    return this.readText(body, start, end)
  }
}
