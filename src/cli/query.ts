/**
 * `logstrata query`: asks a running service, and prints what it answers.
 *
 * Which operation answers depends on the query: records and aggregates over one selector come from
 * /query/logs; what has several selectors, or is asked for in steps of time, from the series operations
 * in Prometheus' form.
 */
import { Output } from './output.ts'
import { explainFault } from './query-fault.ts'
import { printHistogram } from './query-histogram.ts'
import { queryKind } from './query-kind.ts'
import { readQueryOptions } from './query-options.ts'
import { printRecords } from './query-records.ts'
import { printSeries } from './query-series.ts'
import type { Terminal } from './terminal.ts'

/** Resolves with 0 when the answer was printed. Throws ConfigError and CommandError. */
export async function runQuery(argv: readonly string[], terminal: Terminal): Promise<number> {
  const options = readQueryOptions(argv, terminal.environment, Date.now())
  const output = new Output(terminal.stdout)
  try {
    if (options.histogram) {
      await printHistogram(options, output, terminal)
    } else if (options.stepMs !== undefined || queryKind(options.query) === 'expression') {
      await printSeries(options, output, terminal)
    } else {
      await printRecords(options, output, terminal)
    }
  } catch (error) {
    // Whoever read has gone, and the request under way went with him.
    if (output.closed.aborted) return 0
    throw explainFault(error, options.query)
  }
  return 0
}
