/** The names of all fields that records have. */

import { shownRange } from '../asked-range.ts'
import { readAsked } from '../asked-records.ts'
import { countBefore } from '../cursor.ts'
import { fitList } from '../fit-list.ts'
import { cursorParameter, recordsParameters } from '../query-parameters.ts'
import { tool } from '../tool.ts'

export const listFields = tool({
  name: 'list_fields',
  title: 'List fields',
  description: `Start here. The names of all fields of the records that match, with how many records have each, the
most frequent first. A query knows fields by exactly these names. Then list_values shows what a field holds.`,
  parameters: { ...recordsParameters, ...cursorParameter },
  async call(asked, context) {
    const { cursor, range, selector, times, open } = readAsked(asked, context)
    const { store, run, budget } = context
    const { fields } = await run(stop => store.fields({ selector, ...times }, stop))
    const { given, ...more } = fitList(fields, { budget, before: countBefore(cursor), range })
    return { fieldCount: fields.length, ...shownRange(range), fields: given, ...more, open }
  },
})
