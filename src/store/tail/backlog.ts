/**
 * What a tail begins with, in order of arrival: the last few records that match, or all that a client
 * has missed. Everything here arrived before the tail began; what follows comes from the pump.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { limits } from '../../limits.ts'
import { ProblemError } from '../../problems.ts'
import type { ExecuteResult } from '../../query/execute.ts'
import type { FoundRecord } from '../../query/rebuild.ts'
import type { Arrived, ScanQuery } from '../../query/scan-task.ts'
import { type Sequence, timeMax } from '../../record.ts'
import { sequenceBehind } from '../answer/place-text.ts'
import type { TailRequest } from '../store.ts'
import type { TailText } from './queue.ts'
import { recordText, type TailForm } from './text.ts'

/** Finds the `limit` records that arrived last of those between two places, and counts all of them. */
export type FindArrived = (
  arrived: Arrived,
  limit: number,
) => Promise<{ readonly count: number; readonly records: readonly FoundRecord[] }>

/** Of a query that asks for records by arrival. */
const allTimes = { startTime: -timeMax, endTime: timeMax } as const

/** The way to what a tail begins with, by a query; `run` runs one. */
export function findArrivedBy(
  { selector, start }: Pick<TailRequest, 'selector' | 'start'>,
  run: (query: Omit<ScanQuery, 'collector'>) => Promise<{ readonly result: ExecuteResult }>,
): FindArrived {
  const since = 'last' in start ? start.since : undefined
  const times = since === undefined ? allTimes : { ...allTimes, startTime: since }
  return async (arrived, limit) => {
    const asked = { selector, ...times, limit, order: 'latest', after: undefined, arrived } as const
    return (await run(asked)).result
  }
}

/** Records looked through at first for the last few; each further time this many times more. */
const firstWindow = 20_000
const windowGrowth = 16

/** Records of one text: a millisecond of the main thread. */
const textRecords = 250

/**
 * How to find what a tail begins with, once it is known which record is the first to come from the
 * pump; `first`: of all that are this service's, where others have their own. Throws ProblemError
 * `field_invalid` for an id that is not one, or of theirs.
 */
export function backlogOf(
  { start, form = 'events' }: Pick<TailRequest, 'start' | 'form'>,
  find: FindArrived,
  first?: Sequence,
): (before: Sequence) => Promise<readonly TailText[]> {
  if ('last' in start) {
    const { last } = start
    const beforeAll = (first ?? 0) - 1
    return async before => textsOf(await lastOf(find, last, { after: beforeAll, before }), form)
  }
  const after = sequenceBehind(start.after) - 1
  if (first !== undefined && after < first - 1) throw tailOfAnother()
  return before => {
    if (first !== undefined && after >= before) throw tailOfAnother()
    return missed(find, { after, before }, form)
  }
}

function tailOfAnother(): ProblemError {
  const detail = '"Last-Event-ID" is of a tail on another front end, where it can go on'
  return new ProblemError('field_invalid', detail, { field: 'Last-Event-ID' })
}

/** All that match and arrived after `after`; a gap first when they are more than may wait. */
async function missed(
  find: FindArrived,
  { after, before }: Arrived,
  form: TailForm,
): Promise<readonly TailText[]> {
  if (after + 1 >= before) return []
  const { count, records } = await find({ after, before }, limits.tailQueueRecordsMax)
  const gap = { count: count - records.length, text: undefined }
  return [gap, ...(await textsOf(records, form))]
}

/**
 * The last `last` that match. To look through everything for each client that connects would cost too
 * much, and the last few are mostly among the last many: so further and further back.
 */
async function lastOf(
  find: FindArrived,
  last: number,
  { after: beforeAll, before }: Arrived,
): Promise<readonly FoundRecord[]> {
  if (last === 0) return []
  for (let window = firstWindow; ; window *= windowGrowth) {
    const after = Math.max(beforeAll, before - window)
    const { records } = await find({ after, before }, last)
    if (records.length === last || after === beforeAll) return records
  }
}

/** Records, the last one first, as texts in order of arrival. */
async function textsOf(records: readonly FoundRecord[], form: TailForm): Promise<TailText[]> {
  const inOrder = records.toReversed()
  const texts: TailText[] = []
  for (let i = 0; i < inOrder.length; i += textRecords) {
    const some = inOrder.slice(i, i + textRecords)
    texts.push({
      count: some.length,
      text: Buffer.from(some.map(record => recordText(record, form)).join('')),
    })
    await nextTurn()
  }
  return texts
}
