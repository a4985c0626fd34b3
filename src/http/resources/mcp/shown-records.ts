/** Records as a model reads them: few words around the values, and long values cut. */

import { levelLabel, streamLabels, type TimeRange } from '../../../record.ts'
import { cursorBehind } from '../../../store/answer/place-text.ts'
import type { AnswerRecord } from '../../../store/store.ts'
import { shownTime } from './asked-range.ts'
import type { Budget } from './budget.ts'
import { printCursor } from './cursor.ts'
import { cutText } from './cut.ts'

export interface ShownRecord {
  readonly id: string
  readonly time: string
  readonly level: string
  readonly service: string
  readonly environment: string
  readonly message: string
  /** All others. */
  readonly attributes: Readonly<Record<string, string>>
  /** How many attributes there was no room for. */
  readonly attributesLeftOut?: number
}

/** Values of a record among others are cut at so many characters. */
export const usualLength = 400
/** Those of one that must be shown, until it fits. */
const lengths = [20_000, 4_000, 1_200, usualLength, 120, 40, 16]

export function shownRecord(record: AnswerRecord, lengthMax: number): ShownRecord {
  const { id, timestamp, message } = record
  const { [streamLabels.service]: service = '', ...rest } = record.attributes
  const { [streamLabels.environment]: environment = '', ...others } = rest
  const cut = (text: string) => cutText(text, lengthMax)
  const attributes = Object.entries(others).map(([name, value]) => [name, cut(value)])
  return {
    id,
    time: shownTime(timestamp),
    level: cut(record[levelLabel]),
    service: cut(service),
    environment: cut(environment),
    message: cut(message),
    attributes: Object.fromEntries(attributes),
  }
}

/** One record, as much of it as fits. */
export function fitRecord(
  record: AnswerRecord,
  budget: Budget,
  longest = lengths[0]!,
): ShownRecord {
  for (const length of lengths.filter(length => length <= longest)) {
    const shown = shownRecord(record, length)
    if (budget.take(shown)) return shown
  }
  return withoutAttributes(shownRecord(record, lengths.at(-1)!), budget)
}

/** With as many attributes as fit. */
function withoutAttributes(record: ShownRecord, budget: Budget): ShownRecord {
  const bare = { ...record, attributes: {}, attributesLeftOut: 0 }
  budget.take(bare)
  const all = Object.entries(record.attributes)
  const kept = all.filter(([name, value]) => budget.take({ [name]: value }))
  const attributes = Object.fromEntries(kept)
  return { ...bare, attributes, attributesLeftOut: all.length - kept.length }
}

/** Undefined when there is no room for one more. */
export function fitNext(record: AnswerRecord, budget: Budget): ShownRecord | undefined {
  const shown = shownRecord(record, usualLength)
  return budget.take(shown) ? shown : undefined
}

export interface RecordsPage {
  readonly records: ShownRecord[]
  readonly nextCursor?: string
}

interface Page {
  readonly records: readonly AnswerRecord[]
  readonly hasMore: boolean
  readonly order: 'asc' | 'desc'
  /** That they are of; absent for all of time. */
  readonly range?: TimeRange
}

/** As many records of a page as fit, at least one, and a cursor behind the last of them. */
export function fitRecords(page: Page, budget: Budget): RecordsPage {
  const { records, hasMore, order, range } = page
  const given: ShownRecord[] = []
  for (const record of records) {
    const shown =
      given.length === 0 ? fitRecord(record, budget, usualLength) : fitNext(record, budget)
    if (shown === undefined) break
    given.push(shown)
  }
  const last = given.at(-1)
  if (last === undefined || (given.length === records.length && !hasMore)) return { records: given }
  const next = cursorBehind(last.id, order)
  return { records: given, nextCursor: printCursor({ range, next }) }
}
