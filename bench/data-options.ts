/** The options of benchmarks over the data of `query-data.ts` that have no others. */
import { parseArgs } from 'node:util'
import { integerOption } from './options.ts'

export interface DataBenchOptions {
  readonly count: number
  readonly seed: number
  /** Runs that count. */
  readonly runs: number
  readonly isFresh: boolean
  /** Where `results.ts` writes. */
  readonly json: string | undefined
  readonly isQuick: boolean
}

/** Reads `--count --seed --runs --fresh --json --quick`; 2,000,000 records, or 100,000 when quick. */
export function readDataOptions(): DataBenchOptions {
  const { values } = parseArgs({
    options: {
      count: { type: 'string' },
      seed: { type: 'string', default: '1' },
      runs: { type: 'string', default: '7' },
      fresh: { type: 'boolean', default: false },
      json: { type: 'string' },
      quick: { type: 'boolean', default: false },
    },
  })
  return {
    count: integerOption('count', values.count ?? (values.quick ? '100000' : '2000000')),
    seed: integerOption('seed', values.seed),
    runs: integerOption('runs', values.runs),
    isFresh: values.fresh,
    json: values.json,
    isQuick: values.quick,
  }
}
