/** As many records on either side of one as there is room for, the nearest first. */

import type { AnswerRecord } from '../../../store/store.ts'
import type { Budget } from './budget.ts'
import { fitNext, fitRecord, type ShownRecord, usualLength } from './shown-records.ts'

export interface BothSides<T> {
  /** In order of time, as `after`. */
  readonly before: readonly T[]
  readonly after: readonly T[]
}

interface Fitting {
  readonly budget: Budget
  /** One is given whatever there is room for, so that each answer gets further. */
  readonly needsOne: boolean
}

/** In turn from either side. */
export function fitSides(
  { before, after }: BothSides<AnswerRecord>,
  { budget, needsOne }: Fitting,
): BothSides<ShownRecord> {
  const shown = { before: [] as ShownRecord[], after: [] as ShownRecord[] }
  let isFirst = needsOne
  const fit = (record: AnswerRecord) => {
    const fitted = isFirst ? fitRecord(record, budget, usualLength) : fitNext(record, budget)
    isFirst = false
    return fitted
  }
  for (let distance = 0; distance < Math.max(before.length, after.length); distance++) {
    const earlier = distance < before.length ? before.at(-1 - distance) : undefined
    if (earlier !== undefined) {
      const fitted = fit(earlier)
      if (fitted === undefined) break
      shown.before.unshift(fitted)
    }
    const later = after[distance]
    if (later !== undefined) {
      const fitted = fit(later)
      if (fitted === undefined) break
      shown.after.push(fitted)
    }
  }
  return shown
}
