/**
 * The store on this machine's files: journal, index and the threads that scan.
 */
import fs from 'node:fs'
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { type BlockIndex, openBlockIndex } from '../index/block-index.ts'
import type { EncodedBatch } from '../journal/batch-writer.ts'
import { type Disk, realDisk } from '../journal/disk.ts'
import { journalPath } from '../journal/files.ts'
import { Journal } from '../journal/journal.ts'
import type { Metrics } from '../observe/metrics.ts'
import type { Query, Selector } from '../query/ast.ts'
import { type ExecuteResult, execute, type FoundRecord } from '../query/execute.ts'
import type { GroupCount } from '../query/groups.ts'
import { plan } from '../query/plan.ts'
import { Predicate } from '../query/predicate.ts'
import { ScanPool } from '../query/scan-pool.ts'
import { type LogRecord, type Stream, streamLabels } from '../record.ts'
import { JournalIndex } from './journal-index.ts'
import { decodeCursor, encodeCursor, recordId } from './place-text.ts'
import { recoverJournal } from './recovery.ts'
import type {
  AnswerGroup,
  AnswerRecord,
  SelectRequest,
  SelectResult,
  Store,
  StoreStats,
} from './store.ts'

export interface StoreOptions {
  readonly config: Config
  readonly logger: Logger
  readonly metrics: Pick<Metrics, 'noteQuery' | 'noteFailedQuery'>
  readonly now: () => number
  /** The journal can take no more appends: the process should end with exit code 1. */
  readonly onFatal: (error: Error) => void
  /** Another disk, for tests. */
  readonly disk?: Disk
}

/** Opens the store in the data directory: recovers what is there, then takes appends. */
export async function openLocalStore(options: StoreOptions): Promise<Store> {
  const { config, logger, now, onFatal, disk = realDisk } = options
  const paths = {
    journal: join(config.dataDir, 'journal'),
    quarantine: join(config.dataDir, 'quarantine'),
  }
  fs.mkdirSync(paths.journal, { recursive: true, mode: 0o700 })
  const index = openBlockIndex(join(config.dataDir, 'index.lmdb'))
  const { nextFile, nextSequence } = await recoverJournal(paths, index, logger)
  const journalIndex = new JournalIndex(index, nextSequence, logger)
  const journal = new Journal({
    directory: paths.journal,
    disk,
    config,
    now,
    nextFile,
    nextSequence,
    onCommit: frames => journalIndex.add(frames),
    onFileClosed: (file, bytes) => journalIndex.closeFile(file, bytes),
    onFatal,
  })
  const pool = new ScanPool(config.scanThreads)
  const { metrics } = options
  const directory = paths.journal
  return new LocalStore({ journal, journalIndex, index, pool, logger, metrics, directory })
}

interface Parts {
  readonly journal: Journal
  readonly journalIndex: JournalIndex
  readonly index: BlockIndex
  readonly pool: ScanPool
  readonly logger: Logger
  readonly metrics: StoreOptions['metrics']
  readonly directory: string
}

class LocalStore implements Store {
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  append(record: LogRecord, stream: Stream): Promise<void> {
    return this.#parts.journal.append(record, stream)
  }

  appendBatches(batches: readonly EncodedBatch[]): Promise<void> {
    return this.#parts.journal.appendBatches(batches)
  }

  async select(request: SelectRequest, signal: AbortSignal): Promise<SelectResult> {
    const { metrics } = this.#parts
    try {
      const result = await this.#select(request, signal)
      metrics.noteQuery(result.stats.elapsedMs, result.stats.damagedFrames)
      return result
    } catch (error) {
      metrics.noteFailedQuery()
      throw error
    }
  }

  async #select(request: SelectRequest, signal: AbortSignal): Promise<SelectResult> {
    const startedAt = performance.now()
    const { startTime, endTime, limit, order } = request
    const { selector, by } = partsOf(request.query)
    const predicate = new Predicate(selector)
    const after = request.cursor === undefined ? undefined : decodeCursor(request.cursor, order)
    const { journalIndex, pool, directory, logger } = this.#parts
    const entries = journalIndex.entries(
      stream => predicate.matchesStream(stream),
      startTime,
      endTime,
    )
    const planned = plan({ predicate, by, startTime, endTime, limit, order, after }, entries)
    const scanQuery = { selector, by, startTime, endTime, limit, order, after }
    const pathOf = (file: number) => journalPath(directory, file)
    const result = await execute(planned, scanQuery, pathOf, pool, signal)
    if (result.stats.damagedFrames > 0) {
      logger.error({ damagedFrames: result.stats.damagedFrames }, 'a query met damaged frames')
    }
    const last = result.records.at(-1)
    return {
      count: result.count,
      records: result.records.map(answerRecord),
      nextCursor: result.hasMore && last ? encodeCursor(last, order) : undefined,
      groups: by.length > 0 ? answerGroups(by, result.groups) : undefined,
      stats: {
        ...planned.stats,
        ...scanStats(result),
        elapsedMs: Math.round((performance.now() - startedAt) * 1000) / 1000,
      },
    }
  }

  stats(): StoreStats {
    const { journal, journalIndex, pool, directory } = this.#parts
    const { pendingBytes, commitCount, lastCommitMs } = journal.stats()
    const sizes = fs.readdirSync(directory).map(name => fs.statSync(join(directory, name)).size)
    return {
      recordCount: journalIndex.recordCount,
      fileCount: sizes.length,
      bytes: sizes.reduce((sum, size) => sum + size, 0),
      pendingBytes,
      commitCount,
      lastCommitMs,
      queuedScans: pool.queueSize,
    }
  }

  async close(): Promise<void> {
    const { journal, journalIndex, index, pool } = this.#parts
    await journal.close()
    await journalIndex.close()
    await pool.close()
    await index.close()
  }
}

function partsOf(query: Query): { selector: Selector; by: readonly string[] } {
  return query.kind === 'selector'
    ? { selector: query, by: [] }
    : { selector: query.selector, by: query.by }
}

function scanStats({ stats }: ExecuteResult) {
  return {
    rangesScanned: stats.ranges,
    framesScanned: stats.frames,
    recordsScanned: stats.records,
    bytesScanned: stats.bytes,
    damagedFrames: stats.damagedFrames,
  }
}

function answerRecord(record: FoundRecord): AnswerRecord {
  const attributes: Record<string, string> = Object.create(null)
  attributes[streamLabels.service] = record.stream.service
  attributes[streamLabels.environment] = record.stream.environment
  for (let i = 0; i < record.attributes.length; i += 2) {
    attributes[record.attributes[i]!] = record.attributes[i + 1]!
  }
  const { timestamp, level, message } = record
  return { id: recordId(record), timestamp, log_level: level, message, attributes }
}

function answerGroups(by: readonly string[], groups: readonly GroupCount[]): AnswerGroup[] {
  return groups
    .map(([values, count]) => {
      const labels: Record<string, string> = Object.create(null)
      by.forEach((label, i) => {
        labels[label] = values[i]!
      })
      return { labels, count }
    })
    .sort((a, b) => b.count - a.count)
}
