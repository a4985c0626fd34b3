/** How the values of the buckets become the one that is shown. */

export const reductions = ['sum', 'avg', 'min', 'max', 'last', 'first', 'median'] as const
export type Reduction = (typeof reductions)[number]

const otherNames: Readonly<Record<string, Reduction>> = {
  average: 'avg',
  mean: 'avg',
  minimum: 'min',
  maximum: 'max',
  total: 'sum',
  latest: 'last',
  current: 'last',
}

/** The reduction of this name in any case; `last` for what nobody knows. */
export function reductionOf(name: string): Reduction {
  const word = name.trim().toLowerCase()
  const other = Object.hasOwn(otherNames, word) ? otherNames[word] : undefined
  return reductions.find(one => one === word) ?? other ?? 'last'
}

/** `values` in order of time; undefined when there are none. */
export function reduced(values: readonly number[], reduction: Reduction): number | undefined {
  if (values.length === 0) return undefined
  switch (reduction) {
    case 'sum':
      return values.reduce((sum, value) => sum + value, 0)
    case 'avg':
      return values.reduce((sum, value) => sum + value, 0) / values.length
    case 'min':
      return values.reduce((a, b) => Math.min(a, b))
    case 'max':
      return values.reduce((a, b) => Math.max(a, b))
    case 'first':
      return values[0]
    case 'last':
      return values.at(-1)
    case 'median': {
      const sorted = values.toSorted((a, b) => a - b)
      const middle = sorted.length / 2
      const [low, high] = [sorted[Math.ceil(middle) - 1]!, sorted[Math.floor(middle)]!]
      return low / 2 + high / 2
    }
  }
}
