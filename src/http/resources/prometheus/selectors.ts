/**
 * Selectors as Prometheus' clients write them. Our records are the series of one metric, `logs`; its
 * name may be before the braces, or in them under `__name__`, or, as Grafana has it when it looks
 * for metrics, both be left out.
 */

import { countOf, type Expression, everyRecord, type Selector } from '../../../language/ast.ts'
import { parseAsked, parseQuery } from '../../../language/grammar.ts'
import { placeInWords } from '../../../language/position.ts'
import type { Variables } from '../../../language/variables.ts'
import { limits } from '../../../limits.ts'
import { ProblemError } from '../../../problems.ts'
import { seriesLabels } from '../../../record.ts'
import { metricName, ofMetric, overMetric, withoutName } from './metric-name.ts'
import { invalid } from './parameters.ts'

export interface AskedQuery {
  readonly expression: Expression
  /** Whether the series have the metric's name, as a selector's do and results of operations do not. */
  readonly hasName: boolean
  /** The query that plain words became; undefined for any other query. */
  readonly interpretedAs: string | undefined
}

/** To a client of Prometheus, one bare word is the name of a metric, which is not there. */
const isNameOfMetric = (text: string) => /^\s*[a-zA-Z_:][a-zA-Z0-9_:]*\s*$/.test(text)

/** A query; a bare selector, or words, stand for the number of records of each series. */
export function readQuery(text: string, variables: Variables = {}): AskedQuery {
  const { query, interpretedAs } = parseAsked(
    text,
    variables,
    isNameOfMetric(text) ? 'no words' : 'words too',
  )
  if (query.kind !== 'selector') {
    return { expression: overMetric(query), hasName: false, interpretedAs }
  }
  const expression = countOf(ofMetric(query), seriesLabels)
  return { expression, hasName: true, interpretedAs }
}

/** The selectors of `match[]` that the metric's name meets; all records when none is given. */
export function readMatches(parameters: URLSearchParams): Selector[] {
  const texts = parameters.getAll('match[]')
  if (texts.length === 0) return [everyRecord]
  const { matchSelectorsMax } = limits
  if (texts.length > matchSelectorsMax) {
    throw invalid('match[]', `"match[]" must stand at most ${matchSelectorsMax} times`)
  }
  return texts.map(readMatch).filter(selector => selector !== undefined)
}

/** A selector without its conditions on the name; undefined when these are not met. */
function readMatch(text: string): Selector | undefined {
  const query = /^\s*\{/.test(text) ? parseNameless(text) : parseAsked(text, {}, 'no words').query
  if (query.kind !== 'selector') throw invalid('match[]', '"match[]" must be a selector', text)
  return withoutName(query)
}

/** Positions of errors are those in `text`, before which the name is put. */
function parseNameless(text: string) {
  try {
    return parseQuery(metricName + text)
  } catch (error) {
    if (!(error instanceof ProblemError) || error.extras.position === undefined) throw error
    const { line, column, offset } = error.extras.position
    const shift = metricName.length
    const position = {
      line,
      column: line === 1 ? column - shift : column,
      offset: offset - shift,
    }
    const place = placeInWords(error.extras.position)
    const detail = error.message.replace(place, placeInWords(position))
    throw new ProblemError(error.code, detail, { ...error.extras, position })
  }
}

/**
 * The label that a path names. Names that are no words of Prometheus' old kind, such as those with
 * dots, may come as they are or escaped (its "values" escaping: `U__`, then `_2e_` for a dot and
 * `__` for an underscore), as Grafana sends them.
 */
export function readLabelName(text: string): string {
  if (!/^U__(?:[a-zA-Z0-9:]|__|_[0-9a-fA-F]{1,6}_)*$/.test(text)) return text
  return text.slice(3).replaceAll(/__|_([0-9a-fA-F]{1,6})_/g, (escaped, digits?: string) => {
    if (digits === undefined) return '_'
    const code = Number.parseInt(digits, 16)
    return code <= 0x10ffff ? String.fromCodePoint(code) : escaped
  })
}
