/**
 * Which records of a block have a value in a column: a bitmap, one bit a record, record 0 in the
 * lowest bit of the first byte. Bits after the last record are zero.
 */

export function presenceBytes(recordCount: number): number {
  return Math.ceil(recordCount / 8)
}

/** Whether a bitmap is one for `recordCount` records of which `valueCount` have a value. */
export function isPresence(bitmap: Uint8Array, recordCount: number, valueCount: number): boolean {
  if (bitmap.length !== presenceBytes(recordCount)) return false
  const bitsInLastByte = recordCount % 8
  const isTailClear = bitsInLastByte === 0 || bitmap[bitmap.length - 1]! >> bitsInLastByte === 0
  return isTailClear && countBits(bitmap) === valueCount
}

export function isPresent(bitmap: Uint8Array, record: number): boolean {
  return ((bitmap[record >> 3]! >> (record & 7)) & 1) === 1
}

function countBits(bitmap: Uint8Array): number {
  let count = 0
  for (let i = 0; i < bitmap.length; i++) {
    let bits = bitmap[i]!
    while (bits !== 0) {
      bits &= bits - 1
      count++
    }
  }
  return count
}
