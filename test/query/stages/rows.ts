/** Records as stages see them, for tests that have no columns. */
import { parseQuery } from '../../../src/language/grammar.ts'
import { logqlName } from '../../../src/language/logql-names.ts'
import { pipelineOf } from '../../../src/query/stages/pipeline.ts'
import { Row } from '../../../src/query/stages/row.ts'

export interface Outcome {
  readonly line: string
  /** What stages have made; what they have removed is missing. */
  readonly made: Readonly<Record<string, string>>
}

/** What becomes of a line with labels of its own; undefined when it does not come through. */
export function through(
  stages: string,
  line: string,
  own: Readonly<Record<string, string>> = {},
): Outcome | undefined {
  const query = parseQuery(`{} ${stages}`)
  if (query.kind !== 'selector') throw new TypeError('no selector')
  const text = (name: string) =>
    own[name] ?? Object.entries(own).find(([key]) => logqlName(key) === name)?.[1] ?? ''
  const row = new Row(Date.parse('2026-11-20T10:00:00Z'), line, { text })
  const filters = query.filters.map(filter => ({ kind: 'line' as const, filter }))
  if (!pipelineOf([...filters, ...(query.stages ?? [])])(row)) return undefined
  const made = [...row.made].filter(([, value]) => value !== '')
  return { line: row.line, made: Object.fromEntries(made) }
}
