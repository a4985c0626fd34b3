/** Random stages, as trees: all that the grammar can make, with any text for a label or a value. */

import fc from 'fast-check'
import { logqlName } from '../../../src/language/logql-names.ts'
import type { Condition, Stage } from '../../../src/language/stage.ts'
import { anyCodePoint } from '../../any-code-point.ts'
import { object } from '../plain.ts'

const anyText = fc.oneof(
  fc.string({ unit: anyCodePoint, maxLength: 8 }),
  fc.constantFrom(
    ...[
      'json',
      'not',
      'unwrap',
      'keep',
      'drop',
      'logfmt',
      'and',
      'or',
      'a.b',
      '-',
      '',
      'x y',
      '$a',
    ],
    ...['pattern', 'json.a', 'unwrap x', '"', '\\', '`'],
  ),
)

const bareText = fc.constantFrom('a', 'json', 'not', 'a.b', 'x-y', 'ключ')

const some = <T>(...values: T[]) => fc.constantFrom(...values)

const condition = fc.letrec<{ any: Condition; joined: Condition }>(tie => ({
  any: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    object({
      kind: some('text' as const),
      label: anyText,
      operator: some('=' as const, '!=' as const),
      value: anyText,
    }),
    some<Condition>(
      { kind: 'quantity', label: 'a', operator: '>', text: '1.5s', unit: 'duration', value: 1.5e9 },
      { kind: 'quantity', label: 'not', operator: '==', text: '-5', unit: 'number', value: -5 },
      { kind: 'quantity', label: 'x y', operator: '!=', text: '2KB', unit: 'bytes', value: 2e3 },
      { kind: 'quantity', label: 'b', operator: '<=', text: '1e3', unit: 'number', value: 1e3 },
    ),
    object({
      kind: some('address' as const),
      label: anyText,
      operator: some('=' as const, '!=' as const),
      value: some('10.0.0.0/8', '::1'),
    }),
    tie('any').map((inner): Condition => ({ kind: 'not', condition: inner })),
    tie('joined'),
  ),
  joined: fc
    .tuple(
      some('and' as const, 'or' as const),
      fc.array(tie('any'), { minLength: 2, maxLength: 3 }),
    )
    .map(([kind, conditions]): Condition => {
      const flat = conditions.flatMap(one => (one.kind === kind ? one.conditions : one))
      return { kind, conditions: flat }
    }),
})).any

const extractions = fc.array(object({ label: anyText, path: some('a', 'a.b[0]', '["x y"]') }), {
  maxLength: 2,
})

const anyStage: fc.Arbitrary<Stage> = fc.oneof(
  object({ kind: some('filter' as const), condition }),
  object({
    kind: some('line' as const),
    filter: object({ operator: some('|=' as const, '!=' as const), text: anyText }),
  }),
  object({
    kind: some('distinct' as const),
    labels: fc.uniqueArray(anyText, { minLength: 1, maxLength: 3 }),
  }),
  object({ kind: some('json' as const), extractions }),
  object({
    kind: some('logfmt' as const),
    extractions,
    isStrict: fc.boolean(),
    keepsEmpty: fc.boolean(),
  }),
  some<Stage>(
    { kind: 'regexp', text: '(?P<a>\\d+)' },
    { kind: 'pattern', text: '<a> - "<_>"' },
    { kind: 'line_format', text: '{{.a | ToUpper}}`' },
    { kind: 'unpack' },
    { kind: 'decolorize' },
  ),
  object({
    kind: some('label_format' as const),
    assignments: fc.uniqueArray(
      fc.oneof(
        object({ label: anyText, from: bareText }),
        object({ label: anyText, template: some('{{.a}}', 'x "y"') }),
      ),
      { minLength: 1, maxLength: 2, selector: ({ label }) => logqlName(label) },
    ),
  }),
  object({
    kind: some('keep' as const, 'drop' as const),
    labels: fc.array(
      fc.oneof(
        anyText,
        object({ label: anyText, operator: some('=' as const, '!=' as const), value: anyText }),
      ),
      { minLength: 1, maxLength: 3 },
    ),
  }),
)

/** The first of them is no line filter, which would stand before all stages. */
export const anyStages: fc.Arbitrary<Stage[]> = fc
  .array(anyStage, { minLength: 1, maxLength: 4 })
  .filter(([first]) => first!.kind !== 'line')
