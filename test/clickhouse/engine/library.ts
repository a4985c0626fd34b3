/**
 * What the engine's library (chdb) can do, as its native part has it: the package's own interface has a
 * form of its own for parameters. One process has one data directory.
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
}

export function loadLibrary(): Library {
  // By path: the package exports nothing of its native part.
  return createRequire(enginePackage)('./node_modules/chdb/dist/loader.js').loadNative()
}
