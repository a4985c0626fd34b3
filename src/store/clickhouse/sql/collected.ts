/**
 * What collectors collect, counted by ClickHouse: one statement, whose rows are what a scan's collector would
 * have handed over. Of records that an exact condition selects, without stages.
 */
import type { Selector } from '../../../language/ast.ts'
import type { CollectorRequest } from '../../../query/collect/collector.ts'
import type { QueryParams } from '../connection.ts'
import { facetsQuestion } from './facets.ts'
import { fieldsQuestion } from './fields.ts'
import { groupsQuestion } from './groups.ts'
import { histogramQuestion } from './histogram.ts'
import { seriesQuestion } from './series.ts'
import { numbersQuestion } from './series-numbers.ts'
import { numberTextsQuestion } from './series-values.ts'
import { servicesQuestion } from './services.ts'

export interface CollectedQuestion {
  /** `from`: a table, and `WHERE` with a condition, such as `otel_logs WHERE 1`. */
  statement(from: string): string
  /** Their names begin with `q`. */
  readonly params: QueryParams
  /** Absent: rows are asked for as JSON. Otherwise as RowBinary, of which this makes rows. */
  readonly rowsOf?: (bytes: Buffer) => readonly unknown[]
  /** For `addPlain` of a collector of the same request, from the rows of the answer; undefined where they
   *  do not tell it. */
  plainOf(rows: readonly unknown[]): unknown
}

/** Undefined for what has to be counted by us. */
export function collectedQuestion(
  request: CollectorRequest,
  { stages = [], names }: Selector,
): CollectedQuestion | undefined {
  // LogQL's names of attributes are of several attributes each.
  if (stages.length > 0 || names === 'logql') return undefined
  switch (request.kind) {
    case 'groups':
      return groupsQuestion(request)
    case 'histogram':
      return histogramQuestion(request)
    case 'facets':
      return facetsQuestion(request)
    case 'fields':
      return fieldsQuestion(request)
    case 'services':
      return servicesQuestion()
    case 'series':
      return seriesQuestion(request)
    case 'numbers':
      return numbersQuestion(request) ?? numberTextsQuestion(request)
    case 'firsts':
    case 'patterns':
      return undefined
  }
}
