/**
 * Where the records of an answer lie: consecutive frames of a journal file, or one block of a segment.
 * Plain data, because it travels to the threads that scan.
 */
import type { FrameSpan } from '../journal/frame.ts'
import type { DirectoryReference } from '../segment/block-directory.ts'
import type { SkipPlace } from '../segment/skip/skip-index.ts'

export type SourceRef = JournalRef | BlockRef

export interface JournalRef extends FrameSpan {
  readonly kind: 'journal'
}

export interface BlockRef {
  readonly kind: 'block'
  readonly segment: number
  /** Where the block's directory lies in the segment. */
  readonly directory: DirectoryReference
  /** Bytes of the whole block. */
  readonly bytes: number
  /** Where its segment's skip index describes it; undefined when none does. */
  readonly skip: SkipPlace | undefined
}

/** Tells a source from every other. */
export function sourceKey(source: SourceRef): string {
  return source.kind === 'journal'
    ? `j${source.file}:${source.offset}`
    : `s${source.segment}:${source.directory.offset}`
}
