/** Looks at the days in ClickHouse now and then, and drops those that retention does not allow. */
import type { Config } from '../../config/config.ts'
import { KeptClock } from '../maintain/kept-clock.ts'
import type { RetentionBounds } from '../maintain/retention.ts'
import type { WorkParts } from '../store-parts.ts'
import type { Connection } from './connection.ts'
import type { Layout } from './layout.ts'
import { dropPartitions, listPartitions, type Partition, partitionsToDrop } from './partitions.ts'

/** How often, ms. */
const intervalMs = 60_000

export interface DayRetentionParts extends Pick<WorkParts, 'disk' | 'logger' | 'health' | 'now'> {
  readonly config: Pick<Config, 'dataDir' | 'acceptClock'>
  readonly bounds: () => RetentionBounds
  readonly connection: Pick<Connection, 'rows' | 'command'>
  readonly layout: Layout
}

export class DayRetention {
  readonly #parts: DayRetentionParts
  readonly #clock: KeptClock
  readonly #timer: NodeJS.Timeout
  #isClosing = false
  #running: Promise<void> | undefined
  #isAsked = false
  #known: readonly Partition[] = []
  #dropped = 0

  constructor(parts: DayRetentionParts) {
    const { dataDir, acceptClock } = parts.config
    this.#parts = parts
    this.#clock = new KeptClock({
      ...parts,
      dataDir,
      isAccepted: acceptClock,
      newestMadeAt: undefined,
    })
    this.#timer = setInterval(() => this.wake(), intervalMs)
    this.#timer.unref()
    this.wake()
  }

  /** The days as they were when they were last looked at. */
  get known(): readonly Partition[] {
    return this.#known
  }

  /** Days dropped since the start. */
  get dropped(): number {
    return this.#dropped
  }

  /** What bounds would drop now. Throws ClickHouseFailed. */
  async wouldDrop(bounds: RetentionBounds): Promise<readonly Partition[]> {
    const partitions = await listPartitions(this.#parts.connection, this.#parts.layout)
    return partitionsToDrop(partitions, bounds, await this.#clock.time())
  }

  /** Looks now. */
  wake(): void {
    if (this.#isClosing) return
    this.#isAsked = true
    this.#running ??= this.#work().finally(() => {
      this.#running = undefined
    })
  }

  /** Resolves when what was asked for is done. */
  async settled(): Promise<void> {
    while (this.#running !== undefined) await this.#running
  }

  async close(): Promise<void> {
    this.#isClosing = true
    clearInterval(this.#timer)
    await this.settled()
    await this.#clock.keep()
  }

  async #work(): Promise<void> {
    const { connection, layout, bounds, health, logger } = this.#parts
    while (this.#isAsked && !this.#isClosing) {
      this.#isAsked = false
      try {
        const partitions = await listPartitions(connection, layout)
        const old = partitionsToDrop(partitions, bounds(), await this.#clock.time())
        await dropPartitions(old, connection, layout, logger)
        this.#dropped += old.length
        this.#known = partitions.filter(partition => !old.includes(partition))
        health.clear('retention_failing')
      } catch (error) {
        const text = `days in ClickHouse cannot be looked at: ${(error as Error).message}`
        health.raise('retention_failing', text)
      }
    }
  }
}
