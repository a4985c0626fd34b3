/**
 * What collectors collect, counted by ClickHouse: one statement, whose rows are what a scan's collector would
 * have handed over. Of records that an exact condition selects, without stages.
 */
import type { Selector } from '../../../language/ast.ts'
import type { CollectorRequest } from '../../../query/collect/collector.ts'
import type { QueryParams } from '../connection.ts'
import { facetsQuestion } from './facets.ts'
import { fieldsQuestion } from './fields.ts'
import { firstsQuestion } from './firsts.ts'
import { groupsQuestion } from './groups.ts'
import { histogramQuestion } from './histogram.ts'
import type { Names } from './label.ts'
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
  selector: Selector,
): CollectedQuestion | undefined {
  const { stages = [] } = selector
  const names: Names = selector.names ?? 'ours'
  if (stages.length > 0) return undefined
  switch (request.kind) {
    case 'groups':
      return groupsQuestion(request, names)
    case 'firsts':
      return firstsQuestion(request)
    case 'histogram':
      return histogramQuestion(request)
    // What is shown of LogQL's names of attributes, which several may have, is read of records.
    case 'facets':
      return names === 'logql' ? undefined : facetsQuestion(request)
    case 'fields':
      return names === 'logql' ? undefined : fieldsQuestion(request)
    case 'services':
      return servicesQuestion()
    case 'series':
      return seriesQuestion(request, names)
    case 'numbers':
      if (names === 'logql') return undefined
      return numbersQuestion(request) ?? numberTextsQuestion(request)
    case 'patterns':
      return undefined
  }
}
