/** Records whose lines parsers read, odd ones among them, and stages to run on them. */
import fc from 'fast-check'
import type { RecordColumns } from '../../../src/columns/record-columns.ts'
import type { Stage } from '../../../src/language/stage.ts'
import { pipelineOf } from '../../../src/query/stages/pipeline.ts'
import { Row } from '../../../src/query/stages/row.ts'
import { RowLabels } from '../../../src/query/stages/row-labels.ts'
import type { StreamRecord } from '../../segment/sealed.ts'
import { object } from '../plain.ts'

export const some = <T>(...values: readonly T[]) => fc.constantFrom(...values)
const whole = fc.nat(3000).map(String)
/** Words that become variables, and what may be odd about them. */
const word = fc.oneof(
  { weight: 4, arbitrary: whole },
  some('007', '00', '1e5', 'a1', 'u00e9', 'n5', 'status', 'HTTP', '9071992547400001', '12abc'),
)

/** Text of a JSON string, quotes and all. */
const jsonText = fc.oneof(
  { weight: 3, arbitrary: word.map(one => `"${one}"`) },
  word.map(one => `"took ${one} ms"`),
  word.map(one => `"a\\\\${one}"`),
  word.map(one => `"\\"${one}\\" \\n and é\\t${one}"`),
  some('"\\u00e9 x"', '"\\u0031"', '"\\ud800!"', '""', '"\\n5 x"', '"\\x"'),
)
const jsonNumber = fc.oneof(
  { weight: 4, arbitrary: whole },
  fc.tuple(whole, word).map(([a, b]) => `${a}.${b}`),
  word,
  word.map(one => `-${one}`),
  some('-0', '1e-5', '1.50', '12345678901234567890', '0.1e2', '.5', 'true', 'false', '1e5'),
)
const jsonValue = fc.oneof(
  { weight: 3, arbitrary: jsonText },
  { weight: 3, arbitrary: jsonNumber },
  some('null', 'true', '{}', '[]'),
  word.map(one => `{"x":${one},"y":"${one}"}`),
  word.map(one => `[${one},{"x":"${one}"}]`),
)
/** Of each record the question mark is another digit: such keys are variables. */
const key = some(
  ...[
    'status',
    'took',
    'a',
    'a.b',
    'a_b',
    'in',
    'host',
    'host_extracted',
    'ip4',
    'n',
    'ip?',
    '__error__',
  ],
)
const digit = some('4', '5', '6')
const named = (name: string, one: string) => name.replace('?', one)
/** A form, and lines of it: records of one service are alike. */
const jsonForm = fc
  .array(fc.tuple(key, some(jsonText, jsonNumber, jsonNumber, jsonValue)), {
    minLength: 1,
    maxLength: 4,
  })
  .map(members =>
    fc.tuple(digit, ...members.map(([, value]) => value)).map(([one, ...values]) => {
      const pairs = values.map((value, i) => `"${named(members[i]![0], one)}":${value}`)
      return `{${pairs.join(',')}}`
    }),
  )
const logfmtForm = fc
  .array(fc.tuple(key, some(0, 1, 2, 3)), { minLength: 1, maxLength: 4 })
  .map(members =>
    fc.tuple(digit, ...members.map(() => word)).map(([ending, ...words]) =>
      words
        .map((one, i) => {
          const [written, form] = members[i]!
          const name = named(written, ending)
          if (form === 0) return `${name}=${one}`
          if (form === 1) return `${name}="took ${one} ms"`
          return form === 2 ? `${one} ${name}=x-${one}` : `${name}="\\n${one}\\" ${one}"`
        })
        .join(' '),
    ),
  )
const accessForm = some(
  fc.tuple(word, word, word).map(([a, b, c]) => `${a}.1 - "GET /${b} HTTP/1.1" ${c} x`),
  fc.tuple(word, word).map(([a, b]) => `${a} - "${b} - "x" 5`),
)

/** Attributes that some of the records have of their own, under names that parsers find, too. */
const own = some<string[]>(
  ...[[], [], ['host', 'h1'], ['host', 'h2', 'region', 'eu'], ['region', 'us'], ['elapsed', '12']],
  ...[
    ['elapsed', 'x'],
    ['host', ''],
    ['a.b', '7'],
  ],
)

