/** A journal on a disk that stands in for a real one. */
import type { Test } from 'tap'
import { type CommittedFrame, Journal, type JournalOptions } from '../../src/journal/journal.ts'
import { StandInDisk } from './stand-in-disk.ts'

export interface OpenedJournal {
  readonly journal: Journal
  readonly disk: StandInDisk
  readonly directory: string
  /** Frames in the order in which they became visible. */
  readonly visible: CommittedFrame[]
  /** Of each commit, the records of its frames. */
  readonly commits: number[][]
  readonly fatal: Error[]
}

export function openJournal(
  t: Test,
  more: Partial<JournalOptions['config']> = {},
  { now = () => 0, partPace }: Partial<Pick<JournalOptions, 'now' | 'partPace'>> = {},
): OpenedJournal {
  const directory = t.testdir()
  const disk = new StandInDisk()
  const visible: CommittedFrame[] = []
  const commits: number[][] = []
  const fatal: Error[] = []
  const journal = new Journal({
    directory,
    disk,
    config: {
      durability: 'disk',
      journalFileBytes: 1 << 20,
      journalFileRecords: 2 ** 19,
      journalFileAgeMs: 60_000,
      pendingBytesMax: 1 << 20,
      ...more,
    },
    now,
    ...(partPace && { partPace }),
    freeBytes: async () => disk.roomBytes,
    nextFile: 1,
    nextSequence: 0,
    onCommit: frames => {
      visible.push(...frames)
      commits.push(frames.map(({ header }) => header.recordCount))
    },
    onFileClosed: () => {},
    onFatal: error => fatal.push(error),
  })
  return { journal, disk, directory, visible, commits, fatal }
}
