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
import { hostileText } from './hostile.ts'
import { engineMissing } from './installed-engine.ts'
import { sharedEngine } from './shared-engine.ts'
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

/** Of all centuries, the borders of those that SQL knows among them. */
const timestamps = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 1_600_000_000_000, max: 1_900_000_000_000 }) },
  fc.integer({ min: -62_167_219_200_000, max: 253_402_300_799_999 }),
  some(0, -1, -2_208_988_800_000, -2_208_988_800_001),
  some(10_382_255_999_999, 10_382_256_000_000, 10_413_791_999_999, 10_413_792_000_000),
)
/** As layouts have them, or nearly. */
const times = fc.oneof(
  fc
    .tuple(
      some('2021-11-02', '1999-02-29', '2024-02-29', '2021-1-02', '1850-01-01', '2021-13-01'),
      some('T', ' ', '  '),
      some('01:02:03', '23:59:59.5', '24:00:00', '01:02:03,123456789', '12:30:61', '00:00:00.0001'),
      some('Z', '+01:30', '-00:00', '', ' UTC', 'x'),
    )
    .map(parts => parts.join('')),
  some('Tue, 02 Nov 2021', '2 nov 21 3:04PM', '02/Nov/2021:01:02:03 -0230', 'Nov  2 2021 12:05am'),
  some(
    '1636000000',
    '1636000000123',
    '1636000000123456',
    '1636000000123456789',
    '18933',
    '-5',
    '1e3',
  ),
)

const stored: fc.Arbitrary<Stored> = object({
  record: object({
    timestamp: timestamps,
    level: some('info', ''),
    message: texts,
    attributes: fc
      .tuple(fc.oneof({ weight: 4, arbitrary: texts }, times), texts)
      .map(([a, b]) => ['a', a, 'b', b]),
  }),
  stream: some({ service: 'api', environment: 'prod' }),
})

const quoted = (text: string) => JSON.stringify(text)
const plain = some('.a', '.b', '.a', '.b', '__line__', '__timestamp__')
const given = some('', 'a', 'X', ' ', ',', '5', '-3', 'é', 'ab', '%', '.', '$1', '\\', 'x y').map(
  quoted,
)
const count = some('0', '1', '2', '3', '7', '-1', '-2', '20', '70000', '1.5').map(quoted)
const expressions = some('[0-9]+', 'a', '[^a-z]', 'X{2}', '\\s', 'a*', 'x|y', '\\d+\\.', ',').map(
  quoted,
)
const forms = some(
  '%s',
  '%5s|%-5s',
  '%.2v',
  '%d',
  '%x %t',
  '%05s',
  '%%%s',
  '%q',
  '%f',
  '%03d',
  '%.2f',
  '%.0f|%08.3f',
  '%-9q|',
).map(quoted)

const layouts = some(
  ...[
    '2006-01-02T15:04:05Z07:00',
    '2006-01-02 15:04:05.000',
    'Mon, 02 Jan 2006',
    '_2 Jan 06 3:04PM',
  ],
  ...[
    '02/Jan/2006:15:04:05 -0700',
    'January 2, 1/2 5s ,999 pm 002 __2',
    '2006-01-02T15:04:05.999999999',
  ],
  ...[
    'Jan _2 2006 03:04pm',
    '15:04',
    '2006-01-02 15:04:05 MST',
    'Monday',
    '20060102',
    '2006-1-2é',
    '',
  ],
).map(quoted)
const zones = some('UTC', 'Local', '', 'Europe/Berlin', 'nowhere').map(quoted)

/** Which operands each function is given, besides texts. */
const operandsOf: Readonly<Record<string, readonly fc.Arbitrary<string>[]>> = {
  ...{ substr: [count, count], trunc: [count], repeat: [count], indent: [count], nindent: [count] },
  ...{ alignLeft: [count], alignRight: [count], printf: [forms], count: [expressions] },
  ...{ date: [layouts], toDate: [layouts], toDateInZone: [layouts, zones] },
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
        if (name === 'round') operands[1] = count
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
  const engine = await sharedEngine(t)
  const all = fc.sample(stored, { numRuns: 300, seed: 22 })
  await makeTable(engine, all)
  const seen = new Tally()
  await fc.assert(
    fc.asyncProperty(stage, async stage => {
      const selector: Selector = { ...everyRecord, stages: [stage] }
      seen.add(await sameBothWays(engine, all, request, everything, selector))
    }),
    longRuns(400),
  )
  const text = JSON.stringify(seen)
  t.ok(seen.told > 0.3 * seen.asked, text)
  t.comment(text)
  assert.ok(seen.left > 0 && seen.left < 0.7 * seen.matching, text)
})

