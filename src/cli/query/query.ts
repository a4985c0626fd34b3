/**
 * `logstrata query`: asks a running service, and prints what it answers.
 *
 * Which operation answers depends on the query: records and aggregates over one selector come from
 * /query/logs; what has several selectors, or is asked for in steps of time, from the series operations
 * in Prometheus' form.
 */
import { type Output, printTo } from '../output.ts'
import type { Terminal } from '../terminal.ts'
import { printExplanation } from './explanation.ts'
import { printSeries } from './expression.ts'
import { explainFault } from './fault.ts'
import { printHistogram } from './histogram.ts'
import { queryKind } from './kind.ts'
import { type QueryOptions, readQueryOptions } from './options.ts'
import { printRecords } from './records.ts'

/** Resolves with 0 when the answer was printed. Throws ConfigError and CommandError. */
export async function runQuery(argv: readonly string[], terminal: Terminal): Promise<number> {
  const options = readQueryOptions(argv, terminal.environment, Date.now())
  await printTo(terminal.stdout, async output => {
    try {
      await printAnswer(options, output, terminal)
    } catch (error) {
      // Whoever read has gone, and the request under way went with him.
      if (!output.closed.aborted) throw explainFault(error, options.query)
    }
  })
  return 0
}

async function printAnswer(
  options: QueryOptions,
  output: Output,
  terminal: Terminal,
): Promise<void> {
  if (options.explain) {
    await printExplanation(options, output, terminal)
  } else if (options.histogram) {
    await printHistogram(options, output, terminal)
  } else if (options.stepMs !== undefined || queryKind(options.query) === 'expression') {
    await printSeries(options, output, terminal)
  } else {
    await printRecords(options, output, terminal)
  }
}
