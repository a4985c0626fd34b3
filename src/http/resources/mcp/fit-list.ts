/** As many items of a list as the budget holds, and where the list continues. */

import type { TimeRange } from '../../../record.ts'
import type { Budget } from './budget.ts'
import { printCursor } from './cursor.ts'
import { cutTexts } from './cut.ts'

/** Texts of an item are cut at these many characters, until it fits. */
const lengths = [400, 120, 40, 16]

export interface FittedList<Item> {
  readonly given: Item[]
  /** Absent when these are the last. */
  readonly nextCursor?: string
}

interface Fitting {
  readonly budget: Budget
  /** How many came before. */
  readonly before: number
  /** That the list is about; absent for no time. */
  readonly range?: TimeRange
  /** How many at most; absent: as many as fit. */
  readonly limit?: number
}

/** At least one, however small the budget is: each call gets further. */
export function fitList<Item>(
  items: readonly Item[],
  { budget, before, range, limit = Number.POSITIVE_INFINITY }: Fitting,
): FittedList<Item> {
  const given: Item[] = []
  for (const item of items.slice(before)) {
    if (given.length >= limit) break
    const fitted = given.length === 0 ? fitFirst(item, budget) : fitOne(item, budget)
    if (fitted === undefined) break
    given.push(fitted)
  }
  const next = before + given.length
  if (next >= items.length) return { given }
  return { given, nextCursor: printCursor({ range, next: `${next}` }) }
}

function fitOne<Item>(item: Item, budget: Budget): Item | undefined {
  const shown = cutTexts(item, lengths[0]!) as Item
  return budget.take(shown) ? shown : undefined
}

function fitFirst<Item>(item: Item, budget: Budget): Item {
  for (const length of lengths) {
    const shown = cutTexts(item, length) as Item
    if (budget.take(shown)) return shown
  }
  return cutTexts(item, lengths.at(-1)!) as Item
}
