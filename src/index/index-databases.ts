/** The databases of one LMDB environment that holds an index, and what is written into them. */
import type { Database, RootDatabase } from 'lmdb'
import type { BlockSummary } from '../segment/footer.ts'
import {
  type BlockKey,
  type BlockValue,
  blockValue,
  databaseNames,
  formatVersion,
  rootKeys,
  type StreamKey,
  type StreamValue,
} from './index-entries.ts'

/** What the index takes of a block, from its segment's footer. */
export type IndexedBlock = Pick<
  BlockSummary,
  | 'stream'
  | 'minTimestamp'
  | 'maxTimestamp'
  | 'recordCount'
  | 'levelCounts'
  | 'maxSequence'
  | 'directory'
  | 'blockBytes'
  | 'skip'
>

export class IndexDatabases {
  readonly root: RootDatabase
  readonly blocks: Database<BlockValue, BlockKey>
  readonly streams: Database<StreamValue, StreamKey>
  /** Value: `journalChecksum`. */
  readonly journals: Database<number, number>

  /** Empties an environment that holds an index of another format, or none. */
  constructor(root: RootDatabase) {
    this.root = root
    this.blocks = root.openDB({ name: databaseNames.blocks })
    this.streams = root.openDB({ name: databaseNames.streams })
    this.journals = root.openDB({ name: databaseNames.journals })
    if (root.get(rootKeys.format) !== formatVersion) root.transactionSync(() => this.clear())
  }

  /** Within a transaction. */
  clear(): void {
    for (const database of [this.blocks, this.streams, this.journals]) database.clearSync()
    this.root.put(rootKeys.format, formatVersion)
  }

  /** Within a transaction. */
  putBlock(segment: number, stream: number, block: IndexedBlock): void {
    const { minTimestamp, directory } = block
    this.blocks.put([stream, minTimestamp, segment, directory.offset], blockValue(block))
  }

  /** Within a transaction. */
  removeBlock(segment: number, stream: number, { minTimestamp, directory }: IndexedBlock): void {
    this.blocks.remove([stream, minTimestamp, segment, directory.offset])
  }
}
