/**
 * Reads a journal file that an earlier process left: finds its intact frames, whatever else the file
 * holds, and says what could not be read.
 *
 * A file may end anywhere (the process was killed while writing: never acknowledged), and any bit
 * may have changed since. Damage costs its own frame: reading goes on at the next intact one.
 */
import type { Disk, InputFile } from '../disk/disk.ts'
import { readAt } from '../disk/read.ts'
import { realDisk } from '../disk/real-disk.ts'
import { Batch } from './batch-reader.ts'
import { faultOfFileHeader, fileHeaderBytes } from './files.ts'
import { claimedFrameBytes, findMagic, frameHeaderBytes, magicLength, readFrame } from './frame.ts'
import type { CommittedFrame } from './journal.ts'

/** Bytes read at a time in search of the next frame behind damage. */
const searchBytes = 1024 * 1024

/** A part of a file that holds no intact frame. */
export interface LostPart {
  readonly offset: number
  readonly bytes: number
  /** `torn`: the end of the file, as a cut write leaves it. `damaged`: bytes that changed. */
  readonly kind: 'torn' | 'damaged'
}

export interface RecoveredFile {
  readonly fileBytes: number
  readonly lost: readonly LostPart[]
  /** What is wrong with the file's own header, in words for the log. Its frames are read all the
   *  same: each one's checksum says by itself whether it belongs there. */
  readonly headerFault: string | undefined
}

/**
 * Calls `onFrame` for each intact frame of a journal file from offset `from` (0: the beginning) on.
 * Memory: one frame, whatever the file's size.
 */
export function recoverFile(
  path: string,
  file: number,
  from: number,
  onFrame: (frame: CommittedFrame) => void,
  disk: Disk = realDisk,
): RecoveredFile {
  const input = disk.openSync(path)
  try {
    const fileBytes = input.size()
    const headerFault = faultOfFileHeader(readAt(input, 0, fileHeaderBytes), file)
    const lost = walk(input, fileBytes, Math.max(from, fileHeaderBytes), file, onFrame)
    return { fileBytes, lost, headerFault }
  } finally {
    input.close()
  }
}

function walk(
  input: InputFile,
  fileBytes: number,
  from: number,
  file: number,
  onFrame: (frame: CommittedFrame) => void,
): LostPart[] {
  const lost: LostPart[] = []
  let position = from
  while (position < fileBytes) {
    const frame = frameAt(input, fileBytes, file, position)
    if (frame !== undefined) {
      onFrame(frame)
      position += frame.bytes
      continue
    }
    const next = findFrame(input, fileBytes, file, position + 1)
    const kind = next === fileBytes ? 'torn' : 'damaged'
    lost.push({ offset: position, bytes: next - position, kind })
    position = next
  }
  return lost
}

/** The intact frame at `offset`, or undefined. */
function frameAt(
  input: InputFile,
  fileBytes: number,
  file: number,
  offset: number,
): CommittedFrame | undefined {
  const bytes = claimedFrameBytes(readAt(input, offset, frameHeaderBytes))
  if (bytes === undefined || offset + bytes > fileBytes) return undefined
  const frame = readFrame(readAt(input, offset, bytes), 0, file, offset)
  if (typeof frame !== 'object') return undefined
  const streams = new Batch(frame).summarise()
  return { file, offset, bytes, header: frame.header, streams }
}

/** Where the next intact frame begins, at or after `from`; the end of the file when there is none. */
function findFrame(input: InputFile, fileBytes: number, file: number, from: number): number {
  let position = from
  while (position < fileBytes) {
    const window = readAt(input, position, searchBytes)
    let at = findMagic(window, 0)
    while (at !== -1) {
      if (frameAt(input, fileBytes, file, position + at) !== undefined) return position + at
      at = findMagic(window, at + 1)
    }
    // The window's last bytes may be the beginning of a mark.
    position += Math.max(window.length - magicLength + 1, 1)
  }
  return fileBytes
}
