/**
 * The state of storage, in the numbers that the settings show to people. `/metrics` has more of them, for
 * machines. Counts since the start make rates when two answers are compared.
 */

import { Type } from 'typebox'
import type { RetentionBoundsSet } from '../../catalog/retention.ts'
import { type Reason, reasonTexts, stoppingEvents } from '../../health.ts'
import type { MetricTotals } from '../../observe/metrics.ts'
import { type Answer, count, orNever, timestamp } from '../../schema/answer.ts'
import type { DiskUsage } from '../../store/disk-usage.ts'
import type { StoreStats } from '../../store/store.ts'

const bound = (description: string) => Type.Union([Type.Integer(), Type.Null()], { description })

export const storageSchema = Type.Object({
  time: timestamp,
  journal: Type.Object(
    {
      records: count('Records in it.'),
      bytes: count('Its size.'),
      files: count('Its files.'),
      unsealedFiles: count('Closed files that wait to be sealed.'),
      pendingBytes: count('Bytes accepted and not yet on disk.'),
      lastCommitMs: Type.Number({
        minimum: 0,
        description: 'Duration of the last write with its sync, ms; 0 before the first.',
      }),
    },
    { description: 'What has arrived lately, as it arrived.' },
  ),
  segments: Type.Object(
    {
      records: count('Records in them.'),
      bytes: count('Their size.'),
      files: count('Their number.'),
    },
    { description: 'Everything older, sorted and compressed.' },
  ),
  disk: Type.Object(
    {
      freeBytes: count('Free for the service.'),
      totalBytes: count('Its size.'),
    },
    { description: 'The disk that has the data.' },
  ),
  quarantine: Type.Object(
    {
      files: count('Their number, since the directory was made.'),
      bytes: count('Their size.'),
    },
    {
      description:
        'Parts of the journal and of segments that could not be read. They are kept in `quarantine/` of the data directory until a person deletes them.',
    },
  ),
  retention: Type.Object(
    {
      ageMs: bound('Age beyond which records are deleted, ms; null: kept for ever.'),
      bytes: bound('Bytes of segments beyond which the oldest are deleted; null: no bound.'),
      deletedSegments: count('Segments deleted since the start.'),
    },
    { description: 'What is deleted, in whole segments.' },
  ),
  scrub: Type.Object(
    {
      bytes: count('Bytes read since the start.'),
      passes: count('Times that it has read all files.'),
      lastPassMs: Type.Number({ minimum: 0, description: 'How long the last of them took.' }),
      lastPassAt: orNever('When the last of them ended; null before that.'),
      findings: count('What was found damaged since the start, by whomever.'),
      damagedBlocks: count('Blocks that are left out of answers.'),
    },
    { description: 'The scrub, which reads all files again and again.' },
  ),
  backups: Type.Object(
    {
      lastAt: orNever('When the last backup of the running service was begun; null: none was.'),
      catalogCopyAt: orNever('When the newest copy of the catalog was made.'),
    },
    {
      description:
        'What there is to go back to. Whether a backup came to its end, who took it knows.',
    },
  ),
  events: Type.Object(
    {
      accepted: count('Events stored.'),
      rejected: count('Events refused.'),
      bytes: count('Bytes of the bodies stored.'),
    },
    { description: 'Counts since the start: the difference of two answers is a rate.' },
  ),
  isReady: Type.Boolean({ description: 'Whether an event would be taken.' }),
  reasons: Type.Array(Type.String(), { description: 'What is wrong, as the health gives it.' }),
  queuedScans: count('Tasks of queries that wait for a thread.'),
})

export type StorageStats = Answer<typeof storageSchema>

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
