import { ScanPool } from '../../src/query/scan-pool.ts'

/** A scan pool without threads: one lane, whose tasks its `run` does by itself. */
export abstract class OneLane extends ScanPool {
  constructor() {
    super({ threads: 0, cacheBytes: 0 })
  }

  override get laneCount(): number {
    return 1
  }

  override laneOf(): number {
    return 0
  }
}
