/**
 * Where the variables of each slot of a template column are, and how to read them. Blocks have hundreds
 * of slots, and what is open at a time has tens of thousands: a row of columns takes a third of the
 * memory of as many objects, and none of the garbage collector's time.
 */

/** Integers that a slot takes at most to be read; see `slotParameters`. */
const parametersMax = 4
/** Integers of a place: template, chunk, offset, bytes, kind. */
const placeIntegers = 5
/** What each of them can be. */
const placeMax = 0xffff_ffff

/** Slots are numbered over all templates of a column. */
export class SlotPlaces {
  /** Up to 2^53. */
  readonly #parameters: Float64Array
  readonly #places: Uint32Array

  constructor(count: number) {
    this.#parameters = new Float64Array(count * parametersMax)
    this.#places = new Uint32Array(count * placeIntegers)
  }

  get heldBytes(): number {
    return this.#parameters.byteLength + this.#places.byteLength
  }

  setKind(slot: number, kind: number): void {
    this.#places[slot * placeIntegers + 4] = kind
  }

  setParameter(slot: number, index: number, value: number): void {
    this.#parameters[slot * parametersMax + index] = value
  }

  /** Throws a RangeError when the place is beyond 4 GiB. */
  put(slot: number, template: number, chunk: number, offset: number, bytes: number): void {
    if (chunk > placeMax || offset + bytes > placeMax) {
      throw new RangeError(`variables cannot be at ${offset} of chunk ${chunk}`)
    }
    const at = slot * placeIntegers
    this.#places[at] = template
    this.#places[at + 1] = chunk
    this.#places[at + 2] = offset
    this.#places[at + 3] = bytes
  }

  /** Moves the slots of a chunk back by so many bytes. */
  shift(chunk: number, bytes: number): void {
    for (let at = 0; at < this.#places.length; at += placeIntegers) {
      if (this.#places[at + 1] === chunk) this.#places[at + 2]! += bytes
    }
  }

  kind(slot: number): number {
    return this.#places[slot * placeIntegers + 4]!
  }

  chunk(slot: number): number {
    return this.#places[slot * placeIntegers + 1]!
  }

  /** The template that a slot is of. */
  template(slot: number): number {
    return this.#places[slot * placeIntegers]!
  }

  /** A slot's bytes are `bytes` of those of its chunk, from `offset` on. */
  offset(slot: number): number {
    return this.#places[slot * placeIntegers + 2]!
  }

  bytes(slot: number): number {
    return this.#places[slot * placeIntegers + 3]!
  }

  /** Parameter `index` of a slot; 0 when its kind has none of that number. */
  parameter(slot: number, index: number): number {
    return this.#parameters[slot * parametersMax + index]!
  }
}
