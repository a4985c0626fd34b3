/** The names of all fields that records have. */

import { parseSingle } from '../../../../language/grammar.ts'
import { readRange, shownRange } from '../asked-range.ts'
import { countBefore, readCursor } from '../cursor.ts'
import { fitList } from '../fit-list.ts'
import { linkTo } from '../page-links.ts'
import { cursorParameter, recordsParameters } from '../query-parameters.ts'
import { tool } from '../tool.ts'

export const listFields = tool({
  name: 'list_fields',
  title: 'List fields',
  description: `Start here. The names of all fields of the records that match, with how many records have each, the
most frequent first. A query knows fields by exactly these names. Then list_values shows what a field holds.`,
  parameters: { ...recordsParameters, ...cursorParameter },
  async call(asked, { store, run, now, budget, links }) {
    const cursor = readCursor(asked.cursor)
    const range = readRange(asked, now, cursor)
    const { selector, offsetMs } = parseSingle(asked.query)
    const times = { startTime: range.startTime - offsetMs, endTime: range.endTime - offsetMs }
    const open = linkTo(links.logs(asked.query, range), budget)
    const { fields } = await run(stop => store.fields({ selector, ...times }, stop))
    const { given, ...more } = fitList(fields, { budget, before: countBefore(cursor), range })
    return { fieldCount: fields.length, ...shownRange(range), fields: given, ...more, open }
  },
})
