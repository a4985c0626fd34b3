/** `logstrata inspect` of a file of the journal: its frames, and what is wrong with it. */
import fs from 'node:fs'
import { basename } from 'node:path'
import { Batch } from '../../journal/batch-reader.ts'
import { fileHeaderBytes } from '../../journal/files.ts'
import { readFrame } from '../../journal/frame.ts'
import type { CommittedFrame } from '../../journal/journal.ts'
import { type LostPart, recoverFile } from '../../journal/recover.ts'
import { type Fault, type FileDescription, iso, type PartDescription } from './file.ts'

interface FrameDescription extends PartDescription {
  readonly firstSequence: number
  readonly streams: readonly {
    readonly service: string
    readonly environment: string
    readonly recordCount: number
  }[]
}

export interface JournalDescription extends FileDescription {
  readonly kind: 'journal'
  readonly frames: readonly FrameDescription[]
}

/** What a journal file has, by its frames. Throws when it cannot be read; damage is among its `faults`. */
export function describeJournal(path: string): JournalDescription {
  const { number, bytes, frames, faults } = readJournal(path)
  return {
    kind: 'journal',
    path,
    number,
    bytes,
    recordCount: frames.reduce((sum, { header }) => sum + header.recordCount, 0),
    frames: frames.map(describeFrame),
    faults,
  }
}

/**
 * What is damaged in a journal file, with offsets; none when it is whole. Throws when it cannot be read.
 */
export function faultsOfJournal(path: string): Fault[] {
  return readJournal(path).faults
}

/** The batches of a journal file whose frames are whole. */
export function* batchesOfJournal(path: string, faults: Fault[]): Generator<Batch> {
  const { number, frames, faults: found } = readJournal(path)
  faults.push(...found)
  const fd = fs.openSync(path, 'r')
  try {
    for (const { offset, bytes } of frames) {
      const buffer = Buffer.allocUnsafe(bytes)
      fs.readSync(fd, buffer, 0, bytes, offset)
      const frame = readFrame(buffer, 0, number, offset)
      if (typeof frame === 'object') yield new Batch(frame)
    }
  } finally {
    fs.closeSync(fd)
  }
}

function readJournal(path: string) {
  const number = numberOf(path)
  const frames: CommittedFrame[] = []
  const { fileBytes, lost, headerFault } = recoverFile(path, number, 0, frame => {
    const { offset, bytes, header } = frame
    frames.push({ file: number, offset, bytes, header, streams: new Batch(frame).summarise() })
  })
  const faults: Fault[] = lost.map(describeLost)
  if (headerFault !== undefined) faults.unshift({ offset: 0, what: headerFault })
  return { number, bytes: fileBytes, frames, faults }
}

/** The number in the file's name or, under some other name, in its header. */
function numberOf(path: string): number {
  const match = /^(\d{8,})\.log$/.exec(basename(path))
  if (match !== null) return Number(match[1])
  const header = Buffer.alloc(fileHeaderBytes)
  const fd = fs.openSync(path, 'r')
  try {
    fs.readSync(fd, header, 0, fileHeaderBytes, 0)
  } finally {
    fs.closeSync(fd)
  }
  return header.readUInt32LE(12)
}

/** The end of a file may be a write that a crash cut short, or damage: nobody can tell. */
function describeLost({ offset, bytes, kind }: LostPart): Fault {
  const what = kind === 'torn' ? 'the last' : ''
  return { offset, what: `${what} ${bytes} bytes hold no intact frame`.trimStart() }
}

function describeFrame({ offset, bytes, header, streams }: CommittedFrame): FrameDescription {
  return {
    offset,
    bytes,
    recordCount: header.recordCount,
    firstSequence: header.firstSequence,
    minTimestamp: iso(header.minTimestamp),
    maxTimestamp: iso(header.maxTimestamp),
    streams: streams.map(({ service, environment, recordCount }) => {
      return { service, environment, recordCount }
    }),
  }
}
