/**
 * Runs queries over what ClickHouse has and what of the journal it has not: rows that may match are fetched
 * (`fetched-records.ts`), and scanned beside the journal's ranges by the code that scans those. So each
 * question has one meaning, whichever the store.
 *
 * What is asked of whom is settled when a query begins: it sees the journal's files of that moment, and
 * ClickHouse is asked for all but these, whatever is sent there meanwhile. So each record is seen once.
 */
import type { Logger } from 'pino'
import { allEntries, type EntryFilter, type IndexEntry } from '../../index/entry.ts'
import { type SourceRef, sourceKey } from '../../index/source.ts'
import { fetchedFilesFrom, journalPath } from '../../journal/files.ts'
import { ProblemError } from '../../problems.ts'
import type { Collector } from '../../query/collect/collector.ts'
import { type ExecuteResult, execute } from '../../query/execute.ts'
import { type Plan, type PlanStats, plan } from '../../query/plan.ts'
import { Predicate } from '../../query/predicate.ts'
import { recordsToFind, type ScanQuery } from '../../query/scan-task.ts'
import { type Stream, type Timestamp, timeMax } from '../../record.ts'
import { distinctOf, runWithDistinct } from '../answer/distinct.ts'
import type { QueryOutcome, RunQuery } from '../answer/explore.ts'
import { exportText, exportView } from '../answer/export.ts'
import type { QueryEngineParts } from '../answer/query-engine.ts'
import type { ExportRequest, SelectStats } from '../store.ts'
import type { Connection, Statement } from './connection.ts'
import { exportSlices } from './export-slices.ts'
import {
  allRows,
  type Boundary,
  collectedBy,
  countOf,
  firstRows,
  settings,
  type Where,
  whereOf,
} from './fetch-statement.ts'
import { type FetchedFile, type FetchedRecords, problemOf } from './fetched-records.ts'
import type { OtherFrontEnds } from './front-ends.ts'
import { neededAttributes } from './needed-attributes.ts'
import { orAborted } from './or-aborted.ts'
import { type CollectedQuestion, collectedQuestion } from './sql/collected.ts'
import { conditionOf, type SqlCondition } from './sql/condition.ts'
import type { WordIndex } from './word-index.ts'

export interface ClickHouseEngineParts
  extends Pick<QueryEngineParts, 'ranges' | 'queries' | 'pool' | 'metrics'> {
  readonly frontEnd: string
  readonly paths: { readonly journal: string }
  readonly logger: Logger
  readonly fetched: FetchedRecords
  readonly connection: Pick<Connection, 'rows' | 'binary'>
  readonly others: Pick<OtherFrontEnds, 'asOf'>
  readonly words: Pick<WordIndex, 'isThere'>
}

type Query = Omit<ScanQuery, 'collector'>
type Asked = Pick<ScanQuery, 'startTime' | 'endTime' | 'arrived' | 'chosen'>

/** A slice of an export has a record for so many bytes that may be fetched; of larger ones it is halved. */
const sliceBytesOfRecord = 2_048

/** What a query sees. */
interface View {
  readonly ofJournal: readonly IndexEntry[]
  readonly fetched: FetchedFile | undefined
  /** How many records of ClickHouse match, of which the first are fetched; undefined: those that may match
   *  are fetched, and are to be tested and counted. */
  readonly counted: number | undefined
}

export class ClickHouseEngine {
  readonly #parts: ClickHouseEngineParts

  constructor(parts: ClickHouseEngineParts) {
    this.#parts = parts
  }

