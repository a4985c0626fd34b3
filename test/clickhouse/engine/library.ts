/**
 * What the engine's library (chdb) can do, as its native part has it: the package's own interface lets no
 * binary format into a table. One process has one data directory.
 */
import { createRequire } from 'node:module'
import { enginePackage } from '../installed-engine.ts'

/** Has its own settings and its own database. Costs 0.1 ms. */
export type Connection = object

export interface Answered {
  readonly bytes: Buffer
  /** Seconds. */
  readonly elapsed: number
  readonly rowsRead: number
  readonly bytesRead: number
}

export interface Inserted {
  readonly elapsed: number
  readonly rowsWritten: number
  readonly bytesWritten: number
}

/** Rejects with the engine's text: `Code: 62. DB::Exception: … (SYNTAX_ERROR)`. */
export interface Library {
  CreateConnection(path: string): Connection
  CloseConnection(connection: Connection): void
  QueryAsyncConnection(
    connection: Connection,
    sql: string,
    format: string,
    parameters?: Readonly<Record<string, string>>,
  ): Promise<Answered>
  /** `prefix` ends with `FORMAT X`, without a line feed behind it: that would be a byte of the data. */
  InsertRawAsyncConnection(
    connection: Connection,
    prefix: string,
    data: Buffer,
    countsLines: boolean,
  ): Promise<Inserted>
}

export function loadLibrary(): Library {
  // By path: the package exports nothing of its native part.
  return createRequire(enginePackage)('./node_modules/chdb/dist/loader.js').loadNative()
}
