/**
 * An index of the words of messages, where the server has one that helps: a `text` index, which tells for
 * each word of a part in which rows it is. Digits are taken out before: ids and numbers would be most of
 * the words, and of the index.
 */
import type { Connection } from './connection.ts'
import type { Layout } from './layout.ts'

/** What is indexed, in SQL: the message with a space for each digit. */
export const wordsOfBody = "translate(Body, '0123456789', '          ')"

const indexName = 'idx_body_words'

/** Since then `text` indexes are read for what is inside of words: year and month, as versions begin. */
const firstVersion = { year: 26, month: 4 }

/** Statements that make it; none where a server has not what it takes. Throws ClickHouseFailed. */
export async function wordIndexStatements(
  layout: Layout,
  connection: Pick<Connection, 'rows'>,
): Promise<readonly string[]> {
  const query = layout.isReplicated
    ? `SELECT DISTINCT version() AS version FROM ${layout.everyReplicaOf('one', 'system')}`
    : 'SELECT version() AS version'
  const versions = await connection.rows<{ version: string }>({ query })
  if (!versions.every(({ version }) => isEnough(version))) return []
  const index = `${indexName} ${wordsOfBody}
    TYPE text(tokenizer = splitByNonAlpha, posting_list_codec = 'bitpacking')`
  return layout.alterLogs(`ADD INDEX IF NOT EXISTS ${index}`, 'rows')
}

function isEnough(version: string): boolean {
  const [year = 0, month = 0] = version.split('.').map(Number)
  const { year: firstYear, month: firstMonth } = firstVersion
  return year > firstYear || (year === firstYear && month >= firstMonth)
}

/** How long it is believed that there is none, ms: it may be added by hand. */
const missingMs = 60_000

/** Whether the tables have it. */
export class WordIndex {
  readonly #layout: Layout
  readonly #connection: Pick<Connection, 'rows'>
  #isThere = false
  #lookedAt = Number.NEGATIVE_INFINITY
  #looking: Promise<void> | undefined

  constructor(layout: Layout, connection: Pick<Connection, 'rows'>) {
    this.#layout = layout
    this.#connection = connection
  }

  /** Throws ClickHouseFailed. */
  async isThere(): Promise<boolean> {
    if (!this.#isThere && performance.now() - this.#lookedAt > missingMs) {
      this.#looking ??= this.#look().finally(() => {
        this.#looking = undefined
      })
      await this.#looking
    }
    return this.#isThere
  }

  async #look(): Promise<void> {
    const lookedAt = performance.now()
    const [found] = await this.#connection.rows<{ found: number | string }>({
      query: `SELECT count() AS found FROM system.data_skipping_indices
        WHERE database = currentDatabase() AND table = '${this.#layout.rowsTable}'
          AND name = '${indexName}'`,
    })
    this.#isThere = Number(found?.found ?? 0) > 0
    this.#lookedAt = lookedAt
  }
}
