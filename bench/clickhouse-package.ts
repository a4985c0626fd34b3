/** Where somebody has put ClickHouse for a benchmark. */
import { createRequire } from 'node:module'
import { resolve } from 'node:path'

/**
 * The absolute path of the directory in which `npm install chdb` was run, from any path to it. Throws a
 * sentence with the remedy when no package of that name is found from there.
 */
export function findClickHouse(directory: string): string {
  const path = resolve(directory)
  try {
    createRequire(`${path}/`).resolve('chdb')
  } catch {
    throw new Error(`--clickhouse: there is no chdb in "${path}"; run npm install chdb@3.4.0 in it`)
  }
  return path
}
