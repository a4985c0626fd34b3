/** Keeps a copy of the catalog of each day, for the day on which the catalog cannot be opened any more. */

import type { Health } from '../../health.ts'
import { dayMs } from '../../time-units.ts'
import type { Catalog } from '../catalog.ts'
import { copyPath, listCopies } from './copy-files.ts'
import { keepCopy } from './keep-copy.ts'

/** How often it is asked whether a copy is due, ms. */
const intervalMs = 600_000

export interface DailyCopiesParts {
  readonly dataDir: string
  readonly catalog: Pick<Catalog, 'copyTo'>
  readonly now: () => number
  /** Is told while no copy can be made. */
  readonly health: Pick<Health, 'raise' | 'clear'>
}

export class DailyCopies {
  readonly #parts: DailyCopiesParts
  readonly #timer: NodeJS.Timeout
  #making: Promise<void> | undefined

  /** Begins at once, and continues until it is closed. */
  constructor(parts: DailyCopiesParts) {
    this.#parts = parts
    this.#timer = setInterval(() => void this.makeIfDue(), intervalMs).unref()
    void this.makeIfDue()
  }

  /** When the newest copy was made, ms since 1970; undefined when there is none. */
  newestAt(): number | undefined {
    return listCopies(this.#parts.dataDir)[0]?.madeAt
  }

  /** Makes the copy of the day, if there is none yet. What goes wrong is told by health. */
  async makeIfDue(): Promise<void> {
    this.#making ??= this.#makeIfDue().finally(() => {
      this.#making = undefined
    })
    await this.#making
  }

  /** The catalog must not be closed before. */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.#making
  }

  async #makeIfDue(): Promise<void> {
    const { dataDir, catalog, now, health } = this.#parts
    try {
      const newest = listCopies(dataDir).find(({ isDaily }) => isDaily)
      // Its time may lie ahead, when the clock was set back.
      if (newest !== undefined && Math.abs(now() - newest.madeAt) < dayMs) return
      await keepCopy(dataDir, copyPath(dataDir, now()), path => catalog.copyTo(path))
      health.clear('catalog_copy_failing')
    } catch (error) {
      health.raise('catalog_copy_failing', (error as Error).message)
    }
  }
}
