/** Numbers as runs: the distinct ones in order with their counts, so that few values take little. */

/** Distinct numbers, ascending, and how often each occurs. */
export interface Run {
  readonly values: Float64Array
  readonly counts: Uint32Array
}

/** The run of ascending numbers, one at least. May share memory with them. */
export function runOf(numbers: Float64Array): Run {
  let distinctCount = 1
  for (let i = 1; i < numbers.length; i++) {
    if (numbers[i] !== numbers[i - 1]) distinctCount++
  }
  if (distinctCount === numbers.length) {
    return { values: numbers, counts: new Uint32Array(distinctCount).fill(1) }
  }
  const values = new Float64Array(distinctCount)
  const counts = new Uint32Array(distinctCount)
  let last = 0
  values[0] = numbers[0]!
  for (let i = 0; i < numbers.length; i++) {
    if (numbers[i] !== values[last]) values[++last] = numbers[i]!
    counts[last]!++
  }
  return { values, counts }
}

/** The numbers of both with the sums of their counts, ascending. */
export function mergeRuns(a: Run, b: Run): Run {
  const values = new Float64Array(a.values.length + b.values.length)
  const counts = new Uint32Array(values.length)
  let length = 0
  let j = 0
  for (let i = 0; i < a.values.length; i++) {
    const value = a.values[i]!
    for (; j < b.values.length && b.values[j]! < value; j++) {
      values[length] = b.values[j]!
      counts[length++] = b.counts[j]!
    }
    values[length] = value
    counts[length] = a.counts[i]!
    if (j < b.values.length && b.values[j] === value) counts[length]! += b.counts[j++]!
    length++
  }
  for (; j < b.values.length; j++) {
    values[length] = b.values[j]!
    counts[length++] = b.counts[j]!
  }
  return { values: values.subarray(0, length), counts: counts.subarray(0, length) }
}

/**
 * The quantile as PromQL has it: between the two numbers whose ranks lie around `quantile * (n - 1)`,
 * in proportion. `valueAt` is the number that was counted at a place, which ascends with it.
 */
export function quantileOf(
  counts: ArrayLike<number>,
  valueAt: (place: number) => number,
  quantile: number,
): number {
  let count = 0
  for (let i = 0; i < counts.length; i++) count += counts[i]!
  const rank = quantile * (count - 1)
  const lower = Math.floor(rank)
  const upper = Math.min(count - 1, lower + 1)
  const weight = rank - lower
  let at = 0
  let reached = counts[0]!
  while (reached <= lower) reached += counts[++at]!
  const lowerValue = valueAt(at)
  while (reached <= upper) reached += counts[++at]!
  return lowerValue * (1 - weight) + valueAt(at) * weight
}
