/**
 * Dashboards, each a JSON text under its id. What is needed to list them lies apart, so that a list
 * does not read every text; both are written in one transaction.
 */

import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { orProblem, ProblemError } from '../problems.ts'
import type { Timestamp } from '../record.ts'
import { type Answer, timestamp } from '../schema/answer.ts'
import { InTurn } from '../threads/in-turn.ts'
import type { Collection } from './collection.ts'
import { writeDashboard } from './dashboard-text.ts'
import type { CatalogDatabase } from './database.ts'
import { digestOf } from './secrets/digest.ts'

export const dashboardSummarySchema = Type.Object(
  {
    id: Type.String(),
    title: Type.String({ description: 'Of the metadata, or else of the content, or empty.' }),
    folderPath: Type.String(),
    createdAt: timestamp,
    updatedAt: timestamp,
  },
  { $id: 'DashboardSummary', description: 'A dashboard as a list shows it.' },
)

export type DashboardSummary = Answer<typeof dashboardSummarySchema>

/** What a change made of a dashboard. */
export interface SavedDashboard {
  readonly id: string
  readonly version: string
}

/** A dashboard as it is stored. */
export interface StoredDashboard {
  /** JSON, every digit as it was sent. */
  readonly text: string
  /** The same for the same text, and another for any other: letters, digits, `-` and `_`. */
  readonly version: string
}

/** A value of the collection `dashboards`, under the dashboard's id. */
type StoredSummary = Omit<DashboardSummary, 'id'>

export class Dashboards {
  readonly #database: CatalogDatabase
  readonly #now: () => number
  readonly #summaries: Collection<StoredSummary>
  readonly #texts: Collection<string>
  /** What a change is compared with is what the one before has left. */
  readonly #inTurn = new InTurn()

  constructor(database: CatalogDatabase, now: () => number) {
    this.#database = database
    this.#now = now
    this.#summaries = database.collection('dashboards', 'msgpack')
    this.#texts = database.collection('dashboard-texts', 'string')
  }

  /**
   * Creates the dashboard, or replaces the one with its `metadata.id` as a whole; without an id it
   * gets a new one, and without a `folderPath` the default: both are filled in in what `get` returns.
   * Resolves when all is on disk. Throws `field_invalid` with a path such as
   * `dashboard.content.variables[0].name`, `json_too_deep`, or `body_too_large`.
   * @param isWanted Whether the version that is there now is one to be replaced. When it is not, or
   *   none is there, nothing is changed: throws `dashboard_changed`. Any when left out.
   */
  async put(dashboard: unknown, isWanted?: (version: string) => boolean): Promise<SavedDashboard> {
    const { id, title, folderPath, text } = writeDashboard(dashboard)
    await this.#inTurn.run(async () => {
      if (isWanted !== undefined) this.#requireVersion(id, isWanted)
      const updatedAt = this.#now()
      const createdAt = this.#createdAt(id) ?? updatedAt
      await this.#database.write(() => {
        this.#summaries.put(id, { title, folderPath, createdAt, updatedAt })
        this.#texts.put(id, text)
      })
    })
    return { id, version: digestOf(text) }
  }

  /** Undefined when it is not known any more, too. */
  #createdAt(id: string): Timestamp | undefined {
    const known = orProblem(() => this.#summaries.get(id))
    return known instanceof ProblemError ? undefined : known?.createdAt
  }

  #requireVersion(id: string, isWanted: (version: string) => boolean): void {
    const text = this.#texts.get(id)
    const version = text === undefined ? undefined : digestOf(text)
    if (version !== undefined && isWanted(version)) return
    const detail =
      version === undefined
        ? 'it was deleted since, or never stored; without If-Match it is made anew'
        : 'it is not the version that If-Match names any more; get it again and make the change in that, or leave If-Match out to save over it'
    throw new ProblemError('dashboard_changed', detail, { field: 'If-Match' })
  }

  /** The dashboard as it is stored. Throws `dashboard_unknown`. */
  getStored(id: string): StoredDashboard {
    const text = this.getText(id)
    return { text, version: digestOf(text) }
  }

  /** The dashboard as JSON text, every digit as it was sent. Throws `dashboard_unknown`. */
  getText(id: string): string {
    const text = this.#isKey(id) ? this.#texts.get(id) : undefined
    if (text === undefined) {
      throw unknownDashboard()
    }
    return text
  }

  /** An id longer than any of ours may be longer than any key that LMDB takes. */
  #isKey(id: string): boolean {
    return id.length <= limits.dashboardIdLengthMax
  }

  /** The dashboard as a value; integers beyond 2^53 are rounded. Throws `dashboard_unknown`. */
  get(id: string): unknown {
    return JSON.parse(this.getText(id))
  }

  /** All dashboards, by folder, then by title. */
  list(): DashboardSummary[] {
    const summaries = [...this.#summaries.getRange()].map(({ key, value }) => ({
      id: key,
      ...value,
    }))
    return summaries.sort(
      (a, b) =>
        compareTexts(a.folderPath, b.folderPath) ||
        compareTexts(a.title, b.title) ||
        compareTexts(a.id, b.id),
    )
  }

  /** Deletes for good; it is on disk when the promise resolves. Throws `dashboard_unknown`. */
  async delete(id: string): Promise<void> {
    await this.#inTurn.run(async () => {
      // A damaged one can be deleted too.
      if (!this.#isKey(id) || !this.#texts.doesExist(id)) throw unknownDashboard()
      await this.#database.write(() => {
        this.#summaries.remove(id)
        this.#texts.remove(id)
      })
    })
  }
}

function unknownDashboard(): ProblemError {
  return new ProblemError('dashboard_unknown', 'no dashboard has this id')
}

/** By code unit: the same order on every machine, whatever its language. */
function compareTexts(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}
