/**
 * Reads one block of a segment, piece by piece and only what is asked for: its directory first, then
 * single chunks of single columns.
 */

import type { ChunkSource } from '../columns/column.ts'
import {
  type BlockDirectory,
  type ColumnEntry,
  type ColumnRole,
  type DirectoryReference,
  readDirectory,
} from './block-directory.ts'
import { readChunk } from './chunk.ts'
import { filterPageReader } from './filter-pages.ts'
import { isPresence } from './presence.ts'
import { SegmentCorrupt } from './segment-error.ts'
import type { SegmentFile } from './segment-file.ts'

/** Opens a block by its directory: one read. Throws SegmentCorrupt. The file stays the caller's. */
export function openBlock(file: SegmentFile, reference: DirectoryReference): BlockReader {
  return new BlockReader(file, reference, readDirectory(file, reference))
}

export class BlockReader {
  readonly directory: BlockDirectory
  readonly #file: SegmentFile
  readonly #reference: DirectoryReference

  constructor(file: SegmentFile, reference: DirectoryReference, directory: BlockDirectory) {
    this.#file = file
    this.#reference = reference
    this.directory = directory
  }

  /** The column of a role; of several attributes, that of the name. Undefined: no record has it. */
  column(role: Exclude<ColumnRole, 'attribute'>): ColumnEntry | undefined
  column(role: 'attribute', name: string): ColumnEntry | undefined
  column(role: ColumnRole, name?: string): ColumnEntry | undefined {
    return this.directory.columns.find(
      column => column.role === role && (name === undefined || column.name === name),
    )
  }

  /**
   * The chunks of a column of this block; each call reads, checks and decompresses one, into memory that is
   * the caller's, or lent. Throws SegmentCorrupt.
   */
  chunkSource(column: ColumnEntry): ChunkSource {
    return (index, isLent) => {
      const reference = column.chunks.at(index)
      if (reference === undefined) {
        throw this.corrupt(`column ${JSON.stringify(column.name)} has no chunk ${index}`)
      }
      return readChunk(this.#file, reference, isLent ? index : undefined)
    }
  }

  /**
   * Which records have a value in a column of this block, as `presence.ts` says; undefined when all
   * have one. Throws SegmentCorrupt.
   */
  presence(column: ColumnEntry): Uint8Array | undefined {
    if (column.presence === undefined) return undefined
    const bitmap = readChunk(this.#file, column.presence)
    if (!isPresence(bitmap, this.directory.recordCount, column.valueCount)) {
      throw this.corrupt(`column ${JSON.stringify(column.name)} has another number of values`)
    }
    return bitmap
  }

  /** The block's token filter, for `mayContainWord`; undefined when it has none. */
  filter(): { pageCount: number; readPage: (index: number) => Buffer } | undefined {
    const { filter } = this.directory
    if (filter === undefined) return undefined
    return { pageCount: filter.pageCount, readPage: filterPageReader(this.#file, filter) }
  }

  /** What to throw when the block's content does not make sense. */
  corrupt(what: string): SegmentCorrupt {
    return new SegmentCorrupt(this.#file.path, this.#reference.offset, what)
  }
}
