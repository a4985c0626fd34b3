/** The records around one. */

import { Type } from 'typebox'
import { limits } from '../../../../limits.ts'
import { placeOfId } from '../../../../store/answer/place-text.ts'
import { printSides, readSides, type Side, type Sides } from '../context-cursor.ts'
import { readCursor } from '../cursor.ts'
import { fitSides } from '../fit-sides.ts'
import { linkTo } from '../page-links.ts'
import { cursorParameter } from '../query-parameters.ts'
import { fitRecord } from '../shown-records.ts'
import { type ToolContext, tool } from '../tool.ts'

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
With "before": 0 and "after": 0 it shows that record alone, with values as long as the answer may be. Those nearest to it
come first; with "nextCursor" come those further out.`,
  parameters: {
    id: Type.String({ description: 'the "id" of a record in an answer' }),
    before: neighbours('before'),
    after: neighbours('after'),
    ...cursorParameter,
  },
  async call(asked, context) {
    const {
      id,
      before = limits.contextRecordsDefault,
      after = limits.contextRecordsDefault,
    } = asked
    const { budget, links } = context
    const open = linkTo(links.record(id, placeOfId(id).timestamp), budget)
    const cursor = readCursor(asked.cursor)
    if (cursor !== undefined) return { ...(await further(readSides(cursor), context)), open }
    const { store, run } = context
    const found = await run(stop => store.context({ id, before, after }, stop))
    const isAlone = before === 0 && after === 0
    const record = fitRecord(found.record, budget, isAlone ? undefined : 2_000)
    const fitted = fitSides(found, { budget, needsOne: false })
    const left = { before: { id, count: before }, after: { id, count: after } }
    return {
      before: fitted.before,
      record,
      after: fitted.after,
      ...nextOf(left, found, fitted),
      open,
    }
  },
})

/** What lies further out than all that was given before. */
async function further(sides: Sides, { store, run, budget }: ToolContext) {
  const ask = async (side: keyof Sides, counts: { before: number; after: number }) => {
    const { id, count } = sides[side]
    if (count === 0) return []
    return (await run(stop => store.context({ id, ...counts }, stop)))[side]
  }
  const found = {
    before: await ask('before', { before: sides.before.count, after: 0 }),
    after: await ask('after', { before: 0, after: sides.after.count }),
  }
  const fitted = fitSides(found, { budget, needsOne: true })
  return { ...fitted, ...nextOf(sides, found, fitted) }
}

type Both = { readonly [side in keyof Sides]: readonly { readonly id: string }[] }

/** How many records there was no room for, and where they are; nothing when these were all. */
function nextOf(asked: Sides, found: Both, given: Both) {
  const leftOut = {
    before: found.before.length - given.before.length,
    after: found.after.length - given.after.length,
  }
  if (leftOut.before + leftOut.after === 0) return {}
  const side = (name: keyof Sides, outermost: { readonly id: string } | undefined): Side => ({
    id: outermost?.id ?? asked[name].id,
    count: leftOut[name],
  })
  const next = {
    before: side('before', given.before[0]),
    after: side('after', given.after.at(-1)),
  }
  return { leftOut, nextCursor: printSides(next) }
}
