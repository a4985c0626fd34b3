/** Templates in SQL: functions over hostile texts, within each other and in pipes. */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { everyRecord, type Selector } from '../../src/language/ast.ts'
import type { Stage } from '../../src/language/stage.ts'
import { parseTemplate } from '../../src/language/template.ts'
import { templateFunctions } from '../../src/language/template-functions.ts'
import { sqlFunctions } from '../../src/store/clickhouse/sql/stages/templates.ts'
import { toldOf } from '../../src/store/clickhouse/sql/told.ts'
import { longRuns } from '../long-runs.ts'
import { object } from '../query/plain.ts'
import { sameBothWays, Tally } from './both-ways.ts'
import { startEngineOf } from './engine-process.ts'
import { hostileText } from './hostile.ts'
import { engineMissing } from './installed-engine.ts'
import { makeTable, type Stored } from './table.ts'

const skip = engineMissing ?? false
const some = <T>(...values: T[]) => fc.constantFrom(...values)
const everything = { every: 1, first: 0 }

const texts = fc.oneof(
  {
    weight: 6,
    arbitrary: some(
      ...[
        '',
        ' ',
        'GET',
        'get it',
        ' a b ',
        'aXbXc',
        'a,b,,c',
        'é',
        'Straße',
        'İx',
        '\u00a0x',
        'x\ufeff',
      ],
      ...[
        '0',
        '1',
        '-7',
        '3.5',
        '-0',
        '1e3',
        '0.1',
        '1e21',
        '1e-7',
        '007',
        '0x10',
        ' 5 ',
        'Infinity',
      ],
      ...[
        '1e999',
        '.5',
        '5.',
        '+3',
        '9007199254740993',
        '123456789.125',
        '12ms',
        '1h30m',
        '-2s',
        '1 KiB',
      ],
      ...[
        '😀a😀',
        'a\nb\n',
        '\t x\r\n',
        '100%',
        '%41+%zz',
        'a%20b',
        '%ff',
        'YQ==',
        'YR==',
        'w6k=',
        'YQ',
      ],
      ...[
        'true',
        'false',
        '$1',
        '\\1',
        "a'b",
        '\v\f',
        '\u2003x',
        '1,5',
        'x'.repeat(70_000),
        'ab'.repeat(300),
      ],
    ),
  },
  hostileText,
)

const stored: fc.Arbitrary<Stored> = object({
  record: object({
    timestamp: fc.integer({ min: 1_700_000_000_000, max: 1_700_000_000_009 }),
    level: some('info', ''),
    message: texts,
    attributes: fc.tuple(texts, texts).map(([a, b]) => ['a', a, 'b', b]),
  }),
  stream: some({ service: 'api', environment: 'prod' }),
})

const quoted = (text: string) => JSON.stringify(text)
const plain = some('.a', '.b', '.a', '.b', '__line__')
const given = some('', 'a', 'X', ' ', ',', '5', '-3', 'é', 'ab', '%', '.', '$1', '\\', 'x y').map(
  quoted,
)
const count = some('0', '1', '2', '3', '7', '-1', '-2', '20', '70000', '1.5').map(quoted)
const expressions = some('[0-9]+', 'a', '[^a-z]', 'X{2}', '\\s', 'a*', 'x|y', '\\d+\\.', ',').map(
  quoted,
)
const forms = some('%s', '%5s|%-5s', '%.2v', '%d', '%x %t', '%05s', '%%%s', '%q', '%f', '%03d').map(
  quoted,
)

/** Which operands each function is given, besides texts. */
const operandsOf: Readonly<Record<string, readonly fc.Arbitrary<string>[]>> = {
  ...{ substr: [count, count], trunc: [count], repeat: [count], indent: [count], nindent: [count] },
  ...{ alignLeft: [count], alignRight: [count], printf: [forms], count: [expressions] },
}

