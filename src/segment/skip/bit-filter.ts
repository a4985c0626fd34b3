/**
 * A filter with one bit for each run of bytes that some texts have, by the run's hash. It is made in its
 * largest size and folded, its halves or-ed again and again, as long as few bits are set: of a hash so many
 * low bits count as the filter has room for.
 */

export interface FilterBounds {
  /** Bytes, both powers of two. */
  readonly bytesMin: number
  readonly bytesMax: number
  /** Set bits up to which a filter is folded: of runs that are nowhere, one in so many seems to be there. */
  readonly densityMax: number
  /** Set bits from which on a filter says too little to be worth its room. */
  readonly uselessDensity: number
}

/** The filter: a power of two of bytes, or none at all when it would say nothing. */
export function folded(
  unfolded: Buffer,
  { bytesMin, densityMax, uselessDensity }: FilterBounds,
): Buffer {
  let bits: Buffer = Buffer.from(unfolded)
  while (bits.length > bytesMin && density(bits) <= densityMax / 2) {
    const half = bits.length / 2
    for (let i = 0; i < half; i++) bits[i]! |= bits[half + i]!
    bits = bits.subarray(0, half)
  }
  return density(bits) > uselessDensity ? Buffer.alloc(0) : bits
}

/** Whether a filter has all bits of one that is not folded. */
export function areIn(unfolded: Uint8Array, filter: Uint8Array): boolean {
  if (filter.length === 0) return true
  return unfolded.every((bits, i) => (bits & ~filter[i % filter.length]!) === 0)
}

/** False when one of the runs, by their hashes, is in none of the texts of the filter. */
export function mayHoldRuns(filter: Uint8Array, runs: Uint32Array): boolean {
  if (filter.length === 0) return true
  const mask = filter.length * 8 - 1
  for (let i = 0; i < runs.length; i++) {
    const bit = runs[i]! & mask
    if (((filter[bit >> 3]! >> (bit & 7)) & 1) === 0) return false
  }
  return true
}

/** Whether bytes can be a filter. */
export function isFilter(
  { length }: Uint8Array,
  { bytesMin, bytesMax }: Pick<FilterBounds, 'bytesMin' | 'bytesMax'>,
): boolean {
  const isPower = (length & (length - 1)) === 0
  return length === 0 || (isPower && length >= bytesMin && length <= bytesMax)
}

const onesOf = Uint8Array.from({ length: 256 }, (_, byte) => {
  return byte.toString(2).replaceAll('0', '').length
})

/** The share of bits that are set. */
function density(bits: Uint8Array): number {
  let ones = 0
  for (let i = 0; i < bits.length; i++) ones += onesOf[bits[i]!]!
  return ones / (8 * bits.length)
}
