/** One record by its id: found by its place, which sealing and compaction do not change. */

import { everyRecord } from '../../language/ast.ts'
import { ProblemError } from '../../problems.ts'
import type { FoundRecord } from '../../query/rebuild.ts'
import type { RecordPlace } from '../../query/top-k.ts'
import type { SelectStats } from '../store.ts'
import type { RunQuery } from './explore.ts'
import { placeOfId } from './place-text.ts'

export interface RecordById {
  readonly record: FoundRecord
  readonly place: RecordPlace
  readonly stats: SelectStats
}

/** Throws ProblemError `field_invalid` for what is no id, `record_unknown` when no record has it. */
export async function recordById(id: string, run: RunQuery): Promise<RecordById> {
  const place = placeOfId(id)
  const { timestamp, sequence } = place
  // The first after the place just before it.
  const after = { timestamp, sequence: sequence - 1 }
  const time = { startTime: timestamp, endTime: timestamp }
  const query = { selector: everyRecord, ...time, limit: 1, order: 'asc', after } as const
  const { result, stats } = await run(query, () => undefined)
  const record = result.records.find(found => found.sequence === sequence)
  if (record === undefined) {
    throw new ProblemError('record_unknown', 'no record has this id, or has it any more')
  }
  return { record, place, stats }
}
