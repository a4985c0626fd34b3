/**
 * What ClickHouse answers to a question about records: by itself, as far as SQL says exactly what is asked;
 * of all others the records are fetched, to be tested and counted here.
 */

import { ProblemError } from '../../problems.ts'
import type { Collector } from '../../query/collect/collector.ts'
import { recordsToFind, type ScanQuery } from '../../query/scan-task.ts'
import type { Statement } from './connection.ts'
import {
  allRows,
  collectedBy,
  countOf,
  countsOf,
  firstRows,
  knownOf,
  rowsAt,
  type StagedCounts,
  unknownOf,
  type Where,
} from './fetch-statement.ts'
import type { FetchedFile } from './fetched-records.ts'
import { neededAttributes } from './needed-attributes.ts'
import type { CollectedQuestion } from './sql/collected.ts'
import { type Staging, type Told, toldOf } from './sql/told.ts'

type Query = Omit<ScanQuery, 'collector'>

/** Both files are to be released. */
export interface Answered {
  /** Records that may match. */
  readonly tested: FetchedFile | undefined
  /** How many others match, and are in the collector. */
  readonly counted: number
  /** The first of these, in the query's order. */
  readonly firsts: FetchedFile | undefined
}

export const nothingAnswered: Answered = { tested: undefined, counted: 0, firsts: undefined }

/** How ClickHouse is asked. */
export interface Asking {
  rows<Row>(statement: Statement): Promise<Row[]>
  binary(statement: Statement): Promise<readonly Buffer<ArrayBuffer>[]>
  fetch(statement: Statement): Promise<FetchedFile>
}

/** `where`: those that may match. Throws what `asking` does, and ProblemError `query_too_large`. */
export async function answeredBy(
  query: Query,
  where: Where,
  collector: Collector | undefined,
  asking: Asking,
): Promise<Answered> {
  const told = query.chosen === undefined ? toldOf(query.selector, collector?.request) : undefined
  const answered = told && (await answeredThere(query, where, { told, collector }, asking))
  if (answered !== undefined) return answered
  const tested = await asking.fetch(allRows(where, neededAttributes(query, collector?.request)))
  return { ...nothingAnswered, tested }
}

/** Undefined where that is too much to tell. */
async function answeredThere(
  query: Query,
  where: Where,
  { told, collector }: { readonly told: Told; readonly collector: Collector | undefined },
  asking: Asking,
): Promise<Answered | undefined> {
  const { question, staging } = told
  const known = knownOf(where, staging)
  const collecting = question && collected(known, question, asking)
  const counting = countedThere(query, where, staging, asking)
  const outcomes = await Promise.allSettled([collecting, counting])
  const { firsts, counts } = await counting.catch(() => ({ firsts: undefined, counts: undefined }))
  let tested: FetchedFile | undefined
  try {
    // Not before all have ended: nothing of a failed query stays behind.
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
    const plain = await question?.plainOf((await collecting) ?? [])
    if (question !== undefined && plain === undefined) {
      firsts?.release()
      return undefined
    }
    if (staging !== undefined && Number(counts?.left) > 0) {
      tested = await asking.fetch(allRows(unknownOf(where, staging)))
    }
    if (plain !== undefined) addTo(collector, plain)
    return { tested, firsts, counted: Number(counts?.found) }
  } catch (error) {
    firsts?.release()
    tested?.release()
    throw error
  }
}

interface CountedThere {
  readonly counts: Pick<StagedCounts, 'found'> & Partial<StagedCounts>
  /** The first records that are known, to be released; undefined where none is wanted, or there. */
  readonly firsts: FetchedFile | undefined
}

/** How many are known, and the first of them. Where it fails nothing is to be released. */
async function countedThere(
  query: Query,
  where: Where,
  staging: Staging | undefined,
  asking: Asking,
): Promise<CountedThere> {
  const { order, after } = query
  const limit = recordsToFind(query)
  if (staging !== undefined) {
    const [counts] = await asking.rows<StagedCounts>(countsOf(where, query, limit, staging))
    const statement = rowsAt(where, counts!, order)
    return { counts: counts!, firsts: statement && (await asking.fetch(statement)) }
  }
  const counting = asking.rows<Pick<StagedCounts, 'found'>>(countOf(where))
  const fetching = limit === 0 ? undefined : asking.fetch(firstRows(where, order, after, limit))
  await Promise.allSettled([counting, fetching])
  const firsts = await fetching
  try {
    const [counts] = await counting
    return { counts: counts!, firsts }
  } catch (error) {
    firsts?.release()
    throw error
  }
}

async function collected(
  where: Where,
  question: CollectedQuestion,
  asking: Asking,
): Promise<readonly unknown[]> {
  const statement = collectedBy(where, question)
  if (question.rowsOf === undefined) return asking.rows(statement)
  return question.rowsOf(await asking.binary(statement))
}

/** Throws ProblemError `query_too_large` when that is more than may be collected. */
function addTo(collector: Collector | undefined, plain: unknown): void {
  collector?.addPlain(plain)
  const refusal = collector?.refusal
  if (refusal !== undefined) throw new ProblemError('query_too_large', refusal, { field: 'query' })
}
