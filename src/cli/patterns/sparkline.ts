/** A row of numbers as a line of blocks. */

const blocks = '▁▂▃▄▅▆▇█'
const columnsMax = 30

/** At most 30 characters, each of as many numbers; the largest sum is a full block, and 0 a space. */
export function sparkline(numbers: readonly number[]): string {
  const perColumn = Math.max(1, Math.ceil(numbers.length / columnsMax))
  const sums: number[] = []
  for (const [i, number] of numbers.entries()) {
    const column = Math.floor(i / perColumn)
    sums[column] = (sums[column] ?? 0) + number
  }
  const largest = sums.reduce((most, sum) => Math.max(most, sum), 0)
  return sums
    .map(sum => (sum === 0 ? ' ' : blocks[Math.ceil((sum / largest) * blocks.length) - 1]!))
    .join('')
}
