/** The records around one. */

import { Type } from 'typebox'
import { limits } from '../../../../limits.ts'
import type { AnswerRecord } from '../../../../store/store.ts'
import type { Budget } from '../budget.ts'
import { linkTo } from '../page-links.ts'
import { fitNext, fitRecord, type ShownRecord } from '../shown-records.ts'
import { tool } from '../tool.ts'

const neighbours = (side: string) =>
  Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: limits.contextRecordsMax,
      description: `an integer between 0 and ${limits.contextRecordsMax}: how many records ${side} it; ${limits.contextRecordsDefault} when absent`,
    }),
  )

export const logContext = tool({
  name: 'log_context',
  title: 'Records around one',
  description: `What the same service logged right before and after a record, whatever the search was that found it.
With "before": 0 and "after": 0 it shows that record alone, with values as long as the answer may be.`,
  parameters: {
    id: Type.String({ description: 'the "id" of a record in an answer' }),
    before: neighbours('before'),
    after: neighbours('after'),
  },
  async call(asked, { store, run, budget, links }) {
    const { before = limits.contextRecordsDefault, after = limits.contextRecordsDefault } = asked
    const wanted = { id: asked.id, before, after }
    const found = await run(stop => store.context(wanted, stop))
    const open = linkTo(links.record(found.record.id, found.record.timestamp), budget)
    const isAlone = before === 0 && after === 0
    const record = fitRecord(found.record, budget, isAlone ? undefined : 2_000)
    const sides = fitSides(found.before, found.after, budget)
    const leftOut = {
      before: found.before.length - sides.before.length,
      after: found.after.length - sides.after.length,
    }
    const isCut = leftOut.before + leftOut.after > 0
    return {
      before: sides.before,
      record,
      after: sides.after,
      ...(isCut && {
        leftOut,
        hint: 'call again with the id of the outermost record, or a larger maxTokens',
      }),
      open,
    }
  },
})

/** The nearest first, in turn from either side, until there is no more room. */
function fitSides(before: readonly AnswerRecord[], after: readonly AnswerRecord[], budget: Budget) {
  const shown = { before: [] as ShownRecord[], after: [] as ShownRecord[] }
  for (let distance = 0; distance < Math.max(before.length, after.length); distance++) {
    const earlier = before.at(-1 - distance)
    if (distance < before.length && earlier !== undefined) {
      const fitted = fitNext(earlier, budget)
      if (fitted === undefined) break
      shown.before.unshift(fitted)
    }
    const later = after[distance]
    if (later !== undefined) {
      const fitted = fitNext(later, budget)
      if (fitted === undefined) break
      shown.after.push(fitted)
    }
  }
  return shown
}
