/**
 * The store behind the same door on ClickHouse: the journal is on this machine's disk, as it is of the
 * local store, and its closed files move to ClickHouse instead of being sealed.
 */
import { join } from 'node:path'
import type { Disk } from '../../disk/disk.ts'
import { Health } from '../../health.ts'
import type { BatchWriter, EncodedBatch } from '../../journal/batch-writer.ts'
import { journalPath, listJournalFiles } from '../../journal/files.ts'
import { Journal } from '../../journal/journal.ts'
import type { OnWritten } from '../../journal/large-appends.ts'
import type { RequestReceipt } from '../../journal/receipts.ts'
import type { LogRecord, Stream } from '../../record.ts'
import { listSegments } from '../../segment/files.ts'
import { Questions } from '../answer/questions.ts'
import { realGround } from '../ground.ts'
import { journalStats } from '../journal-stats.ts'
import type { StoreOptions } from '../local-store.ts'
import { type RetentionBounds, retentionOf } from '../maintain/retention.ts'
import { openReceipts } from '../receipts/open-receipts.ts'
import type { Receipts } from '../receipts/receipts.ts'
import { recoverJournal } from '../recovery.ts'
import { freeBytesOf } from '../room.ts'
import type { Deletion, ExportRequest, Store, StoreStats, Tail, TailRequest } from '../store.ts'
import { makeStoreDirectories, type StorePaths } from '../store-directories.ts'
import { watchStore } from '../store-health.ts'
import type { OpenParts } from '../store-parts.ts'
import { findArrivedBy } from '../tail/backlog.ts'
import { Tails } from '../tail/tail.ts'
import { JournalRanges } from '../view/journal-ranges.ts'
import { QueriesUnderWay } from '../view/queries-under-way.ts'
import { Backlog } from './backlog.ts'
import { ClickHouseThreads } from './clickhouse-threads.ts'
import { DayRetention } from './day-retention.ts'
import { FetchedRecords } from './fetched-records.ts'
import { OtherFrontEnds, sequencesOf } from './front-ends.ts'
import { Layout } from './layout.ts'
import { linkJournal } from './link-journal.ts'
import { readMove } from './move/move-file.ts'
import { openPosition } from './open-position.ts'
import { deletionOf } from './partitions.ts'
import { ClickHouseEngine } from './query-engine.ts'
import { SentMark } from './sent-mark.ts'
import { Servers } from './servers.ts'
import { Shipper } from './shipper.ts'
import { noSegments } from './store-stats.ts'
import { makeTables } from './tables.ts'
import { WordIndex } from './word-index.ts'

/** How often it is checked whether the journal's file is old enough to be closed, ms. */
const rotationCheckMs = 500

/** How many queries fetch from ClickHouse at once; others wait for their turn. */
const fetchesMax = 4

/**
 * Opens the store: recovers the journal that is there, then takes appends, whether ClickHouse is there or
 * not. Only the first start needs it, for its tables: throws when it is not there.
 */
export async function openClickHouseStore(
  options: Omit<StoreOptions, 'ground' | 'ownMetrics'>,
): Promise<ClickHouseStore> {
  const { config, logger, metrics, now, onFatal, health = new Health() } = options
  const { disk, newScanPool, newTailThread } = realGround
  const { dataDir, clickhouseUrl: urls } = config
  if (urls === undefined) throw new TypeError('the configuration has no address of ClickHouse')
  const paths = await makeStoreDirectories(dataDir, disk)
  refuseSegments(dataDir, paths, disk)
  const cluster = config.clickhouseCluster
  const layout = new Layout(cluster)
  const connection = await Servers.open(
    urls.map(url => layout.urlOf(url)),
    logger,
  )
  const prepare = onceDone(() => makeTables(connection, layout))
  const position = await openPosition(dataDir, connection, prepare, disk)
  connection.belongTo(position.frontEnd)
  const ranges = new JournalRanges()
  const { receipts, receiptFiles } = openReceipts({ config, paths, disk, logger, now })
  const sent = listJournalFiles(paths.journal, disk).filter(file => file <= position.shippedFile)
  const recovered = recoverJournal(paths, new Set(sent), ranges, logger, disk, receipts)
  await disk.syncDirectory(paths.journal) // Files that were sent, and deleted now, must not come back.
  const backlog = new Backlog(config.clickhouseJournalBytes)
  for (const file of recovered.files) {
    backlog.addFile(file, disk.sizeSync(journalPath(paths.journal, file)) ?? 0)
  }
  const queries = new QueriesUnderWay()
  const threads = new ClickHouseThreads(fetchesMax)
  const seen = { ranges, queries, backlog, threads, connection }
  const parts = { config, servers: connection, dataDir, disk, paths, ...seen, logger, health, now }
  const { frontEnd } = position
  const intervalMs = config.clickhouseShipAfterMs
  const mark = new SentMark({ ...parts, frontEnd, prepare, intervalMs })
  const onSent = (before: number) => mark.sent(before)
  const shipper = new Shipper({ ...parts, cluster, receiptFiles, position, prepare, onSent })
  const bounds = options.retention ?? (() => retentionOf(config))
  const retention = new DayRetention({ ...parts, layout, bounds })
  const nextSequence = Math.max(recovered.nextSequence, position.nextSequence)
  const tails = new Tails({
    thread: newTailThread(),
    pathOf: file => journalPath(paths.journal, file),
    queries,
    logger,
    nextSequence,
    firstSequence: sequencesOf(position.number).first,
  })
  const journal = new Journal({
    directory: paths.journal,
    disk,
    config: { ...config, journalFileAgeMs: config.clickhouseShipAfterMs },
    now,
    freeBytes: () => freeBytesOf(paths.journal),
    nextFile: Math.max(recovered.nextFile, position.nextFile),
    nextSequence,
    onCommit: frames => {
      ranges.add(frames)
      backlog.addFrames(frames)
      for (const frame of frames) if (frame.receipts !== undefined) receipts.note(frame.receipts)
      tails.committed(frames)
    },
    onFileClosed: file => shipper.journalClosed(file),
    onFatal,
  })
  for (const file of recovered.files) shipper.journalClosed(file, true)
  watchStore(health, { journal, directory: paths.journal, config })
  health.watch('journal_full', () => backlog.refusal)
  const pool = newScanPool({ threads: config.scanThreads, cacheBytes: config.scanCacheBytes })
  const bytesMax = config.clickhouseFetchBytes
  const fetched = new FetchedRecords({ ...parts, directory: join(dataDir, 'fetched'), bytesMax })
  const others = new OtherFrontEnds({ ...parts, frontEnd })
  const words = new WordIndex(layout, connection)
  const asked = { ...parts, frontEnd, fetched, others, words }
  const engine = new ClickHouseEngine({ ...asked, pool, metrics })
  const opened = { engine, shipper, mark, retention, journal, tails, pool, receipts }
  return new ClickHouseStore({ ...parts, ...opened })
}

