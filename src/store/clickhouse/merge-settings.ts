/** How ClickHouse merges the parts of our table. */
import type { Connection } from './connection.ts'
import type { Layout } from './layout.ts'

const setting = 'merge_selector_base'

/**
 * How many times as large as its largest part a merge is to be; 5 when nothing is said. A row is merged some
 * log(rows of a day / rows of an insert) / log(base) times, and a merge is most of what a row costs.
 */
const base = 10

/** Statements that set it; none where a server does not know it. Throws ClickHouseFailed. */
export async function mergeStatements(
  layout: Layout,
  connection: Pick<Connection, 'rows'>,
): Promise<readonly string[]> {
  const count = async (table: string, where = '') => {
    const from = layout.isReplicated ? layout.everyReplicaOf(table, 'system') : `system.${table}`
    const query = `SELECT count() AS found FROM ${from}${where}`
    const [counted] = await connection.rows<{ found: number | string }>({ query })
    return Number(counted?.found ?? 0)
  }
  const knowing = await count('merge_tree_settings', ` WHERE name = '${setting}'`)
  if (knowing < (await count('one'))) return []
  return layout.alterLogs(`MODIFY SETTING ${setting} = ${base}`, 'rows')
}
