/**
 * What a store is built on: the disk, the index, and the threads that work on them. Tests that simulate a
 * disk, which no other thread can see, put other things in their place.
 */
import type { Logger } from 'pino'
import type { Disk } from '../disk/disk.ts'
import { realDisk } from '../disk/real-disk.ts'
import { type OpenedIndex, openBlockIndex } from '../index/open-index.ts'
import { ScanPool, type ScanPoolOptions } from '../query/scan-pool.ts'
import { ScrubThread } from './maintain/scrub-thread.ts'
import { SealThread } from './maintain/seal-thread.ts'
import { TailThread } from './tail/thread.ts'

/** A query of a tail that takes one to two times as long, ms, for one frame of the journal is ended. */
const tailLookMs = 1_000

export interface StoreGround {
  readonly disk: Disk
  readonly openIndex: (dataDir: string, logger: Logger) => Promise<OpenedIndex>
  readonly newScanPool: (options: ScanPoolOptions) => ScanPool
  readonly newSealThread: () => Pick<SealThread, 'seal' | 'compact' | 'close'>
  readonly newScrubThread: () => Pick<ScrubThread, 'index' | 'segment' | 'journal' | 'close'>
  readonly newTailThread: () => Pick<TailThread, 'run' | 'start' | 'close'>
}

export const realGround: StoreGround = {
  disk: realDisk,
  openIndex: openBlockIndex,
  newScanPool: options => new ScanPool(options),
  newSealThread: () => new SealThread(),
  newScrubThread: () => new ScrubThread(),
  newTailThread: () => new TailThread({ lookMs: tailLookMs }),
}
