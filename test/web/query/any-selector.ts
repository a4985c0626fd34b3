/** Selectors of every form, and what their records show: for tests of what clicks write. */
import fc from 'fast-check'
import type { Selector } from '../../../src/language/ast.ts'
import { matchesPlainly } from '../../query/plain.ts'
import { arbitraryStages, throughPlainly } from '../../query/stages/plain.ts'
import type { StreamRecord } from '../../segment/sealed.ts'

export const labels = [
  ...['a', 'n', 'in_x', 'status', 'user.id', 'b', 'status_extracted', '__error__'],
  ...['message', 'log_level', 'service.name', 'environment'],
]

/** The fields of a record as an answer shows them; undefined when the selector leaves it out. */
export function shownPlainly(
  { matchers, filters, stages = [], ...rest }: Selector,
  record: StreamRecord,
): ReadonlyMap<string, string> | undefined {
  if (!matchesPlainly({ ...rest, matchers, filters }, record, record.stream)) return undefined
  const row = throughPlainly(stages, record)
  if (row === undefined) return undefined
  return new Map([
    ...row.labels,
    ['message', row.line],
    ['log_level', record.level],
    ['service.name', record.stream.service],
    ['environment', record.stream.environment],
  ])
}

export const anyCondition = fc.record({
  label: fc.constantFrom(...labels),
  operator: fc.constantFrom('=' as const, '!=' as const),
  value: fc.constantFrom('', '1', '20', 'x', 'error', 'info', 'api', 'z', '-', 'JSONParserErr'),
})
export const anySelector: fc.Arbitrary<Selector> = fc
  .record({
    matchers: fc.array(anyCondition, { maxLength: 2 }),
    filters: fc.constantFrom([], [{ operator: '|=' as const, text: 'a' }]),
    stages: fc.oneof(fc.constant([]), arbitraryStages),
    isLogql: fc.boolean(),
  })
  .map(({ matchers, filters, stages, isLogql }) => ({
    kind: 'selector',
    matchers,
    filters: filters.length === 0 && stages[0]?.kind === 'line' ? [stages[0].filter] : filters,
    stages: stages[0]?.kind === 'line' ? stages.slice(1) : stages,
    ...(isLogql && { names: 'logql' as const }),
  }))
