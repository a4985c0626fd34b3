/** The records of a data directory that no service has: all of them in segments. */
import type { Logger } from 'pino'
import type { Disk } from '../../../disk/disk.ts'
import { journalPath } from '../../../journal/files.ts'
import type { Sequence } from '../../../record.ts'
import { realGround } from '../../ground.ts'
import type { SealTask, WrittenSegment } from '../../maintain/seal.ts'
import { noticeMissingJournals, recoverJournal } from '../../recovery.ts'
import { makeStoreDirectories, type StorePaths } from '../../store-directories.ts'
import { JournalRanges } from '../../view/journal-ranges.ts'
import {
  type LiveSegment,
  liveSegment,
  type OpenedSegments,
  openSegments,
} from '../../view/segments.ts'
import { blocksOf } from './segment-rows.ts'

export interface OpenedRecords
  extends Pick<OpenedSegments, 'segments' | 'nextNumber' | 'nextJournal' | 'nextSequence'> {
  readonly paths: StorePaths
  /** Seals a file into segments, which are in the index then. Throws SealFailed. */
  seal(journal: SealTask['journal'], firstNumber: number): Promise<WrittenSegment[]>
  /** Takes segments out of the index and out of sight. Their files stay. */
  forget(numbers: readonly number[]): Promise<void>
  /** Remembers that records below this have been, whatever segments there are. */
  retire(nextSequence: Sequence): Promise<void>
  close(): Promise<void>
}

/** Records could not be put into segments. */
export class SealFailed extends Error {
  override readonly name = 'SealFailed'
  readonly isDiskFull: boolean

  constructor(message: string, isDiskFull: boolean) {
    super(message)
    this.isDiskFull = isDiskFull
  }
}

interface Opening {
  readonly dataDir: string
  readonly logger: Logger
  readonly disk: Disk
}

/** `sealed`: what the journal holds goes into segments first. Throws SegmentVersionUnknown, SealFailed. */
export async function openRecords(
  { dataDir, logger, disk }: Opening,
  journal: 'sealed' | 'as they are',
): Promise<OpenedRecords> {
  const paths = await makeStoreDirectories(dataDir, disk)
  const openedIndex = await realGround.openIndex(dataDir, logger)
  const { index } = openedIndex
  const thread = realGround.newSealThread()
  const close = async () => {
    await thread.close()
    await index.close()
  }
  try {
    const opened = await openSegments(paths, openedIndex, logger, disk)
    const { segments } = opened
    const seal = async (file: SealTask['journal'], firstNumber: number) => {
      const written = await thread.seal({
        journal: file,
        directory: paths.segments,
        receiptsDirectory: paths.receipts,
        firstNumber,
        createdAt: Date.now(),
      })
      if ('failure' in written) {
        throw new SealFailed(written.reason, written.failure === 'disk-full')
      }
      await index.addSegments(new Map(written.map(({ footer }) => [footer.number, footer.blocks])))
      segments.swap(written.map(shown), [])
      return written
    }
    const forget = async (numbers: readonly number[]) => {
      const blocks = numbers.map(number => {
        return [number, blocksOf(segments.pathOf(number), number, disk)] as const
      })
      await index.removeSegments(new Map(blocks))
      segments.swap([], numbers)
    }
    const retire = (nextSequence: Sequence) => index.retire(nextSequence)
    const numbers = { ...opened }
    if (journal === 'sealed') {
      const receipts = { note() {} }
      const recovered = recoverJournal(
        paths,
        opened.replacedJournals,
        new JournalRanges(),
        logger,
        disk,
        receipts,
      )
      await noticeMissingJournals(index, recovered.files, opened.replacedJournals, logger)
      for (const file of recovered.files) {
        const path = journalPath(paths.journal, file)
        const written = await seal({ path, file }, numbers.nextNumber)
        numbers.nextNumber += written.length
        await disk.removeDurably(path)
        await index.noteJournal(file, false)
      }
      numbers.nextJournal = Math.max(opened.nextJournal, recovered.nextFile)
      numbers.nextSequence = Math.max(opened.nextSequence, recovered.nextSequence)
    }
    const { nextNumber, nextJournal, nextSequence } = numbers
    return { paths, segments, nextNumber, nextJournal, nextSequence, seal, forget, retire, close }
  } catch (error) {
    await close()
    throw error
  }
}

function shown({ path, day, footer }: WrittenSegment): LiveSegment {
  return liveSegment({ path, day, number: footer.number }, footer)
}
