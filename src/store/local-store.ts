/**
 * The store on this machine's files: the journal that takes records, the segments that they are sealed
 * into, the index over these, and the threads that scan.
 */
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import { Health } from '../health.ts'
import type { BlockIndex } from '../index/block-index.ts'
import { allEntries } from '../index/entry.ts'
import type { BatchWriter, EncodedBatch } from '../journal/batch-writer.ts'
import { journalPath } from '../journal/files.ts'
import { type CommittedFrame, Journal } from '../journal/journal.ts'
import type { OnWritten } from '../journal/large-appends.ts'
import type { RequestReceipt } from '../journal/receipts.ts'
import { keptFilterBytes } from '../memory-policy.js'
import { FirstRecords } from '../query/first-records.ts'
import { everyOther, KeptFilters } from '../query/kept-filters.ts'
import { LevelEnds } from '../query/level-ends.ts'
import type { LogRecord, Stream } from '../record.ts'
import { Askers } from './answer/askers.ts'
import type { RunQuery } from './answer/explore.ts'
import { learnEnds } from './answer/learn-ends.ts'
import { FilterLearner } from './answer/learn-filters.ts'
import { QueryEngine, type QueryMetrics } from './answer/query-engine.ts'
import { Questions, type QuestionsDoor } from './answer/questions.ts'
import { warmUp, warmUpRanges, wholeOf } from './answer/warm-up.ts'
import { realGround, type StoreGround } from './ground.ts'
import { journalStats } from './journal-stats.ts'
import { Findings } from './maintain/findings.ts'
import { linkRecords } from './maintain/link-records.ts'
import { Maintenance } from './maintain/maintenance.ts'
import { type RetentionBounds, retentionOf } from './maintain/retention.ts'
import { Scrub } from './maintain/scrub.ts'
import { openReceipts } from './receipts/open-receipts.ts'
import type { Receipts } from './receipts/receipts.ts'
import { keepLostPart, noticeMissingJournals, recoverJournal } from './recovery.ts'
import { freeBytesOf } from './room.ts'
import type { Deletion, ExportRequest, Store, StoreStats, Tail, TailRequest } from './store.ts'
import { makeStoreDirectories } from './store-directories.ts'
import { watchStore } from './store-health.ts'
import type { OpenParts } from './store-parts.ts'
import { findArrivedBy } from './tail/backlog.ts'
import { Tails } from './tail/tail.ts'
import { takeBlockOut } from './view/damaged-blocks.ts'
import { JournalRanges } from './view/journal-ranges.ts'
import { QueriesUnderWay } from './view/queries-under-way.ts'
import { openSegments, type Segments } from './view/segments.ts'

/** After a client's question the store asks itself nothing for this long, ms. */
const quietMs = 300

/** Between two looks at whether there are segments that it has learnt nothing of, ms. */
const learnMs = 10_000

/** How often it is checked whether the journal's file is old enough to be closed. */
const rotationCheckMs = 1_000

export interface StoreOptions {
  readonly config: Config
  readonly logger: Logger
  readonly metrics: QueryMetrics
  /** Where its own queries are counted, which nobody is to see. */
  readonly ownMetrics: QueryMetrics
  readonly now: () => number
  /** The journal can take no more appends: the process should end with exit code 1. */
  readonly onFatal: (error: Error) => void
  /** What is deleted; as the configuration says when absent. */
  readonly retention?: () => RetentionBounds
  /** Receives what goes wrong; absent: nothing is logged. */
  readonly health?: Health
  /** Other things to stand on, for tests. */
  readonly ground?: StoreGround
}

