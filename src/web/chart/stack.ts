/** Series upon series: what is drawn is each one's sum with all below it. */

export type Values = readonly (number | undefined)[]

/** The heights up to and with each series, from the lowest up. What is absent adds nothing. */
export function stacked(series: readonly Values[]): readonly (readonly number[])[] {
  const sums: number[][] = []
  for (const values of series) {
    const below = sums.at(-1)
    sums.push(values.map((value, index) => (below?.[index] ?? 0) + (value ?? 0)))
  }
  return sums
}
