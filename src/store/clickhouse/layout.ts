/**
 * Where the tables are: on one server, or on all nodes of a cluster. There each node has the rows of its
 * shard in a table that is replicated, and over these a Distributed one under the name that everybody asks;
 * what is small is replicated to all nodes.
 */
import { logsTable } from './tables.ts'

/**
 * Of every statement. A part of the shards is no answer; an insert is with its shard, and there with most of
 * its replicas, when it is answered; and who is behind them is not asked.
 */
const ofCluster = {
  distributed_foreground_insert: 1,
  skip_unavailable_shards: 0,
  insert_quorum: 'auto',
  insert_quorum_parallel: 1,
  max_replica_delay_for_distributed_queries: 1,
  fallback_to_stale_replicas_for_distributed_queries: 0,
  // The server gives up before we do (`connection.ts`): ms, and seconds.
  insert_quorum_timeout: 50_000,
  distributed_ddl_task_timeout: 50,
} as const

export class Layout {
  readonly #cluster: string | undefined

  /** `cluster`: a name that all nodes know; undefined: the tables are on one server. */
  constructor(cluster: string | undefined) {
    this.#cluster = cluster
  }

  /** The table that has the rows, of which each node of a cluster has its own. */
  get rowsTable(): string {
    return this.#cluster === undefined ? logsTable : `${logsTable}_local`
  }

  /** All tables that have the columns of the rows. */
  get logsTables(): readonly string[] {
    return this.#cluster === undefined ? [logsTable] : [this.rowsTable, logsTable]
  }

  /** Stands behind the name of a table that is made or changed. */
  get onCluster(): string {
    return this.#cluster === undefined ? '' : ` ON CLUSTER ${written(this.#cluster)}`
  }

  /** The parts of tables, of each shard once. */
  get systemParts(): string {
    return this.#cluster === undefined
      ? 'system.parts'
      : `cluster(${written(this.#cluster)}, system.parts)`
  }

  /** Whether tables have replicas. */
  get isReplicated(): boolean {
    return this.#cluster !== undefined
  }

  /** A table as each node of the cluster has it: rows are there as often as they have replicas. */
  everyReplicaOf(table: string, database = 'currentDatabase()'): string {
    if (this.#cluster === undefined) throw new TypeError('the tables are on one server')
    return `clusterAllReplicas(${written(this.#cluster)}, ${database}, ${table})`
  }

  /** The engine of `rowsTable`. */
  get rowsEngine(): string {
    if (this.#cluster === undefined) return 'MergeTree'
    return `ReplicatedMergeTree('/clickhouse/tables/{shard}/{database}/${this.rowsTable}', '{replica}')`
  }

  /** The settings of `rowsTable` by which so many inserts are known again, on replicas for a week. */
  remembering(inserts: number): string {
    if (this.#cluster === undefined) return `non_replicated_deduplication_window = ${inserts}`
    const seconds = 7 * 86_400
    return `replicated_deduplication_window = ${inserts},
    replicated_deduplication_window_seconds = ${seconds}`
  }

  /** The engine of a small table, which is the same on all nodes. */
  smallEngine(
    table: string,
    kind: 'MergeTree' | 'ReplacingMergeTree',
    ...options: string[]
  ): string {
    if (this.#cluster === undefined)
      return options.length === 0 ? kind : `${kind}(${options.join(', ')})`
    const place = [`'/clickhouse/tables/{database}/${table}'`, `'{shard}-{replica}'`]
    return `Replicated${kind}(${[...place, ...options].join(', ')})`
  }

  /** What makes the table that everybody asks; nothing on one server, where that has the rows. */
  askedTable(database: string): readonly string[] {
    if (this.#cluster === undefined) return []
    const places = [this.#cluster, database, this.rowsTable].map(written).join(', ')
    // A journal file is on one shard: an insert is there whole or not at all.
    return [
      `CREATE TABLE IF NOT EXISTS ${logsTable}${this.onCluster} AS ${this.rowsTable}
      ENGINE = Distributed(${places}, cityHash64(FrontEnd, JournalFile))`,
    ]
  }

  /** What changes columns, or only the rows and how they are kept. */
  alterLogs(change: string, of: 'columns' | 'rows'): readonly string[] {
    const tables = of === 'columns' ? this.logsTables : [this.rowsTable]
    return tables.map(table => `ALTER TABLE ${table}${this.onCluster} ${change}`)
  }

  /** An address, with what is set for every statement there. */
  urlOf(url: string): string {
    if (this.#cluster === undefined) return url
    const withSettings = new URL(url)
    for (const [name, value] of Object.entries(ofCluster)) {
      withSettings.searchParams.set(`clickhouse_setting_${name}`, String(value))
    }
    return withSettings.href
  }
}

function written(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`
}