  /** As `QueryEngine.run`. Throws what `FetchedRecords.fetch` does, as well. */
  async run<T extends Collector | undefined>(
    query: Query,
    newCollector: () => T,
    signal: AbortSignal,
  ): Promise<QueryOutcome<T>> {
    return runWithDistinct(query, newCollector, this.#runUntil(signal))
  }

  /** As `QueryEngine.exportText`. */
  async *exportText(
    request: ExportRequest,
    signal: AbortSignal,
  ): AsyncGenerator<Uint8Array, void, undefined> {
    const { queries, pool, logger } = this.#parts
    const leave = queries.enter()
    try {
      const distinct = await distinctOf(request, this.#runUntil(signal))
      const asked = distinct === undefined ? request : { ...request, chosen: distinct.chosen }
      const predicate = new Predicate(request.selector)
      const condition = await this.#conditionOf(request, signal)
      const { ofJournal, boundary } = this.#ofJournal(request, predicate)
      const takeDamageOut = () => logger.error('an export met damaged frames')
      let isContinued = false
      for await (const { range, fetched } of this.#slices(asked, condition, boundary, signal)) {
        try {
          const entries = [...ofJournal, ...fetched.entries(allEntries)]
          const sources = exportView(entries, predicate, source => this.#pathOf(source))
          const parts = { pool, takeDamageOut, isContinued }
          yield* exportText({ ...asked, ...range }, sources, parts, signal)
        } finally {
          fetched.release()
        }
        isContinued = true
      }
    } finally {
      leave()
    }
  }

  #slices(
    request: ExportRequest & Pick<Asked, 'chosen'>,
    condition: SqlCondition,
    boundary: Boundary,
    signal: AbortSignal,
  ) {
    const { fetched } = this.#parts
    const chosen = request.chosen && { chosen: request.chosen }
    return exportSlices(request, {
      rows: statement => this.#rows({ ...statement, settings }, signal),
      fetch: statement => fetched.fetch(statement, signal),
      whereIn: range => whereOf({ ...range, ...chosen }, condition, boundary),
      recordsMax: Math.floor(fetched.bytesMax / sliceBytesOfRecord),
    })
  }

  #runUntil(signal: AbortSignal): RunQuery {
    return (query, newCollector) => this.#run(query, newCollector, signal)
  }

  async #run<T extends Collector | undefined>(
    query: Query,
    newCollector: () => T,
    signal: AbortSignal,
  ): Promise<QueryOutcome<T>> {
    const { queries, metrics, pool, logger } = this.#parts
    const startedAt = performance.now()
    const leave = queries.enter()
    let view: View | undefined
    try {
      const predicate = new Predicate(query.selector)
      const collector = newCollector()
      // Before anything is asked: what the others have sent until then is in the answer.
      const asOf =
        query.isExplained === true
          ? undefined
          : await this.#asking(this.#parts.others.asOf(), signal)
      view = await this.#viewOf(query, predicate, collector, signal)
      const planned = planOf(query, predicate, collector, view)
      const scanQuery = { ...query, collector: collector?.request }
      const pathOf = (source: SourceRef) => this.#pathOf(source)
      const result = await execute(planned, scanQuery, collector, pathOf, pool, signal)
      const { damagedFrames } = result.stats
      if (damagedFrames > 0) logger.error({ damagedFrames }, 'a query met damaged frames')
      const stats = statsOf(planned.stats, result, performance.now() - startedAt, asOf)
      metrics.noteQuery(stats)
      return { result, collector, stats }
    } catch (error) {
      metrics.noteFailedQuery()
      throw error
    } finally {
      view?.fetched?.release()
      leave()
    }
  }