/** 80 records of two forms, whose messages make a column of templates. */
export const records: fc.Arbitrary<StreamRecord[]> = fc
  .array(fc.oneof(jsonForm, jsonForm, logfmtForm, accessForm), { minLength: 2, maxLength: 2 })
  .chain(forms =>
    fc.tuple(
      fc.array(fc.oneof(...forms), { minLength: 80, maxLength: 80 }),
      fc.array(fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, own), {
        minLength: 1,
        maxLength: 5,
      }),
      fc.boolean(),
    ),
  )
  .map(([messages, attributes, hasLevels]) =>
    messages.map((message, i) => ({
      timestamp: i,
      level: hasLevels && i % 3 === 0 ? 'error' : 'info',
      message,
      attributes: attributes[i % attributes.length]!,
      stream: { service: 'api', environment: 'prod' },
    })),
  )

export const labels = [
  ...['status', 'took', 'a', 'a_b', 'in_x', 'host', 'host_extracted', 'ip4', 'n', 'region'],
  ...['elapsed', '__error__', '__error_details__', 'service_name', 'detected_level', 'p'],
  'b',
]
const label = some(...labels)
const comparison = fc.oneof(
  object({
    kind: some('text' as const),
    label,
    operator: some('=' as const, '!=' as const, '=~' as const),
    value: some('1', '12', '', 'took 7 ms', 'h1', 'error', '1.*', 'é x', 'JSONParserErr'),
  }),
  object({
    kind: some('quantity' as const),
    label,
    operator: some('==' as const, '!=' as const, '>' as const, '<=' as const),
    unit: some('number' as const, 'bytes' as const),
    value: some(0, 12, 1500),
  }).map(made => ({ ...made, text: String(made.value) })),
)
const stage: fc.Arbitrary<Stage> = fc.oneof(
  {
    weight: 4,
    arbitrary: some<Stage>(
      { kind: 'json', extractions: [] },
      { kind: 'json', extractions: [{ label: 'p', path: 'a' }] },
      {
        kind: 'json',
        extractions: [
          { label: 'p', path: 'in.x' },
          { label: 'b', path: 'ip4' },
        ],
      },
      { kind: 'logfmt', extractions: [], isStrict: false, keepsEmpty: false },
      { kind: 'logfmt', extractions: [], isStrict: true, keepsEmpty: true },
      {
        kind: 'logfmt',
        extractions: [{ label: 'p', path: 'took' }],
        isStrict: false,
        keepsEmpty: true,
      },
      { kind: 'pattern', text: '<a> - "<n> <p> <_>" <status> <_>' },
      { kind: 'pattern', text: '<a> HTTP/<p> <_>' },
      { kind: 'pattern', text: '<a>1.<p>' },
      { kind: 'pattern', text: '<a> - <p>9<b>' },
    ),
  },
  {
    weight: 4,
    arbitrary: object({
      kind: some('filter' as const),
      condition: fc.oneof(
        { weight: 3, arbitrary: comparison },
        object({
          kind: some('and' as const, 'or' as const),
          conditions: fc.array(comparison, { minLength: 2, maxLength: 3 }),
        }),
        object({ kind: some('not' as const), condition: comparison }),
      ),
    }),
  },
  some<Stage>(
    { kind: 'keep', labels: ['a', 'host', 'status', 'p'] },
    { kind: 'drop', labels: ['a', '__error__', 'host'] },
    { kind: 'drop', labels: [{ label: 'a', operator: '=', value: '12' }] },
    { kind: 'label_format', assignments: [{ label: 'b', from: 'a' }] },
    { kind: 'label_format', assignments: [{ label: 'host', from: 'region' }] },
    { kind: 'line', filter: { operator: '|=', text: '1' } },
    { kind: 'line', filter: { operator: '!~', text: 'took [12]' } },
    { kind: 'line_format', text: '{{.a}}-{{.n}}' },
    { kind: 'unpack' },
  ),
)
export const pipeline = fc.array(stage, { minLength: 1, maxLength: 4 })

/** What records are after the stages, run one by one; undefined for those that do not come through. */
export function oneByOne(stages: readonly Stage[], columns: RecordColumns): (Row | undefined)[] {
  const run = pipelineOf(stages)
  return Array.from({ length: columns.recordCount }, (_, number) => {
    const own = new RowLabels(columns)
    own.row = number
    const row = new Row(columns.timestamp(number), columns.message.textAt(number), own)
    return run(row) ? row : undefined
  })
}
