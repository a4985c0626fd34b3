/** The values of one field. */

import { Type } from 'typebox'
import { limits } from '../../../../limits.ts'
import { shownRange } from '../asked-range.ts'
import { readAsked } from '../asked-records.ts'
import { countBefore } from '../cursor.ts'
import { fitList } from '../fit-list.ts'
import { cursorParameter, limitParameter, recordsParameters } from '../query-parameters.ts'
import { tool } from '../tool.ts'

export const listValues = tool({
  name: 'list_values',
  title: 'List values of a field',
  description: `The values of one field of the records that match, with counts, the most frequent first: up to
${limits.topValuesMax} of them. Use it before you filter by a field, so that the value is written as it is stored.`,
  parameters: {
    ...recordsParameters,
    field: Type.String({ description: 'a name from list_fields, such as service.name' }),
    prefix: Type.Optional(Type.String({ description: 'what the values begin with; case counts' })),
    ...limitParameter,
    ...cursorParameter,
  },
  async call(asked, context) {
    const { field, prefix = '', limit } = asked
    const { cursor, range, selector, times, open } = readAsked(asked, context)
    const { store, run, budget } = context
    const wanted = { selector, ...times, field, prefix, limit: limits.topValuesMax }
    const { values, tooManyValues } = await run(stop => store.values(wanted, stop))
    const before = countBefore(cursor)
    const fitting = { budget, before, range, ...(limit !== undefined && { limit }) }
    const { given, ...more } = fitList(values, fitting)
    const remedy = tooManyValues && {
      tooManyValues: 'more values than are counted: narrow the query, the time, or "prefix"',
    }
    return { field, ...remedy, ...shownRange(range), values: given, ...more, open }
  },
})
