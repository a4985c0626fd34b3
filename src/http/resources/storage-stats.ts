/**
 * The state of storage, in the numbers that the settings show to people. `/metrics` has more of them, for
 * machines. Counts since the start make rates when two answers are compared.
 */

import type { RetentionBoundsSet } from '../../catalog/retention.ts'
import { type Reason, reasonTexts, stoppingEvents } from '../../health.ts'
import type { MetricTotals } from '../../observe/metrics.ts'
import type { DiskUsage } from '../../store/disk-usage.ts'
import type { StoreStats } from '../../store/store.ts'

export interface StorageStats {
  /** When they were taken, ms since 1970. */
  readonly time: number
  readonly journal: {
    readonly records: number
    readonly bytes: number
    readonly files: number
    /** Closed files that wait to be sealed. */
    readonly unsealedFiles: number
    /** Bytes accepted and not yet on disk. */
    readonly pendingBytes: number
    /** Duration of the last write with its sync; 0 before the first. */
    readonly lastCommitMs: number
  }
  readonly segments: {
    readonly records: number
    readonly bytes: number
    readonly files: number
  }
  readonly disk: {
    /** Free for the service, on the disk that has the data. */
    readonly freeBytes: number
    readonly totalBytes: number
  }
  /** Parts of the journal and of segments that could not be read; kept until a person deletes them. */
  readonly quarantine: {
    readonly files: number
    readonly bytes: number
  }
  readonly retention: {
    /** Null: no bound. */
    readonly ageMs: number | null
    readonly bytes: number | null
    /** Since the start. */
    readonly deletedSegments: number
  }
  /** Of the scrub, which reads all files again and again. */
  readonly scrub: {
    readonly bytes: number
    readonly passes: number
    readonly lastPassMs: number
    /** Null before the first has ended. */
    readonly lastPassAt: number | null
    /** Found damaged since the start, by whomever. */
    readonly findings: number
    /** Blocks that are left out of answers. */
    readonly damagedBlocks: number
  }
  readonly backups: {
    /** When the last whole backup was begun since the start; null: none was. */
    readonly lastAt: number | null
    /** When the newest copy of the catalog was made. */
    readonly catalogCopyAt: number | null
  }
  /** Since the start. */
  readonly events: {
    readonly accepted: number
    readonly rejected: number
    readonly bytes: number
  }
  /** Whether an event would be taken. */
  readonly isReady: boolean
  /** What is wrong, as `/health` returns it. */
  readonly reasons: readonly string[]
  /** Tasks of queries that wait for a thread. */
  readonly queuedScans: number
}

interface Sources {
  readonly time: number
  readonly store: StoreStats
  readonly disk: DiskUsage
  readonly totals: MetricTotals
  readonly retention: RetentionBoundsSet
  readonly backups: StorageStats['backups']
  readonly reasons: readonly Reason[]
}

/** The answer of `/api/v1/settings/storage`: one look at the store, its disk and counts since the start. */
export function storageStats(sources: Sources): StorageStats {
  const { time, store, disk, totals, retention, backups, reasons } = sources
  const { quarantine, ...space } = disk
  return {
    time,
    journal: {
      records: store.journalRecords,
      bytes: store.journalBytes,
      files: store.journalFiles,
      unsealedFiles: store.unsealedFiles,
      pendingBytes: store.pendingBytes,
      lastCommitMs: store.lastCommitMs,
    },
    segments: {
      records: store.segmentRecords,
      bytes: store.segmentBytes,
      files: store.segmentFiles,
    },
    disk: space,
    quarantine,
    retention: {
      ageMs: retention.ageMs,
      bytes: retention.bytes,
      deletedSegments: store.deletedSegments,
    },
    scrub: {
      bytes: store.scrubbedBytes,
      passes: store.scrubPasses,
      lastPassMs: store.scrubPassMs,
      lastPassAt: store.scrubPassAt === 0 ? null : store.scrubPassAt,
      findings: Object.values(store.findings).reduce((sum, count) => sum + count, 0),
      damagedBlocks: store.damagedBlocks,
    },
    backups,
    events: {
      accepted: totals.eventsAccepted,
      rejected: totals.eventsRejected,
      bytes: totals.ingestedBytes,
    },
    isReady: stoppingEvents(reasons).length === 0,
    reasons: reasonTexts(reasons),
    queuedScans: store.queuedScans,
  }
}
