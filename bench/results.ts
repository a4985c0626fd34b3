/** What `--json FILE` of a benchmark writes and `compare.ts` reads: the values behind its tables. */
import { readFileSync, writeFileSync } from 'node:fs'
import { machineLine } from './table.ts'

export interface BenchRow {
  /** What was done; no other row of the file is called so. */
  readonly work: string
  /** Of each measure, whose name ends in its unit (`p99 ms`), the value of each round, in turn. */
  readonly measures: Readonly<Record<string, readonly number[]>>
}

export interface BenchResults {
  /** The script, such as `ingest`. */
  readonly bench: string
  readonly machine: string
  /** What was measured, such as how many records: equal in runs that can be compared. */
  readonly conditions: Readonly<Record<string, string | number>>
  readonly rows: readonly BenchRow[]
  /** What else a benchmark notes; it is not compared. */
  readonly details?: unknown
}

/** Does nothing without a path, when `--json` is not given. Throws when the file cannot be written. */
export function writeResults(
  path: string | undefined,
  results: Omit<BenchResults, 'machine'>,
): void {
  if (path === undefined) return
  writeFileSync(path, `${JSON.stringify({ machine: machineLine(), ...results }, null, 1)}\n`)
}

/** Throws when the file cannot be read, or is no such file. */
export function readResults(path: string): BenchResults {
  const results = JSON.parse(readFileSync(path, 'utf8')) as Partial<BenchResults> | null
  if (results?.bench === undefined || results.conditions === undefined) {
    throw new Error(`${path} was not written by --json of a benchmark of this version`)
  }
  return results as BenchResults
}
