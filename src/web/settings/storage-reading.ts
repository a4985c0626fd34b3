/** What the stats of storage mean: sizes, rates, and whether something is to be done. */

import type { StorageStats } from '../api/settings.ts'
import { bytesText, countText, elapsedText, plural } from '../format.ts'

/** Answers over which a rate is taken: long enough to be calm, short enough to be "now". */
export const samplesMax = 6

/**
 * The samples with one more, at most `samplesMax`. A service that was started again in between counts
 * from 0: what was before does not compare.
 */
export function withSample(
  samples: readonly StorageStats[],
  next: StorageStats,
): readonly StorageStats[] {
  const last = samples.at(-1)
  if (last?.time === next.time) return samples
  const isNewRun = last !== undefined && next.events.accepted < last.events.accepted
  return [...(isNewRun ? [] : samples), next].slice(-samplesMax)
}

export interface Rate {
  readonly eventsPerSecond: number
  readonly bytesPerSecond: number
}

/** From the first to the last sample; undefined while there is one only. */
export function rateOf(samples: readonly StorageStats[]): Rate | undefined {
  const [first] = samples
  const last = samples.at(-1)
  if (first === undefined || last === undefined || last.time <= first.time) return undefined
  const seconds = (last.time - first.time) / 1_000
  return {
    eventsPerSecond: (last.events.accepted - first.events.accepted) / seconds,
    bytesPerSecond: (last.events.bytes - first.events.bytes) / seconds,
  }
}

/** Bytes that one record takes; undefined without records. */
export function bytesPerRecord(part: {
  readonly records: number
  readonly bytes: number
}): number | undefined {
  return part.records === 0 ? undefined : part.bytes / part.records
}

export interface Finding {
  readonly kind: 'ok' | 'warn' | 'error'
  readonly title: string
  /** What it means, and what to do. */
  readonly text: string
}

/** A write that takes longer makes every sender wait, ms. */
const slowCommitMs = 1_000
/** One file waits as a rule, for the moment until it is sealed. */
const unsealedFilesUsual = 4
const pendingBytesUsual = 32 * 1024 ** 2
const queuedScansUsual = 200

/** Less room than this is little on any disk, bytes; on small ones a tenth of the disk is. */
const freeBytesFew = 20 * 1024 ** 3

/** What is not as it should be; one finding that all is well when nothing is. */
export function findingsOf(stats: StorageStats): Finding[] {
  const { isReady, reasons, journal, disk, quarantine, scrub, queuedScans } = stats
  const failing = reasons.length > 0 && {
    kind: isReady ? ('warn' as const) : ('error' as const),
    title: isReady ? 'Something is failing' : 'Not accepting events',
    text: `${reasons.join('; ')}. The service goes on trying; its log says more.`,
  }
  const warnings = [
    disk.freeBytes < Math.min(freeBytesFew, disk.totalBytes / 10) && {
      title: 'The disk is nearly full',
      text: `${bytesText(disk.freeBytes)} are free. On a full disk senders are refused, and told so; --retention-bytes and --retention-age delete the oldest records in time.`,
    },
    quarantine.files > 0 && {
      title: 'Some of the data could not be read',
      text: `${plural(quarantine.files, 'part')} of files, ${bytesText(quarantine.bytes)}, were damaged, or cut off when the service ended abruptly while it wrote. They lie in quarantine/ of the data directory, and all else is served; the log of the service says which and why. Once looked at they may be deleted.`,
    },
    scrub.damagedBlocks > 0 && {
      title: 'Some records are left out of answers',
      text: `${plural(scrub.damagedBlocks, 'block')} of segments are damaged; copies are in quarantine/ of the data directory. A backup of before has them whole: restore its file of the same name while the service is stopped. Look at the disk, too.`,
    },
    journal.lastCommitMs > slowCommitMs && {
      title: 'The disk is slow',
      text: `The last write took ${elapsedText(journal.lastCommitMs)}; every sender waits so long for its answer.`,
    },
    journal.pendingBytes > pendingBytesUsual && {
      title: 'Events arrive faster than they are written',
      text: `${bytesText(journal.pendingBytes)} wait for the disk. Beyond the bound of --max-pending-bytes senders are told to wait.`,
    },
    journal.unsealedFiles > unsealedFilesUsual && {
      title: 'Sealing lags behind',
      text: `${countText(journal.unsealedFiles)} files of the journal wait. Nothing is lost, but they take more room and queries take longer until senders pause: sealing gives way to them.`,
    },
    queuedScans > queuedScansUsual && {
      title: 'Queries wait for each other',
      text: `${countText(queuedScans)} tasks of queries wait for a thread; --scan-threads gives them more.`,
    },
  ]
  const findings = [failing, ...warnings].flatMap(one =>
    one ? { kind: 'warn' as const, ...one } : [],
  )
  return findings.length > 0 ? findings : [{ kind: 'ok', ...well }]
}

const well = {
  title: 'Everything is working',
  text: 'Events are being stored, and nothing is waiting.',
}