const operand: fc.Arbitrary<string> = fc.letrec<{ operand: string; call: string }>(tie => ({
  operand: fc.oneof(
    { maxDepth: 2 },
    { weight: 4, arbitrary: plain },
    { weight: 2, arbitrary: given },
    tie('call').map(call => `(${call})`),
  ),
  call: some(...[...templateFunctions].filter(([name]) => name !== 'now')).chain(
    ([name, { least, most }]) => {
      const own = operandsOf[name] ?? []
      const counts = fc.integer({ min: least, max: Math.min(most, least + 1) })
      return counts.chain(operandCount => {
        const operands = Array.from({ length: operandCount }, (_, i) => own[i] ?? tie('operand'))
        if (name.startsWith('regex')) operands[0] = expressions
        if (name === 'Replace') operands[3] = count
        return fc.tuple(...operands).map(all => [name, ...all].join(' '))
      })
    },
  ),
})).call

const template = fc.oneof(
  { weight: 4, arbitrary: operand.map(call => `{{ ${call} }}`) },
  fc
    .tuple(operand, some('upper', 'trim', 'len', 'not'))
    .map(([call, next]) => `{{${call} | ${next}}}`),
  fc.tuple(operand, plain).map(([call, other]) => `{{if ${call}}}<{{${other}}}>{{else}}-{{end}}`),
)
const stage: fc.Arbitrary<Stage> = template
  .filter(text => typeof parseTemplate(text) !== 'string')
  .chain(text =>
    some<Stage>(
      { kind: 'line_format', text },
      { kind: 'label_format', assignments: [{ label: 'x', template: text }] },
    ),
  )
const request = { kind: 'groups', by: ['x', 'message', '__error__'] } as const

t.test('random templates over hostile texts', { skip }, async t => {
  const engine = await startEngineOf(t)
  const all = fc.sample(stored, { numRuns: 300, seed: 22 })
  await makeTable(engine, all)
  const seen = new Tally()
  await fc.assert(
    fc.asyncProperty(stage, async stage => {
      const selector: Selector = { ...everyRecord, stages: [stage] }
      seen.add(await sameBothWays(engine, all, request, everything, selector))
    }),
    longRuns(1_000),
  )
  const text = JSON.stringify(seen)
  t.ok(seen.told > 0.3 * seen.asked, text)
  t.comment(text)
  assert.ok(seen.left > 0 && seen.left < 0.7 * seen.matching, text)
})

/** Of which all records are fetched: what they make of texts is not what SQL makes of them. */
const fetched = [
  ...['__timestamp__', 'now', 'title', 'round', 'date', 'toDate', 'toDateInZone', 'unixToTime'],
  ...['unixEpoch', 'unixEpochMillis', 'unixEpochNanos'],
]

t.test('each function of templates is in SQL, or is known not to be', async t => {
  const known = new Set([...Object.keys(sqlFunctions), '__line__', ...fetched])
  t.same([...templateFunctions.keys()].toSorted(), [...known].toSorted())
})

t.test('what operands have to be for a function to be in SQL', async t => {
  const isTold = (text: string) =>
    toldOf({ ...everyRecord, stages: [{ kind: 'line_format', text }] }, undefined) !== undefined
  for (const text of [
    ...['{{.a | lower}}', '{{.a | default "x"}}', '{{if eq .a "x"}}y{{end}}', '{{Trim .a "/"}}'],
    ...[
      '{{substr 0 5 .a}}',
      '{{printf "%-5s|%d" .a .b}}',
      '{{add .a 1 | mul 2}}',
      '{{.a | trunc 9}}',
    ],
    ...[
      '{{regexReplaceAll "[0-9]+" .a "N"}}',
      '{{replace "a" .b .a}}',
      '{{Replace .a "x" "y" -1}}',
    ],
  ]) {
    t.ok(isTold(text), text)
  }
  for (const text of [
    ...['{{now}}', '{{__timestamp__}}', '{{.a | title}}', '{{round .a 2}}', '{{Trim .a .b}}'],
    ...['{{substr .b 5 .a}}', '{{printf "%q" .a}}', '{{regexReplaceAll "a*" .a "N"}}'],
    ...['{{regexReplaceAll "(a)" .a "$1"}}', '{{Replace .a "x" "y" 2}}', '{{default true .a}}'],
  ]) {
    if (typeof parseTemplate(text) !== 'string') t.notOk(isTold(text), text)
  }
})
