/** What `query.ts --json` writes and `compare.ts` reads: all single times of one run. */
import { readFileSync, writeFileSync } from 'node:fs'
import type { Memory } from './child.ts'

/**
 * How a question is met. First: once after a restart. Paced: after a rest. Warm: again and again.
 * Cold: once after a restart with the page cache dropped.
 */
export const phases = ['first', 'paced', 'warm', 'cold'] as const
export type Phase = (typeof phases)[number]

export interface ResultRow {
  readonly work: string
  readonly query: string
  /** That match. */
  readonly records: number
  /** The baseline. */
  readonly indexOfMs: number
  /** Milliseconds of each time that counts, in turn. */
  readonly times: Readonly<Partial<Record<Phase, readonly number[]>>>
  /** All asks of the warm phase, of which `times` has the last of each round. */
  readonly warmAsks?: readonly (readonly number[])[]
}

export interface QueryResults {
  readonly machine: string
  /** What was asked about: equal in runs that can be compared. */
  readonly data: { readonly kind: 'made' | 'lines'; readonly count: number; readonly seed: number }
  readonly store: string
  readonly origin: string
  /** Of the process that answers, at the end of each phase. */
  readonly memory: Readonly<Partial<Record<Phase, Memory>>>
  readonly rows: readonly ResultRow[]
  /** The peer, asked the same. */
  readonly clickHouse?: Pick<QueryResults, 'origin' | 'memory' | 'rows'>
}

export function writeResults(path: string, results: QueryResults): void {
  writeFileSync(path, `${JSON.stringify(results, null, 1)}\n`)
}

/** Throws when the file cannot be read. */
export function readResults(path: string): QueryResults {
  return JSON.parse(readFileSync(path, 'utf8')) as QueryResults
}
