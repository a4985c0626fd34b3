import assert from 'node:assert/strict'
import { join } from 'node:path'
import fc from 'fast-check'
import t from 'tap'
import type { TextColumn } from '../../../src/columns/column.ts'
import { encodeSplit } from '../../../src/columns/template/encode.ts'
import { openTemplate, type TemplateColumn } from '../../../src/columns/template/open.ts'
import { splitTexts } from '../../../src/columns/template/split.ts'
import type { Stage } from '../../../src/language/stage.ts'
import { pipelineOf } from '../../../src/query/stages/pipeline.ts'
import { Row } from '../../../src/query/stages/row.ts'
import { RowLabels } from '../../../src/query/stages/row-labels.ts'
import { StagedColumns } from '../../../src/query/stages/staged-columns.ts'
import { StagedRun, Staging } from '../../../src/query/stages/staged-run.ts'
import { BlockColumns } from '../../../src/segment/block-columns.ts'
import { openBlock } from '../../../src/segment/block-reader.ts'
import { SegmentFile } from '../../../src/segment/segment-file.ts'
import { longRuns, seed } from '../../long-runs.ts'
import { type StreamRecord, sealRecords } from '../../segment/sealed.ts'
import { object } from '../plain.ts'

const some = <T>(...values: readonly T[]) => fc.constantFrom(...values)
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
const records: fc.Arbitrary<StreamRecord[]> = fc
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

const labels = [
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
const pipeline = fc.array(stage, { minLength: 1, maxLength: 4 })

/** A block whose messages are templates, however little that saves. */
class TemplatedBlock extends BlockColumns {
  readonly #message = templatesOf(super.message.toTextColumn())

  override get message(): TemplateColumn {
    return this.#message
  }
}

function templatesOf(texts: TextColumn): TemplateColumn {
  const { meta, chunks } = encodeSplit(texts, splitTexts(texts, 1)!)!
  return openTemplate(meta, texts.offsets.length - 1, index => chunks[index]!)
}

function blockOf(list: readonly StreamRecord[], directory: string, number: number): BlockColumns {
  const path = join(directory, `${number}.seg`)
  const replaces = { journals: [], segments: [] }
  const info = { createdAt: 0, replaces, group: [number] }
  const footer = sealRecords(path, number, [list], info)
  const reader = openBlock(new SegmentFile(path, number), footer.blocks[0]!.directory)
  return new TemplatedBlock(reader.directory, () => reader)
}

/** What records are after the stages, run one by one; undefined for those that do not come through. */
function oneByOne(stages: readonly Stage[], columns: BlockColumns): (Row | undefined)[] {
  const run = pipelineOf(stages)
  return Array.from({ length: columns.recordCount }, (_, number) => {
    const own = new RowLabels(columns)
    own.row = number
    const row = new Row(columns.timestamp(number), columns.message.textAt(number), own)
    return run(row) ? row : undefined
  })
}

/** Compares labels of records run together with what they are alone. Returns how many ran together. */
function compare(columns: BlockColumns, stages: readonly Stage[]): number {
  const selected = new Uint8Array(columns.recordCount).fill(1)
  const staging = new Staging(stages)
  const run = new StagedRun(columns, staging, selected)
  const expected = oneByOne(stages, columns)
  const lines = () => JSON.stringify(expected.map((_, i) => columns.message.textAt(i)).slice(0, 9))
  assert.deepEqual(
    [...selected],
    expected.map(row => (row === undefined ? 0 : 1)),
    lines(),
  )
  const staged = new StagedColumns(columns, { staging, run, wanted: labels }, selected)
  for (const name of labels) {
    const attribute = staged.attribute(name)
    const texts = new Map<number, string>()
    for (let i = 0; i < (attribute?.column.valueCount ?? 0); i++) {
      const row = attribute!.rows?.[i] ?? i
      if (selected[row] === 1) texts.set(row, attribute!.column.textAt(i))
    }
    expected.forEach((row, number) => {
      if (row === undefined) return
      assert.equal(texts.get(number) ?? '', row.label(name), `${name} of ${lines()}`)
    })
  }
  return run.isAlone.filter(isAlone => isAlone === 0).length
}

t.test('records that are taken together become what each becomes alone', async t => {
  const directory = t.testdir()
  const blocks = fc
    .sample(records, { numRuns: 40, seed })
    .map((list, i) => blockOf(list, directory, i + 1))
  let together = 0
  let asked = 0
  const property = fc.property(some(...blocks), pipeline, (columns, stages) => {
    together += compare(columns, stages)
    asked += columns.recordCount
  })
  fc.assert(property, longRuns(1500))
  t.ok(together > asked / 8, `${together} of ${asked} records were taken together`)
})

t.test('odd templates, and how many of 80 records are taken together', async t => {
  const json: Stage = { kind: 'json', extractions: [] }
  const words = ['x7', 'y2', 'w3', 'z4']
  type Case = readonly [why: string, message: (word: string, i: number) => string, Stage, number]
  const cases: readonly Case[] = [
    ['digits of a pattern', word => `on ${word} k8 end`, { kind: 'pattern', text: '<a>9<p>' }, 0],
    [
      'digits after a text',
      word => `on ${word}, k8, end`,
      { kind: 'pattern', text: '<a>1, <p>' },
      0,
    ],
    [
      'words of a pattern',
      word => `on ${word} HTTP/1.1 x`,
      { kind: 'pattern', text: '<a> HTTP/1.1 <p>' },
      80,
    ],
    ['a name with digits', word => `{"ip4":"${word}","a":1.5}`, json, 80],
    ['a name that varies', word => `{"${word}":5}`, json, 0],
    ['numbers and words', (_, i) => `{"a":${i % 2 === 0 ? 'true' : 'false'},"n":${i}}`, json, 80],
    ['a number that is none', (_, i) => `{"a":${i % 2 === 0 ? '07' : '08'}}`, json, 0],
    ['a constant power', (_, i) => `{"a":1e5,"n":${i}.5e3}`, json, 80],
    ['no object', word => `took ${word} ms`, json, 80],
  ]
  const directory = t.testdir()
  for (const [number, [why, message, stage, together]] of cases.entries()) {
    const list = Array.from({ length: 80 }, (_, i) => ({
      timestamp: i,
      level: 'info',
      message: message(words[i % words.length]!, i),
      attributes: [],
      stream: { service: 'api', environment: 'prod' },
    }))
    t.equal(compare(blockOf(list, directory, number + 1), [stage]), together, why)
  }
})
