/**
 * A real store on a simulated disk. No other thread could see that disk: what threads do otherwise,
 * sealing, compacting and scanning, the main thread does here, by the same functions.
 */
import { pino } from 'pino'
import { type Config, readConfig } from '../../src/config/config.ts'
import { exportRows } from '../../src/query/export/scan.ts'
import { rebuildRecords } from '../../src/query/rebuild-rows.ts'
import { scanSources } from '../../src/query/scan.ts'
import type { ScanJob } from '../../src/query/scan-pool.ts'
import { newSharedBound } from '../../src/query/shared-bound.ts'
import { SourceReader } from '../../src/query/source-reader.ts'
import type { StoreGround } from '../../src/store/ground.ts'
import { type LocalStore, openLocalStore } from '../../src/store/local-store.ts'
import { scrubJournal, scrubSegment } from '../../src/store/maintain/scrub-tasks.ts'
import { compact, seal } from '../../src/store/maintain/seal-tasks.ts'
import { upgradeSegments } from '../../src/store/maintain/upgrade.ts'
import type { SimulatedDisk } from '../disk/simulated-disk.ts'
import { OneLane } from '../query/one-lane.ts'
import { uncounted } from '../store/store-in.ts'
import type { SimulatedIndex } from './power-cut-index.ts'

const baseConfig = readConfig(['--data-dir', '/data', '--scan-threads', '1'], {})

export interface SimulatedStoreOptions {
  readonly config: Partial<Config>
  readonly disk: SimulatedDisk
  readonly index: SimulatedIndex
  readonly now: () => number
}

const logger = pino({ level: 'silent' })

/** What seals, compacts and indexes on a simulated machine. */
function writersOn(disk: SimulatedDisk, index: SimulatedIndex) {
  return {
    disk,
    openIndex: async () => ({ index: index.open(), isNew: false, fault: undefined }),
    newSealThread: (): ReturnType<StoreGround['newSealThread']> => ({
      seal: async task => seal(task, disk),
      compact: async task => compact(task, disk),
      close: async () => {},
    }),
  }
}

/** Upgrades what an older version has written; gives how many segments. */
export async function upgradeSimulated(
  disk: SimulatedDisk,
  index: SimulatedIndex,
): Promise<number> {
  const ground = writersOn(disk, index)
  const { signal } = new AbortController()
  const options = { dataDir: '/data', logger, onProgress() {}, signal, ground }
  return (await upgradeSegments(options)).upgraded
}

export function openSimulatedStore(options: SimulatedStoreOptions): Promise<LocalStore> {
  const { config, disk, index, now } = options
  return openLocalStore({
    config: { ...baseConfig, ...config },
    logger,
    metrics: uncounted,
    ownMetrics: uncounted,
    now,
    onFatal: () => {}, // The process is dead already.
    ground: {
      ...writersOn(disk, index),
      newScanPool: () => new ScansHere(disk),
      newScrubThread: () => ({
        index: () => Promise.reject(new Error('nothing is scrubbed here')),
        segment: async part => scrubSegment(part, disk),
        journal: async part => scrubJournal(part, disk),
        close: async () => {},
      }),
      newTailThread: () => ({
        run: () => Promise.reject(new Error('nobody tails here')),
        start: () => {},
        close: async () => {},
      }),
    },
  })
}

/** One lane, in this thread. */
class ScansHere extends OneLane {
  readonly #disk: SimulatedDisk

  constructor(disk: SimulatedDisk) {
    super()
    this.#disk = disk
  }

  override async run<T>(_: AbortSignal, work: (job: ScanJob) => Promise<T>): Promise<T> {
    const reader = new SourceReader(0, this.#disk)
    const cancelled = new Int32Array(new SharedArrayBuffer(4))
    const forEver = Number.POSITIVE_INFINITY
    const turn = { turnMs: forEver, longMs: forEver, cancelled }
    return work({
      cancelled,
      sharedBound: newSharedBound(),
      scan: async (_lane, _pace, task) => scanSources({ ...task, turn }, reader),
      rebuild: async (_lane, task) => rebuildRecords(task, reader),
      levelEnds: async (_lane, sources) => reader.levelEnds(sources),
      runFilters: async (_lane, source) => reader.runFilters(source),
      exportWindow: async (_lane, _pace, task) => exportRows({ ...task, turn }, reader),
    })
  }
}