  async #conditionOf(
    { selector }: Pick<ScanQuery, 'selector'>,
    signal: AbortSignal,
  ): Promise<SqlCondition> {
    const hasWords = await this.#asking(this.#parts.words.isThere(), signal)
    return conditionOf(selector, hasWords)
  }

  /** What of the journal is in sight at this moment, and where ClickHouse's part ends. */
  #ofJournal({ startTime, endTime, arrived }: Asked, predicate: Predicate) {
    const { ranges, frontEnd } = this.#parts
    const wantsStream = (stream: Stream) => predicate.matchesStream(stream)
    const filter: EntryFilter = { wantsStream, startTime, endTime }
    const ofJournal = [...ranges.entries({ ...filter, arrivedAfter: arrived?.after ?? -1 })]
    const boundary: Boundary = { frontEnd, firstFile: firstOf(ranges.files) }
    return { ofJournal, boundary }
  }

  /** What is in sight at this moment, of which ClickHouse tells its part, and adds to the collector where it
   *  can count by itself. */
  async #viewOf(
    query: Query,
    predicate: Predicate,
    collector: Collector | undefined,
    signal: AbortSignal,
  ): Promise<View> {
    const { fetched: records } = this.#parts
    if (query.isExplained === true) {
      const { ofJournal } = this.#ofJournal(query, predicate)
      return { ofJournal, fetched: undefined, counted: undefined }
    }
    const condition = await this.#conditionOf(query, signal)
    const { ofJournal, boundary } = this.#ofJournal(query, predicate)
    const where = whereOf(query, condition, boundary)
    const question = collector && collectedQuestion(collector.request, query.selector)
    const isCountedThere =
      condition.isExact &&
      query.chosen === undefined &&
      (collector === undefined || question !== undefined)
    const rows = allRows(where, neededAttributes(query, collector?.request))
    if (!isCountedThere) {
      return { ofJournal, fetched: await records.fetch(rows, signal), counted: undefined }
    }
    const collecting = question && this.#collected(where, question, signal)
    const counting = this.#rows<{ found: number | string }>(countOf(where), signal)
    const limit = recordsToFind(query)
    const first = firstRows(where, query.order, query.after, limit)
    const fetching = limit === 0 ? undefined : records.fetch(first, signal)
    const outcomes = await Promise.allSettled([collecting, counting, fetching])
    const fetched = fetching && (await fetching.catch(() => undefined))
    try {
      // Not before all have ended: nothing of a failed query stays behind.
      for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
      const plain = question?.plainOf((await collecting) ?? [])
      if (question !== undefined && plain === undefined) {
        fetched?.release()
        return {
          ofJournal,
          fetched: await records.fetch(rows, signal),
          counted: undefined,
        }
      }
      if (plain !== undefined) addTo(collector, plain)
      return { ofJournal, fetched, counted: Number((await counting)[0]?.found ?? 0) }
    } catch (error) {
      fetched?.release()
      throw error
    }
  }

  #rows<Row>(statement: Statement, signal: AbortSignal): Promise<Row[]> {
    return this.#asking(this.#parts.connection.rows<Row>({ ...statement, signal }), signal)
  }

  async #collected(
    where: Where,
    question: CollectedQuestion,
    signal: AbortSignal,
  ): Promise<readonly unknown[]> {
    const statement = collectedBy(where, question)
    if (question.rowsOf === undefined) return this.#rows(statement, signal)
    const answer = this.#parts.connection.binary({ ...statement, signal })
    return question.rowsOf(await this.#asking(answer, signal))
  }

  /** Throws the signal's reason, or ProblemError `clickhouse_unreachable`. */
  async #asking<Answer>(answer: Promise<Answer>, signal: AbortSignal): Promise<Answer> {
    try {
      return await orAborted(answer, signal)
    } catch (error) {
      signal.throwIfAborted()
      throw problemOf(error)
    }
  }

  #pathOf(source: SourceRef): string {
    if (source.kind !== 'journal') throw new TypeError('this store has no blocks')
    const { fetched, paths } = this.#parts
    const { file } = source
    return file < fetchedFilesFrom ? journalPath(paths.journal, file) : fetched.pathOf(file)
  }
}

/** What is counted already is searched for the first records alone. */
function planOf(
  query: Query,
  predicate: Predicate,
  collector: Collector | undefined,
  { ofJournal, fetched, counted }: View,
): Plan {
  const ofFetched = [...(fetched?.entries(allEntries) ?? [])]
  const entries = counted === undefined ? [...ofJournal, ...ofFetched] : ofJournal
  const planned = plan({ ...query, predicate, collector }, entries)
  if (counted === undefined) return planned
  const sources = new Map(ofFetched.map(entry => [sourceKey(entry.source), entry]))
  const searched = [...planned.searched]
  for (const { source } of sources.values()) {
    searched.push({ source, minTimestamp: -timeMax, maxTimestamp: timeMax })
  }
  return { ...planned, searched, count: planned.count + counted }
}

/** Throws ProblemError `query_too_large` when that is more than may be collected. */
function addTo(collector: Collector | undefined, plain: unknown): void {
  collector?.addPlain(plain)
  const refusal = collector?.refusal
  if (refusal !== undefined) throw new ProblemError('query_too_large', refusal, { field: 'query' })
}

function firstOf(files: Iterable<number>): number | undefined {
  let first: number | undefined
  for (const file of files) if (first === undefined || file < first) first = file
  return first
}

function statsOf(
  { blockEntries: _, ...entries }: PlanStats,
  { stats }: ExecuteResult,
  elapsedMs: number,
  asOf: Timestamp | undefined,
): SelectStats {
  return {
    segments: 0,
    blocks: 0,
    blocksPrunedByTime: 0,
    ...entries,
    framesScanned: stats.frames,
    blocksScanned: 0,
    blocksPrunedByFilter: 0,
    blocksPrunedByTemplate: 0,
    recordsScanned: stats.records,
    bytesScanned: stats.bytes,
    damagedFrames: stats.damagedFrames,
    damagedBlocks: 0,
    elapsedMs,
    ...(asOf !== undefined && { asOf }),
  }
}
