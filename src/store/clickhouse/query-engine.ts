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
import type { Collector } from '../../query/collect/collector.ts'
import { type ExecuteResult, execute } from '../../query/execute.ts'
import { type Plan, type PlanStats, plan } from '../../query/plan.ts'
import { Predicate } from '../../query/predicate.ts'
import { type ScanQuery, scanQueryOf } from '../../query/scan-task.ts'
import { type Timestamp, timeMax } from '../../record.ts'
import { distinctOf, runWithDistinct } from '../answer/distinct.ts'
import type { QueryOutcome, RunQuery } from '../answer/explore.ts'
import { exportText, exportView } from '../answer/export.ts'
import type { QueryEngineParts } from '../answer/query-engine.ts'
import type { ExportRequest, SelectStats } from '../store.ts'
import { type Answered, answeredBy, nothingAnswered } from './answered-records.ts'
import type { Connection, Statement } from './connection.ts'
import { exportSlices } from './export-slices.ts'
import { type Boundary, settings, whereOf } from './fetch-statement.ts'
import { type FetchedRecords, problemOf } from './fetched-records.ts'
import type { OtherFrontEnds } from './front-ends.ts'
import { orAborted } from './or-aborted.ts'
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
interface View extends Answered {
  readonly ofJournal: readonly IndexEntry[]
}

export class ClickHouseEngine {
  readonly #parts: ClickHouseEngineParts
  readonly #pathOf = (source: SourceRef): string => {
    if (source.kind !== 'journal') throw new TypeError('this store has no blocks')
    const { fetched, paths } = this.#parts
    const { file } = source
    return file < fetchedFilesFrom ? journalPath(paths.journal, file) : fetched.pathOf(file)
  }

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
          const sources = exportView(entries, predicate, this.#pathOf)
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
      const scanQuery = scanQueryOf(query, collector?.request)
      const result = await execute(planned, scanQuery, collector, this.#pathOf, pool, signal)
      const { damagedFrames } = result.stats
      if (damagedFrames > 0) logger.error({ damagedFrames }, 'a query met damaged frames')
      const stats = statsOf(planned.stats, result, performance.now() - startedAt, asOf)
      metrics.noteQuery(stats)
      return { result, collector, stats }
    } catch (error) {
      metrics.noteFailedQuery()
      throw error
    } finally {
      view?.tested?.release()
      view?.firsts?.release()
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
    const filter: EntryFilter = { streams: predicate, startTime, endTime }
    const ofJournal = ranges.entries({ ...filter, arrivedAfter: arrived?.after ?? -1 })
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
    if (query.isExplained === true) {
      const { ofJournal } = this.#ofJournal(query, predicate)
      return { ofJournal, ...nothingAnswered }
    }
    const condition = await this.#conditionOf(query, signal)
    const { ofJournal, boundary } = this.#ofJournal(query, predicate)
    const { fetched, connection } = this.#parts
    const answered = await answeredBy(query, whereOf(query, condition, boundary), collector, {
      rows: statement => this.#rows(statement, signal),
      binary: statement => this.#asking(connection.binary({ ...statement, signal }), signal),
      fetch: statement => fetched.fetch(statement, signal),
    })
    return { ofJournal, ...answered }
  }

  #rows<Row>(statement: Statement, signal: AbortSignal): Promise<Row[]> {
    return this.#asking(this.#parts.connection.rows<Row>({ ...statement, signal }), signal)
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
}

/** What is counted already is searched for the first records alone. */
function planOf(
  query: Query,
  predicate: Predicate,
  collector: Collector | undefined,
  { ofJournal, tested, firsts, counted }: View,
): Plan {
  const ofTested = tested?.entries(allEntries) ?? []
  const planned = plan({ ...query, predicate, collector }, [...ofJournal, ...ofTested])
  const ofFirsts = firsts?.entries(allEntries) ?? []
  const sources = new Map(ofFirsts.map(({ source }) => [sourceKey(source), source]))
  const searched = [...planned.searched]
  for (const source of sources.values()) {
    searched.push({ source, minTimestamp: -timeMax, maxTimestamp: timeMax })
  }
  return { ...planned, searched, count: planned.count + counted }
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