t.test('each function of templates is in SQL', async t => {
  const known = [...Object.keys(sqlFunctions), '__line__', '__timestamp__']
  t.same([...templateFunctions.keys()].toSorted(), known.toSorted())
})

/** Each of them alone, and with what it is mostly used with. */
const everyPart =
  'Monday Mon January Jan 1 01 2 _2 02 __2 002 15 3 03 4 04 5 05 06 2006 PM pm MST s.000 s,999 -07:00 Z0700'
const ofTimes = [
  `{{date "${everyPart}" __timestamp__}}`,
  ...['{{__timestamp__}}', '{{unixEpoch __timestamp__}}', '{{unixEpochMillis __timestamp__}}'],
  ...[
    '{{unixEpochNanos __timestamp__}}',
    '{{unixEpoch .a}}',
    '{{unixEpochNanos .a}}',
    '{{unixToTime .a}}',
  ],
  ...[
    '{{unixToTime .a | unixEpochNanos}}',
    '{{toDate "2006-01-02" .a | unixEpoch}}',
    '{{date "2006" .a}}',
  ],
  ...[
    '{{if __timestamp__}}x{{end}}',
    '{{len __timestamp__}}',
    '{{printf "%s|%d" __timestamp__ .a}}',
  ],
]

t.test('times of all years, and texts of them, in layouts', { skip }, async t => {
  const engine = await sharedEngine(t)
  const all = fc.sample(stored, { numRuns: 600, seed: 23 })
  await makeTable(engine, all)
  const seen = new Tally()
  const written = fc
    .tuple(layouts, some('__timestamp__', '.a', '(unixToTime .a)', 'now'))
    .map(([layout, time]) => `{{date ${layout} ${time}}}`)
  const read = fc
    .tuple(layouts, layouts, some('toDate', 'toDateInZone'), some('"UTC"', '"Europe/Berlin"'))
    .map(([layout, other, name, zone]) => {
      const zoned = name === 'toDate' ? '' : ` ${zone}`
      return `{{${name} ${layout}${zoned} .a}} {{${name} ${layout}${zoned} .a | date ${other}}}`
    })
  await fc.assert(
    fc.asyncProperty(fc.oneof(some(...ofTimes), written, read), async text => {
      const stages: Stage[] = [
        { kind: 'label_format', assignments: [{ label: 'x', template: text }] },
      ]
      // The time that it is now is another for each that asks.
      const by = text.includes('now') ? ['__error__'] : ['x', '__error__']
      const request = { kind: 'groups', by } as const
      seen.add(await sameBothWays(engine, all, request, everything, { ...everyRecord, stages }))
    }),
    { ...longRuns(200), examples: ofTimes.map((text): [string] => [text]) },
  )
  const text = JSON.stringify(seen)
  t.ok(seen.told > 0.5 * seen.asked && seen.left < 0.8 * seen.matching, text)
  t.comment(text)
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
    ...['{{now}}', '{{__timestamp__ | date "15:04"}}', '{{.a | title}}', '{{round .a 2}}'],
    ...['{{printf "%q %08.2f" .a .b}}', '{{toDate "2006-01-02 15:04:05" .a | unixEpoch}}'],
    ...[
      '{{regexReplaceAll "[0-9]+" .a "N"}}',
      '{{replace "a" .b .a}}',
      '{{Replace .a "x" "y" -1}}',
    ],
  ]) {
    t.ok(isTold(text), text)
  }
  for (const text of [
    ...[
      '{{toDateInZone "2006-01-02" "Europe/Berlin" .a}}',
      '{{toDate "15:04" .a}}',
      '{{Trim .a .b}}',
    ],
    ...['{{toDate "2006-01-02 15:04:0599" .a}}', '{{round .a .b}}', '{{date .b .a}}'],
    ...['{{substr .b 5 .a}}', '{{printf "%.99f" .a}}', '{{regexReplaceAll "a*" .a "N"}}'],
    ...['{{regexReplaceAll "(a)" .a "$1"}}', '{{Replace .a "x" "y" 2}}', '{{default true .a}}'],
  ]) {
    if (typeof parseTemplate(text) !== 'string') t.notOk(isTold(text), text)
  }
})
