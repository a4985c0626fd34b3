/**
 * What collectors collect, counted by ClickHouse: one statement, whose rows are what a scan's collector would
 * have handed over. Of records that an exact condition selects; of kinds of messages (`collectsPatterns`)
 * only of those that tell theirs.
 */
import type { CollectorRequest } from '../../../query/collect/collector.ts'
import type { QueryParams } from '../connection.ts'
import { readKinds, tellsChangedKinds } from './changed-kinds.ts'
import { type ChangedLine, changedPatternsQuestion } from './changed-patterns.ts'
import { type FieldOf, facetsQuestion, madeFacetsQuestion } from './facets.ts'
import { fieldsQuestion } from './fields.ts'
import { firstsQuestion } from './firsts.ts'
import { groupsQuestion } from './groups.ts'
import { histogramQuestion } from './histogram.ts'
import type { LabelTexts } from './label.ts'
import { collectsPatterns } from './pattern-id.ts'
import { patternsQuestion } from './patterns.ts'
import { seriesQuestion } from './series.ts'
import { numbersQuestion } from './series-numbers.ts'
import { servicesQuestion } from './services.ts'
import type { ListedFields } from './stages/listed-fields.ts'

export interface CollectedQuestion {
  /** `from`: a table, and `WHERE` with a condition, such as `otel_logs WHERE 1`. */
  statement(from: string): string
  /** Their names begin with `q`. */
  readonly params: QueryParams
  /** Absent: rows are asked for as JSON. Otherwise as RowBinary, of which this makes rows. */
  readonly rowsOf?: (pieces: readonly Buffer<ArrayBuffer>[]) => readonly unknown[]
  /** For `addPlain` of a collector of the same request, from the rows of the answer; undefined where they
   *  do not tell it. Or a promise of that. */
  plainOf(rows: readonly unknown[]): unknown
}

/** Where the texts of labels stand, and the names of attributes. */
export interface AskedLabels {
  readonly texts: LabelTexts
  /** Of attributes only, whatever their names. */
  readonly attributes: LabelTexts
  /** Of facets and values; absent: of records as they came, under their own names. */
  readonly fields?: FieldOf
  /** The same of many at once; undefined where none is listed. */
  readonly listed?: (fields: readonly string[]) => ListedFields | undefined
  /** An array of the names of a record's attributes; undefined where that is not told. */
  readonly names: () => string | undefined
  /** Lines that stages have made others; absent: rows tell the kinds of their lines. */
  readonly changedLine?: ChangedLine | undefined
}

/** Undefined for what has to be counted by us. */
export function collectedQuestion(
  request: CollectorRequest,
  asked: AskedLabels,
): CollectedQuestion | undefined {
  const isChanged = asked.changedLine !== undefined && collectsPatterns(request)
  if (isChanged && !tellsChangedKinds(request)) return undefined
  const question = questionOf(request, asked)
  return isChanged && question !== undefined ? readKinds(question, request) : question
}

function questionOf(
  request: CollectorRequest,
  { texts, attributes, fields, listed, names, changedLine }: AskedLabels,
): CollectedQuestion | undefined {
  switch (request.kind) {
    case 'groups':
      return groupsQuestion(request, texts)
    case 'firsts':
      return firstsQuestion(request, attributes)
    case 'histogram':
      return histogramQuestion(request)
    case 'facets':
      if (fields === undefined) return facetsQuestion(request)
      return madeFacetsQuestion(request, fields, listed?.(request.fields))
    case 'fields': {
      const ofRecord = names()
      return ofRecord === undefined ? undefined : fieldsQuestion(request, ofRecord)
    }
    case 'services':
      return servicesQuestion()
    case 'series':
      return seriesQuestion(request, texts)
    case 'numbers':
      return numbersQuestion(request, texts)
    case 'patterns':
      return changedLine === undefined
        ? patternsQuestion(request)
        : changedPatternsQuestion(request, changedLine)
  }
}
