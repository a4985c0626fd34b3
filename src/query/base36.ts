/** Integers in base 36, as in the ids of records, for many that lie close together. */

const pairs = Array.from({ length: 36 ** 2 }, (_, value) => value.toString(36).padStart(2, '0'))
/** What four digits can say. */
const span = pairs.length ** 2

/**
 * Returns what `toString(36)` returns, an integer from -2^53 to 2^53; several times as fast as long as all
 * but the last four digits stay the same.
 */
export function base36(): (value: number) => string {
  let high = 0
  let highText = ''
  return value => {
    if (value < span) return value.toString(36)
    const above = Math.floor(value / span)
    if (above !== high) {
      high = above
      highText = above.toString(36)
    }
    const low = value - above * span
    return highText + pairs[(low / pairs.length) | 0] + pairs[low % pairs.length]
  }
}