/** Opens the store in the data directory: recovers what is there, then takes appends. */
export async function openLocalStore(options: StoreOptions): Promise<LocalStore> {
  const { config, logger, metrics, now, onFatal, ground = realGround } = options
  const { health = new Health() } = options
  const { disk } = ground
  const paths = await makeStoreDirectories(config.dataDir, disk)
  const openedIndex = await ground.openIndex(config.dataDir, logger)
  const { index, fault } = openedIndex
  const opened = await openSegments(paths, openedIndex, logger, disk)
  const { segments } = opened
  const ranges = new JournalRanges()
  const { receipts, receiptFiles } = openReceipts({ config, paths, disk, logger, now })
  const { replacedJournals } = opened
  const recovered = recoverJournal(paths, replacedJournals, ranges, logger, disk, receipts)
  await disk.syncDirectory(paths.journal) // Replaced files that were deleted now must not come back.
  await noticeMissingJournals(index, recovered.files, replacedJournals, logger)
  const queries = new QueriesUnderWay()
  const pool = ground.newScanPool({
    threads: config.scanThreads,
    cacheBytes: config.scanCacheBytes,
  })
  const { nextNumber } = opened
  const seen = { index, segments, ranges, queries, pool }
  const findings = new Findings(segments, now)
  const indexFault = fault ?? opened.indexFault
  if (indexFault !== undefined) findings.noteIndex(indexFault)
  const parts = { config, disk, paths, ...seen, findings, logger, health, now, nextNumber }
  const maintenance = new Maintenance({
    ...parts,
    retention: options.retention ?? (() => retentionOf(config)),
    receiptFiles,
    sealThread: ground.newSealThread(),
    onDamagedSegment: segment => scrub.lookAt(segment),
  })
  const scrub = new Scrub({
    ...parts,
    intervalMs: config.scrubIntervalMs,
    bytesPerSecond: config.scrubBytesPerSecond,
    paths: { ...paths, index: join(config.dataDir, 'index.lmdb') },
    thread: ground.newScrubThread(),
    rebuildIndex: () => maintenance.rebuildIndex(),
    onDamagedBlock: (source, reason) => takeBlockOut({ ...parts, maintenance }, source, reason),
    onDamagedFrames: (path, part) => {
      keepLostPart(paths.quarantine, path, { ...part, kind: 'damaged' }, logger, disk)
    },
  })
  const nextSequence = Math.max(recovered.nextSequence, opened.nextSequence)
  const tails = new Tails({
    thread: ground.newTailThread(),
    pathOf: file => journalPath(paths.journal, file),
    queries,
    logger,
    nextSequence,
  })
  for (const file of recovered.files) maintenance.journalClosed(file)
  const journal = new Journal({
    directory: paths.journal,
    disk,
    config,
    now,
    freeBytes: () => freeBytesOf(paths.journal),
    nextFile: Math.max(recovered.nextFile, opened.nextJournal),
    nextSequence,
    onCommit: frames => {
      noteNewFiles(index, ranges, frames, logger)
      ranges.add(frames)
      for (const frame of frames) if (frame.receipts !== undefined) receipts.note(frame.receipts)
      tails.committed(frames)
    },
    onFileClosed: file => maintenance.journalClosed(file),
    onFatal,
  })
  watchStore(health, { journal, directory: paths.journal, config })
  health.watch('index_damaged', () => findings.indexText())
  health.watch('data_damaged', () => findings.dataText())
  const { scanCacheBytes } = config
  const working = { maintenance, scrub, journal, tails, metrics, receipts, scanCacheBytes }
  return new LocalStore({ ...parts, ...working, ownMetrics: options.ownMetrics })
}

/** Remembers a journal file with its first frames, so that its loss would be noticed. */
function noteNewFiles(
  index: BlockIndex,
  ranges: JournalRanges,
  frames: readonly CommittedFrame[],
  logger: Logger,
): void {
  const file = frames[0]?.file
  if (file === undefined || ranges.hasFile(file)) return
  index.noteJournal(file, true).catch(error => {
    logger.warn({ err: error }, 'the index could not be told of a new journal file')
  })
}

interface Parts extends OpenParts {
  readonly index: BlockIndex
  readonly segments: Segments
  readonly maintenance: Maintenance
  readonly findings: Findings
  readonly scrub: Scrub
  readonly metrics: StoreOptions['metrics']
  readonly ownMetrics: StoreOptions['ownMetrics']
  readonly scanCacheBytes: number
}

