/**
 * On how many replicas rows of a shard are. An insert that failed for want of a quorum stays where it was
 * written: a question to any one of them would find it, and it would be lost with that one.
 */
import type { Connection, QueryParams } from './connection.ts'
import type { Layout } from './layout.ts'

export interface Copies {
  /** Of all replicas that answer. */
  readonly rows: number
  /** Replicas of the shard that has them, as `insert_quorum` counts them; 1 where a table has none. */
  readonly replicas: number
}

/** Replicas that `insert_quorum = 'auto'` waits for. */
export function mostOf(replicas: number): number {
  return Math.floor(replicas / 2) + 1
}

/** Of rows that one shard has. Throws ClickHouseFailed; an Error when nobody knows of the replicas. */
export async function countCopies(
  where: string,
  params: QueryParams,
  connection: Pick<Connection, 'rows'>,
  layout: Layout,
): Promise<Copies> {
  const rows = await connection.rows<Record<'shard' | 'found' | 'total', string | number>>({
    query: `SELECT getMacro('shard') AS shard, count() AS found, 0 AS total
      FROM ${layout.everyReplicaOf(layout.rowsTable)} WHERE ${where} GROUP BY shard
      UNION ALL
      SELECT getMacro('shard') AS shard, 0 AS found, max(total_replicas) AS total
      FROM ${layout.everyReplicaOf('replicas', 'system')}
      WHERE database = currentDatabase() AND table = '${layout.rowsTable}' GROUP BY shard`,
    params,
    // One that is away has no copy for now.
    settings: { skip_unavailable_shards: 1 },
  })
  const has = rows.find(({ found }) => Number(found) > 0)
  const known = rows.find(({ shard, found }) => shard === has?.shard && Number(found) === 0)
  if (has === undefined || known === undefined)
    return { rows: Number(has?.found ?? 0), replicas: 1 }
  const replicas = Number(known.total)
  if (replicas === 0) throw new Error('ClickHouse does not know its replicas at present')
  return { rows: Number(has.found), replicas }
}
