/**
 * What happens to the journal before the service takes events: files that an earlier process left are
 * brought into the index, and what cannot be read is reported and kept for a person.
 */
import fs from 'node:fs'
import { basename, join } from 'node:path'
import type { Logger } from 'pino'
import type { BlockIndex, FileProgress } from '../index/block-index.ts'
import { journalPath, listJournalFiles } from '../journal/files.ts'
import { type JournalRange, RangeBuilder, rangeBytesTarget } from '../journal/range.ts'
import { type LostPart, recoverFile } from '../journal/recover.ts'
import type { Sequence } from '../record.ts'

export interface RecoveryPaths {
  readonly journal: string
  readonly quarantine: string
}

export interface Recovered {
  readonly nextFile: number
  readonly nextSequence: Sequence
}

/** Ranges of one transaction of the index. */
const rangesPerStep = 64

/** Brings the index up to date with the journal's files, building it anew when they disagree. */
export async function recoverJournal(
  paths: RecoveryPaths,
  index: BlockIndex,
  logger: Logger,
): Promise<Recovered> {
  const files = listJournalFiles(paths.journal)
  let progress = index.fileProgress()
  const disagreement = findDisagreement(paths.journal, files, progress)
  if (disagreement !== undefined) {
    logger.warn(`${disagreement}; building the index anew from the journal`)
    index.clear()
    progress = new Map()
  }
  let nextSequence: Sequence = 0
  let nextFile = 1
  for (const file of files) {
    const known = progress.get(file)
    const isIndexed = known?.isClosed === true
    nextSequence = isIndexed
      ? Math.max(nextSequence, known.nextSequence)
      : await indexFile(paths, file, { index, logger, known, nextSequence })
    nextFile = file + 1
  }
  return { nextFile, nextSequence }
}

/** Why the index cannot belong to these files; undefined when it can. */
function findDisagreement(
  directory: string,
  files: readonly number[],
  progress: ReadonlyMap<number, FileProgress>,
): string | undefined {
  for (const [file, { indexedBytes }] of progress) {
    const name = basename(journalPath(directory, file))
    if (!files.includes(file)) return `journal file ${name} is missing and its records are gone`
    const { size } = fs.statSync(journalPath(directory, file))
    if (size < indexedBytes) {
      return `journal file ${name} has ${size} bytes, ${indexedBytes} were indexed`
    }
  }
  return undefined
}

interface FileContext {
  readonly index: BlockIndex
  readonly logger: Logger
  readonly known: FileProgress | undefined
  readonly nextSequence: Sequence
}

/** Indexes what is not yet indexed of one file. Returns the sequence after its last record. */
async function indexFile(
  paths: RecoveryPaths,
  file: number,
  { index, logger, known, nextSequence: sequenceBefore }: FileContext,
): Promise<Sequence> {
  const path = journalPath(paths.journal, file)
  let nextSequence = Math.max(sequenceBefore, known?.nextSequence ?? 0)
  let recordCount = 0
  const ranges: JournalRange[] = []
  let open: RangeBuilder | undefined
  const { fileBytes, lost, headerFault } = recoverFile(
    path,
    file,
    known?.indexedBytes ?? 0,
    frame => {
      const follows = open !== undefined && open.offset + open.bytes === frame.offset
      if (open !== undefined && (!follows || open.bytes >= rangeBytesTarget)) {
        ranges.push(open.range)
        open = undefined
      }
      open ??= new RangeBuilder(file, frame.offset)
      open.add(frame)
      recordCount += frame.header.recordCount
      nextSequence = Math.max(nextSequence, frame.header.firstSequence + frame.header.recordCount)
    },
  )
  if (open !== undefined) ranges.push(open.range)

  const name = basename(path)
  if (headerFault !== undefined) logger.warn({ file: name }, `journal file: ${headerFault}`)
  for (const part of lost) keepLostPart(paths.quarantine, path, part, logger)
  const isClosed = true // Each start begins a new file.
  for (let i = 0; i < ranges.length; i += rangesPerStep) {
    const step = ranges.slice(i, i + rangesPerStep)
    const last = step.at(-1)!
    const indexedBytes = last.offset + last.bytes
    await index.add(step, file, { indexedBytes, isClosed: false, nextSequence })
  }
  await index.add([], file, { indexedBytes: fileBytes, isClosed, nextSequence })
  logger.info({ file: name, recordCount, lostParts: lost.length }, 'journal file recovered')
  return nextSequence
}

/** Copies bytes that hold no intact frame to the quarantine, and says so. */
function keepLostPart(quarantine: string, path: string, part: LostPart, logger: Logger): void {
  const name = basename(path)
  const copy = join(quarantine, `${name}.${part.offset}`)
  fs.mkdirSync(quarantine, { recursive: true, mode: 0o700 })
  copyPart(path, copy, part)
  const what =
    part.kind === 'torn'
      ? 'the end of a journal file was cut off while it was written, or is damaged'
      : 'a part of a journal file is damaged and its records are lost'
  const { offset, bytes } = part
  logger.warn({ file: name, offset, bytes, keptAs: `quarantine/${basename(copy)}` }, what)
}

const copyBytes = 1024 * 1024

function copyPart(from: string, to: string, part: LostPart): void {
  const source = fs.openSync(from, 'r')
  const target = fs.openSync(to, 'w', 0o600)
  try {
    const buffer = Buffer.allocUnsafe(Math.min(copyBytes, part.bytes))
    for (let done = 0; done < part.bytes; ) {
      const wanted = Math.min(buffer.length, part.bytes - done)
      const read = fs.readSync(source, buffer, 0, wanted, part.offset + done)
      if (read === 0) break
      fs.writeSync(target, buffer, 0, read)
      done += read
    }
  } finally {
    fs.closeSync(source)
    fs.closeSync(target)
  }
}