export class LocalStore extends Questions implements Store {
  readonly #parts: Parts & { readonly levelEnds: LevelEnds; readonly filterLearner: FilterLearner }
  readonly receipts: Receipts
  /** What may be asked, for the service itself: it is counted where nobody looks. */
  readonly own: QuestionsDoor & Pick<Store, 'tail' | 'exportText' | 'stats'>
  readonly #engine: QueryEngine
  readonly #ownEngine: QueryEngine
  readonly #warmUpEngine: QueryEngine
  /** Runs a query that somebody asks. */
  readonly #run: QueryEngine['run']
  readonly #askers: Askers
  readonly #rotation: NodeJS.Timeout
  readonly #closing: AbortController
  #warmedUp: Promise<void> | undefined
  /** Goes on until it is closed. */
  #learning: Promise<void> | undefined

  constructor(parts: Parts) {
    const levelEnds = new LevelEnds()
    // What it learns of blocks, and what it asks itself, is known to all who ask.
    const keptFilters = new KeptFilters(keptFilterBytes(parts.scanCacheBytes))
    const closing = new AbortController()
    const filterLearner = new FilterLearner({ ...parts, keptFilters, signal: closing.signal })
    const known = { levelEnds, firstRecords: new FirstRecords(), filterLearner }
    const asked = { ...parts, ...known, blockPruner: keptFilters }
    const engine = new QueryEngine(asked)
    const askers = new Askers()
    const run: QueryEngine['run'] = async (query, newCollector, signal) => {
      const leave = askers.enter()
      try {
        return await engine.run(query, newCollector, signal)
      } finally {
        leave()
      }
    }
    super(run)
    this.#closing = closing
    this.#parts = { ...parts, levelEnds, filterLearner }
    this.receipts = parts.receipts
    this.#engine = engine
    const metrics = parts.ownMetrics
    this.#ownEngine = new QueryEngine({ ...asked, metrics })
    const blockPruner = everyOther(keptFilters)
    const pool = parts.pool.givingWay
    this.#warmUpEngine = new QueryEngine({ ...asked, pool, blockPruner, metrics })
    this.#run = run
    this.#askers = askers
    const own = new Questions((...asked) => this.#ownEngine.run(...asked))
    this.own = Object.assign(own, {
      tail: (...asked: Parameters<Store['tail']>) => this.tail(...asked),
      exportText: (...asked: Parameters<Store['exportText']>) => this.exportText(...asked),
      stats: () => this.stats(),
    })
    this.#rotation = setInterval(() => parts.journal.rotateIfOld(), rotationCheckMs)
    this.#rotation.unref()
  }

  append(record: LogRecord, stream: Stream, receipt?: RequestReceipt): Promise<void> {
    return this.#parts.journal.append(record, stream, receipt)
  }

  appendWith(add: (writer: BatchWriter) => void, receipt?: RequestReceipt): Promise<void> {
    return this.#parts.journal.appendWith(add, receipt)
  }

  appendBatches(batches: readonly EncodedBatch[], onWritten?: OnWritten): Promise<void> {
    return this.#parts.journal.appendBatches(batches, onWritten)
  }

  checkRoom(): void {
    this.#parts.journal.checkRoom()
  }

  async tail(request: TailRequest, signal: AbortSignal): Promise<Tail> {
    const find = findArrivedBy(request, query => this.#run(query, () => undefined, signal))
    return this.#parts.tails.open(request, find)
  }

  exportText(request: ExportRequest, signal: AbortSignal): AsyncIterable<Uint8Array> {
    return this.#engine.exportText(request, signal)
  }

  stats(): StoreStats {
    const { segments, maintenance, pool, tails, scrub, findings } = this.#parts
    const all = [...segments.all]
    const sum = (sizeOf: (segment: (typeof all)[number]) => number) =>
      all.reduce((total, segment) => total + sizeOf(segment), 0)
    return {
      ...journalStats(this.#parts),
      segmentRecords: sum(segment => segment.recordCount),
      segmentFiles: all.length,
      segmentBytes: sum(segment => segment.bytes),
      segmentBlocks: sum(segment => segment.blockCount),
      queuedScans: pool.queueSize,
      tailingClients: tails.clientCount,
      tailDroppedRecords: tails.droppedCount,
      ...maintenance.stats(),
      ...scrub.stats(),
      findings: findings.counts,
      damagedBlocks: [...segments.damaged.values()].reduce((total, count) => total + count, 0),
    }
  }

  async wouldDelete(bounds: RetentionBounds): Promise<Deletion> {
    const found = await this.#parts.maintenance.wouldDelete(bounds)
    const sum = (sizeOf: (segment: (typeof found)[number]) => number) =>
      found.reduce((total, segment) => total + sizeOf(segment), 0)
    const earliest = Math.min(...found.map(({ minTimestamp }) => minTimestamp))
    const latest = Math.max(...found.map(({ maxTimestamp }) => maxTimestamp))
    return {
      segments: found.length,
      records: sum(({ recordCount }) => recordCount),
      bytes: sum(({ bytes }) => bytes),
      times: found.length === 0 ? undefined : { earliest, latest },
    }
  }

  retentionChanged(): void {
    this.#parts.maintenance.retentionChanged()
  }

  linkInto(directory: string): Promise<void> {
    return linkRecords(this.#parts, directory)
  }

  /** Whether somebody asks, or did just now: then the service asks itself nothing. */
  get isAsked(): boolean {
    return !this.#askers.areQuiet(quietMs)
  }

  /** Asks itself about its newest records while nobody else asks: after a start. Resolves when it has
   *  asked enough, or is closed. */
  warmUp(): Promise<void> {
    this.#warmedUp ??= this.#unlessClosing('warming up failed', this.#askItself())
    void this.#warmedUp.then(() => {
      this.#learning ??= this.#unlessClosing(
        'learning of new segments failed',
        this.#keepLearning(),
      )
    })
    return this.#warmedUp
  }

  #unlessClosing(complaint: string, work: Promise<void>): Promise<void> {
    return work.catch(error => {
      if (!this.#closing.signal.aborted) this.#parts.logger.warn({ err: error }, complaint)
    })
  }

  async #askItself(): Promise<void> {
    const { segments, ranges } = this.#parts
    const entries = segments.entries(allEntries).concat(ranges.entries(allEntries))
    const times = warmUpRanges(entries)
    const { signal } = this.#closing
    const engine = this.#warmUpEngine
    const run: RunQuery = (query, newCollector) => engine.run(query, newCollector, signal)
    await learnEnds(this.#parts, this.#turns)
    await warmUp(run, times, this.#turns, wholeOf(entries))
  }

  async #keepLearning(): Promise<void> {
    const { segments } = this.#parts
    const { signal } = this.#closing
    let { swapCount } = segments
    for (;;) {
      await pause(learnMs, undefined, { signal, ref: false })
      if (segments.swapCount === swapCount) continue
      swapCount = segments.swapCount
      await learnEnds(this.#parts, this.#turns)
    }
  }

  get #turns() {
    return { isWanted: () => this.isAsked, signal: this.#closing.signal }
  }

  /** Closes the journal's file and waits until everything is sealed and compacted: for tests. */
  async settle(): Promise<void> {
    await this.#parts.journal.rotate()
    await this.#parts.maintenance.settled()
  }

  async close(): Promise<void> {
    const { journal, maintenance, scrub, pool, tails, index } = this.#parts
    clearInterval(this.#rotation)
    this.#closing.abort()
    await this.#warmedUp
    await this.#learning
    await this.#parts.filterLearner.ended()
    await scrub.close()
    await journal.close()
    await tails.close()
    await maintenance.close()
    await pool.close()
    await index.close()
  }
}
