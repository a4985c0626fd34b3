/**
 * Sorts numbers: by the upper half of their bits, in three passes over the digits of it (a radix
 * sort), then by what is left. Numbers of one kind seldom differ in the lower half only, so that
 * little is left. Of 2,000 numbers it takes two thirds, of 20,000 less than half of the time of
 * `TypedArray.prototype.sort`, which sorts fewer than a thousand as fast.
 */

/** Bits of a digit: a table of this many counts stays in the fastest memory. */
const digitBits = 11
const digitCount = 2 ** digitBits
/** The three digits of 32 bits. */
const shifts = [0, digitBits, 2 * digitBits]

const signBit = 0x8000_0000

/** Numbers below which the passes over the tables take longer than they gain. */
const radixCountMin = 1_000

/** Moves per number beyond which what is left is too much for moving one by one. */
const movesPerNumberMax = 8

/**
 * The upper halves of numbers, as integers in the order of the numbers; and the places of the
 * numbers. Memory that is used again: fresh memory costs more than the sorting.
 */
interface Keys {
  readonly uppers: Uint32Array
  readonly places: Uint32Array
}

class KeyMemory {
  #uppers = new Uint32Array(0)
  #places = new Uint32Array(0)

  keys(count: number): Keys {
    if (this.#uppers.length < count) {
      this.#uppers = new Uint32Array(2 * count)
      this.#places = new Uint32Array(2 * count)
    }
    return { uppers: this.#uppers.subarray(0, count), places: this.#places.subarray(0, count) }
  }
}

const memory = [new KeyMemory(), new KeyMemory()] as const
const table = new Uint32Array(digitCount)

/** Sorts numbers, none of them NaN or -0, in their place. */
export function sortNumbers(values: Float64Array): void {
  if (values.length < radixCountMin) {
    values.sort()
    return
  }
  let from = memory[0].keys(values.length)
  let to = memory[1].keys(values.length)
  fillKeys(values, from)
  for (const shift of shifts) {
    if (!findPlaces(from.uppers, shift, table)) continue
    move(from, to, shift, table)
    ;[from, to] = [to, from]
  }
  const { places } = from
  const unsorted = values.slice()
  for (let i = 0; i < places.length; i++) values[i] = unsorted[places[i]!]!
  finish(values)
}

/** Every platform that our prebuilt packages run on is little-endian. */
function fillKeys(values: Float64Array, { uppers, places }: Keys): void {
  const halves = new Uint32Array(values.buffer, values.byteOffset, 2 * values.length)
  for (let i = 0; i < uppers.length; i++) {
    const upper = halves[2 * i + 1]!
    // The larger a negative number's bits, the smaller it is.
    uppers[i] = upper >= signBit ? ~upper : upper ^ signBit
    places[i] = i
  }
}

/** Finds where the first of each digit goes; false when there is one digit only. */
function findPlaces(uppers: Uint32Array, shift: number, next: Uint32Array): boolean {
  next.fill(0)
  for (let i = 0; i < uppers.length; i++) next[(uppers[i]! >>> shift) & (digitCount - 1)]!++
  let place = 0
  for (let digit = 0; digit < digitCount; digit++) {
    const count = next[digit]!
    if (count === uppers.length) return false
    next[digit] = place
    place += count
  }
  return true
}

/** Moves each key to the next place of its digit. */
function move({ uppers, places }: Keys, to: Keys, shift: number, next: Uint32Array): void {
  const { uppers: toUppers, places: toPlaces } = to
  for (let i = 0; i < uppers.length; i++) {
    const upper = uppers[i]!
    const digit = (upper >>> shift) & (digitCount - 1)
    const place = next[digit]!
    next[digit] = place + 1
    toUppers[place] = upper
    toPlaces[place] = places[i]!
  }
}

/** Puts in order what is nearly so: each number moves past the few before it that are larger. */
function finish(values: Float64Array): void {
  let movesLeft = movesPerNumberMax * values.length
  for (let i = 1; i < values.length; i++) {
    const value = values[i]!
    let at = i
    while (at > 0 && values[at - 1]! > value) {
      values[at] = values[at - 1]!
      at--
    }
    values[at] = value
    movesLeft -= i - at
    if (movesLeft < 0) {
      values.sort()
      return
    }
  }
}
