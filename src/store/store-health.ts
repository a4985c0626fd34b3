/** What the store knows of its own health: whether an event would be taken, and how fast. */
import type { Config } from '../config/config.ts'
import type { Health } from '../health.ts'
import type { Journal } from '../journal/journal.ts'
import { limits } from '../limits.ts'
import { type ProblemCode, ProblemError } from '../problems.ts'
import { Room } from './room.ts'

/** Beside the largest event, for what the journal and the file system add to it. */
const spareBytes = 256 * 1024

interface Parts {
  readonly journal: Pick<Journal, 'checkRoom' | 'stats'>
  /** The journal's directory. */
  readonly directory: string
  readonly config: Pick<Config, 'eventBytesMax'>
}

/** Lets `health` ask the journal and its disk. */
export function watchStore(
  health: Pick<Health, 'watch'>,
  { journal, directory, config }: Parts,
): void {
  const room = new Room(directory, config.eventBytesMax + spareBytes)
  health.watch('disk_failed', () => refusal(journal, 'storage_failed'))
  health.watch('overloaded', () => refusal(journal, 'ingest_overloaded'))
  health.watch('disk_full', () => room.lack())
  health.watch('disk_nearly_full', async () => {
    await room.lack()
    const { refusedBytes } = journal.stats()
    if (refusedBytes === 0 || room.freeBytes > 2 * refusedBytes + spareBytes) return undefined
    return `${refusedBytes} bytes of events were refused: ${room.freeBytes} bytes are free`
  })
  health.watch('disk_slow', async () => {
    await room.lack()
    const slowestMs = Math.max(journal.stats().lastCommitMs, room.silentMs)
    if (slowestMs < limits.slowCommitMs) return undefined
    const seconds = (slowestMs / 1_000).toFixed(1)
    return `the disk is slow: the last write of events took ${seconds} s or more`
  })
}

/** Why an append would be refused now, if it is for this. */
function refusal(journal: Pick<Journal, 'checkRoom'>, code: ProblemCode): string | undefined {
  try {
    journal.checkRoom()
    return undefined
  } catch (error) {
    return error instanceof ProblemError && error.code === code ? error.message : undefined
  }
}