/** Does it until it has succeeded. */
function onceDone(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined
  return () => {
    done ??= work().catch(error => {
      done = undefined
      throw error
    })
    return done
  }
}

/** What is in segments would be in no answer, unless ClickHouse has it as well. */
function refuseSegments(dataDir: string, { segments }: StorePaths, disk: Disk): void {
  if (listSegments(segments, disk).length === 0 || readMove(dataDir, disk)?.state === 'kept') return
  const text = 'the data directory has segments, which --store clickhouse does not read'
  throw new Error(
    `${text}: move them with logstrata ship --to clickhouse, or give another --data-dir`,
  )
}

interface Parts extends OpenParts {
  readonly backlog: Backlog
  readonly connection: Servers
  readonly engine: ClickHouseEngine
  readonly shipper: Shipper
  readonly mark: SentMark
  readonly retention: DayRetention
}

export class ClickHouseStore extends Questions implements Store {
  readonly #parts: Parts
  readonly receipts: Receipts
  readonly #rotation: NodeJS.Timeout

  constructor(parts: Parts) {
    const { engine, journal, shipper } = parts
    super((...asked) => engine.run(...asked))
    this.#parts = parts
    this.receipts = parts.receipts
    // As long as files wait, more of them would only be more.
    const rotate = () => shipper.isIdle && journal.rotateIfOld()
    this.#rotation = setInterval(rotate, rotationCheckMs)
    this.#rotation.unref()
  }

  append(record: LogRecord, stream: Stream, receipt?: RequestReceipt): Promise<void> {
    this.#parts.backlog.refuseBeyond()
    return this.#parts.journal.append(record, stream, receipt)
  }

  appendWith(add: (writer: BatchWriter) => void, receipt?: RequestReceipt): Promise<void> {
    this.#parts.backlog.refuseBeyond()
    return this.#parts.journal.appendWith(add, receipt)
  }

  appendBatches(batches: readonly EncodedBatch[], onWritten?: OnWritten): Promise<void> {
    this.#parts.backlog.refuseBeyond()
    return this.#parts.journal.appendBatches(batches, onWritten)
  }

  checkRoom(): void {
    this.#parts.backlog.refuseBeyond()
    this.#parts.journal.checkRoom()
  }

  async tail(request: TailRequest, signal: AbortSignal): Promise<Tail> {
    const { engine, tails } = this.#parts
    const find = findArrivedBy(request, query => engine.run(query, () => undefined, signal))
    return tails.open(request, find)
  }

  exportText(request: ExportRequest, signal: AbortSignal): AsyncIterable<Uint8Array> {
    return this.#parts.engine.exportText(request, signal)
  }

  stats(): StoreStats {
    const { shipper, retention, pool, tails } = this.#parts
    const days = deletionOf(retention.known)
    return {
      ...noSegments,
      ...journalStats(this.#parts),
      segmentRecords: days.records,
      segmentBytes: days.bytes,
      segmentFiles: days.segments,
      deletedSegments: retention.dropped,
      unsealedFiles: shipper.stats().files,
      queuedScans: pool.queueSize,
      tailingClients: tails.clientCount,
      tailDroppedRecords: tails.droppedCount,
      shipping: shipper.stats(),
    }
  }

  async wouldDelete(bounds: RetentionBounds): Promise<Deletion> {
    return deletionOf(await this.#parts.retention.wouldDrop(bounds))
  }

  retentionChanged(): void {
    this.#parts.retention.wake()
  }

  linkInto(directory: string): Promise<void> {
    return linkJournal(this.#parts, directory)
  }

  /** Closes the journal's file and waits until ClickHouse has everything: for tests. */
  async settle(): Promise<void> {
    const { journal, shipper, retention } = this.#parts
    await journal.rotate()
    await shipper.settled()
    await retention.settled()
  }

  async close(): Promise<void> {
    const { journal, shipper, mark, retention, pool, tails, connection } = this.#parts
    clearInterval(this.#rotation)
    await journal.close()
    await tails.close()
    await shipper.close()
    await mark.close()
    await retention.close()
    await pool.close()
    await connection.close()
  }
}
