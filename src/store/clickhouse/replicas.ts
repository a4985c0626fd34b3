/**
 * On how many replicas rows of a shard are. An insert that failed for want of a quorum stays where it was
 * written: a question to any one of them would find it, and it would be lost with that one.
 */
import { ClickHouseFailed, type Connection, type QueryParams } from './connection.ts'
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

/** Of rows that one shard has. Throws ClickHouseFailed, which passes when nobody knows of the replicas. */
export async function countCopies(
  where: string,
  params: QueryParams,
  connection: Pick<Connection, 'rows'>,
  layout: Layout,
): Promise<Copies> {
  const [shard] = await countOnReplicas({ where, dayOf: '0', params }, connection, layout)
  if (shard === undefined) return { rows: 0, replicas: 1 }
  const rows = shard.daysOf.reduce((sum, counts) => sum + (counts.get(0) ?? 0), 0)
  return { rows, replicas: shard.replicas }
}

/** Which rows are counted, by which number of each: both as SQL. */
export interface CountedDays {
  readonly where: string
  readonly dayOf: string
  readonly params: QueryParams
}

/** Rows of one shard by day. */
interface ShardDays {
  /** As of `Copies`. */
  readonly replicas: number
  /** Of each replica that answers and has any. */
  readonly daysOf: readonly ReadonlyMap<number, number>[]
}

/** Rows by day, whichever shards have them. */
export interface DaysOnReplicas {
  /** Of each shard, as many as any one of its replicas has. */
  readonly onAny: Map<number, number>
  /** As many as each of so many replicas has as an insert waits for. */
  readonly onMost: Map<number, number>
}

/** Throws ClickHouseFailed, which passes when nobody knows of the replicas. */
export async function daysOnReplicas(
  counted: CountedDays,
  connection: Pick<Connection, 'rows'>,
  layout: Layout,
): Promise<DaysOnReplicas> {
  const onAny = new Map<number, number>()
  const onMost = new Map<number, number>()
  const add = (sums: Map<number, number>, day: number, count: number) =>
    sums.set(day, (sums.get(day) ?? 0) + count)
  for (const { replicas, daysOf } of await countOnReplicas(counted, connection, layout)) {
    for (const day of new Set(daysOf.flatMap(counts => [...counts.keys()]))) {
      const falling = daysOf.map(counts => counts.get(day) ?? 0).sort((a, b) => b - a)
      add(onAny, day, falling[0] ?? 0)
      add(onMost, day, falling[mostOf(replicas) - 1] ?? 0)
    }
  }
  return { onAny, onMost }
}

/** Of the shards that have any. */
async function countOnReplicas(
  { where, dayOf, params }: CountedDays,
  connection: Pick<Connection, 'rows'>,
  layout: Layout,
): Promise<ShardDays[]> {
  const ofReplica = `getMacro('shard') AS shard, getMacro('replica') AS replica`
  const rows = await connection.rows<
    Record<'shard' | 'replica' | 'day' | 'found' | 'total', string | number>
  >({
    query: `SELECT ${ofReplica}, toInt64(${dayOf}) AS day, count() AS found, 0 AS total
      FROM ${layout.everyReplicaOf(layout.rowsTable)} WHERE ${where} GROUP BY shard, replica, day
      UNION ALL
      SELECT ${ofReplica}, toInt64(0) AS day, 0 AS found, total_replicas AS total
      FROM ${layout.everyReplicaOf('replicas', 'system')}
      WHERE database = currentDatabase() AND table = '${layout.rowsTable}'`,
    params,
    // One that is away has no copy for now.
    settings: { skip_unavailable_shards: 1 },
  })
  const shards = Map.groupBy(rows, ({ shard }) => shard)
  return [...shards.values()].flatMap(ofShard => {
    const found = ofShard.filter(row => Number(row.found) > 0)
    const totals = ofShard.filter(row => Number(row.found) === 0).map(({ total }) => Number(total))
    if (found.length === 0) return []
    const replicas = totals.length === 0 ? 1 : Math.max(...totals)
    if (replicas === 0) {
      throw new ClickHouseFailed('ClickHouse does not know its replicas at present', undefined)
    }
    const daysOf = [...Map.groupBy(found, ({ replica }) => replica).values()].map(
      own => new Map(own.map(({ day, found }) => [Number(day), Number(found)])),
    )
    return [{ replicas, daysOf }]
  })
}
