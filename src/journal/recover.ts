/**
 * Reads a journal file that an earlier process left: finds its intact frames, whatever else the file
 * holds, and says what could not be read.
 *
 * A file may end anywhere (the process was killed while writing: never acknowledged), and any bit
 * may have changed since. Damage costs its own frame: reading continues at the next intact one.
 */
import type { Disk, InputFile } from '../disk/disk.ts'
import { readAt } from '../disk/read.ts'
import { ReadWindow } from '../disk/read-window.ts'
import { realDisk } from '../disk/real-disk.ts'
import { faultOfFileHeader, fileHeaderBytes } from './files.ts'
import { claimedFrameBytes, findMagic, frameHeaderBytes, magicLength, readFrame } from './frame.ts'
import type { CommittedFrame } from './journal.ts'

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

/** An intact frame of a file. */
export interface RecoveredFrame
  extends Pick<CommittedFrame, 'file' | 'offset' | 'bytes' | 'header'> {
  /** In memory that the next frame takes: of use only until that is asked for. */
  readonly payload: Buffer
}

/**
 * Calls `onFrame` for each intact frame of a journal file from offset `from` (0: the beginning) on.
 * Memory: `window`, which one reader of many files hands in each time, or one frame when it is larger.
 */
export function recoverFile(
  path: string,
  file: number,
  from: number,
  onFrame: (frame: RecoveredFrame) => void,
  disk: Disk = realDisk,
  window = new ReadWindow(),
): RecoveredFile {
  const input = disk.openSync(path)
  try {
    const fileBytes = input.size()
    const headerFault = faultOfFileHeader(readAt(input, 0, fileHeaderBytes), file)
    const lost: LostPart[] = []
    for (const part of partsOf(input, file, from, window)) {
      if ('kind' in part) lost.push(part)
      else onFrame(part)
    }
    return { fileBytes, lost, headerFault }
  } finally {
    input.close()
  }
}

/** The intact frames of a journal file from offset `from` (0: the beginning) on, for a second reader: what
 *  is lost has been said. Memory: `window`, or one frame when it is larger. */
export function* intactFrames(
  path: string,
  file: number,
  disk: Disk,
  from = 0,
  window = new ReadWindow(),
): Generator<RecoveredFrame> {
  const input = disk.openSync(path)
  try {
    for (const part of partsOf(input, file, from, window)) if ('header' in part) yield part
  } finally {
    input.close()
  }
}

/** The frames of a file from offset `from` on, and between them what is lost. */
function* partsOf(
  input: InputFile,
  file: number,
  from: number,
  window: ReadWindow,
): Generator<RecoveredFrame | LostPart> {
  const fileBytes = input.size()
  let search: ReadWindow | undefined
  window.open(input)
  let position = Math.max(from, fileHeaderBytes)
  while (position < fileBytes) {
    const frame = frameAt(window, fileBytes, file, position)
    if (frame !== undefined) {
      yield frame
      position += frame.bytes
      continue
    }
    search ??= new ReadWindow(window.windowBytes).open(input)
    const next = findFrame(search, window, fileBytes, file, position + 1)
    const kind = next === fileBytes ? 'torn' : 'damaged'
    yield { offset: position, bytes: next - position, kind }
    position = next
  }
}

/** The intact frame at `offset`, or undefined. */
function frameAt(
  window: ReadWindow,
  fileBytes: number,
  file: number,
  offset: number,
): RecoveredFrame | undefined {
  const headerAt = window.reach(offset, frameHeaderBytes)
  const bytes = claimedFrameBytes(window.bytes, headerAt)
  if (bytes === undefined || offset + bytes > fileBytes) return undefined
  const at = window.reach(offset, bytes)
  const frame = readFrame(window.bytes, at, file, window.offset)
  if (typeof frame !== 'object') return undefined
  return { file, offset, bytes, header: frame.header, payload: frame.payload }
}

/**
 * Where the next intact frame begins, at or after `from`; the end of the file when there is none.
 * `window` is for the frames that are tried: they may lie after what is searched.
 */
function findFrame(
  search: ReadWindow,
  window: ReadWindow,
  fileBytes: number,
  file: number,
  from: number,
): number {
  let position = from
  while (position < fileBytes) {
    const start = search.reach(position, magicLength)
    let at = findMagic(search.bytes, start)
    while (at !== -1) {
      const offset = search.offset + at
      if (frameAt(window, fileBytes, file, offset) !== undefined) return offset
      at = findMagic(search.bytes, at + 1)
    }
    // The last bytes may be the beginning of a mark.
    const searchedUntil = search.offset + search.bytes.length - magicLength + 1
    position = Math.max(searchedUntil, position + 1)
  }
  return fileBytes
}
