/**
 * Random events, each with the record that the contract makes of it. Nothing of `src` is used: texts of
 * JSON are written here, and what becomes of them is worked out from the values that they were written
 * from, so that a mistake in reading cannot be made twice.
 */
import fc from 'fast-check'
import { anyCodePoint } from '../any-code-point.ts'
import { object } from '../query/plain.ts'

/** A record as an answer gives it, without its id. */
export interface ExpectedRecord {
  /** Unix time in ms; undefined when the time of receipt counts. */
  readonly timestamp: number | undefined
  readonly level: string
  readonly message: string
  /** Without `service.name` and `environment`, which come from the token. */
  readonly attributes: ReadonlyMap<string, string>
}

export interface RandomEvent {
  /** The event as JSON, with the sender's own time in the field `timeField`, or without. */
  readonly json: string
  readonly expected: ExpectedRecord
}

/** The field that `?timestamp_field=` names. */
export const timeField = 'at'

/** Times are drawn from few milliseconds of few days, so that many records share one. */
export const timeBase = Date.UTC(2026, 4, 17, 23, 59, 59, 990)
export const timeSpanMs = 2 * 86_400_000 + 20

/** A number as a sender writes it, and as it is kept. */
class Written {
  readonly source: string
  readonly kept: string

  constructor(source: string, kept: string) {
    this.source = source
    this.kept = kept
  }
}

/** JSON with the order of names and the digits of numbers that `JSON.parse` would lose. */
type Value = string | boolean | null | Written | readonly Value[] | Fields
type Fields = ReadonlyMap<string, Value>

const oddNames = [
  ...[
    '',
    ' ',
    'a.b',
    'a',
    'b',
    '.',
    'user.id',
    'status',
    '0',
    '1',
    '10',
    '-1',
    'größe',
    '日本',
    '😀',
  ],
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'then', 'length', 'rawJSON'],
  ...[
    '\0',
    '"',
    '\\',
    '\n',
    '\u2028',
    "'",
    '`',
    '$x',
    'x'.repeat(300),
    'count',
    'by',
    'e\u0301',
    '\u00e9',
  ],
]

const texts = fc.oneof(
  fc.string({ unit: anyCodePoint, maxLength: 20 }),
  fc.string({ unit: 'grapheme', maxLength: 8 }),
  fc.constantFrom(
    ...['', ' ', '0', 'null', 'true', '-0', '1e3', 'connection reset by peer', 'user 42 logged in'],
    ...[
      'took 17 ms',
      'took 171 ms',
      'GET /api/v1/carts/81723 200',
      'Ünïcödé ist überall',
      '😀😀',
      'é',
      'e\u0301',
    ],
    ...[
      '4bf92f3577b34da6a3ce929d0e0e4736',
      '0af7651916cd43dd8448eb211c80319c',
      'a\nb\r\nc',
      '\ufeff',
      '\0',
    ],
    ...[
      'İstanbul',
      'ſharp',
      'K',
      '\u2028',
      'C:\\dir\\x',
      '"quoted"',
      "it's",
      '`',
      '$x',
      '%',
      '.*',
      '[a-z]+',
    ],
    'word '.repeat(400),
  ),
)

/** Numbers that a double holds are written as JavaScript does, all others keep their digits. */
const numbers = fc
  .oneof(
    fc.constantFrom(
      ...[
        ['0', '0'],
        ['-0', '0'],
        ['1.0', '1'],
        ['1e3', '1000'],
        ['1E-7', '1e-7'],
        ['-12.50', '-12.5'],
      ],
      ...['9007199254740991', '9007199254740993', '-9007199254740993', '1686026893735321098'].map(
        twice,
      ),
      ...[
        '123456789012345678901234567890',
        '1e400',
        '-1E+400',
        '1e-400',
        '0.30000000000000004',
      ].map(twice),
      ...['3.14159265358979323846', '0.1000000000000000055511151231257827'].map(twice),
    ),
    fc.integer().map(String).map(twice),
    fc.bigInt().map(String).map(twice),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map(n => twice(JSON.stringify(n))),
  )
  .map(([source, kept]) => new Written(source!, kept!))

function twice(text: string): [string, string] {
  return [text, text]
}

const leaf: fc.Arbitrary<Value> = fc.oneof(
  { arbitrary: texts, weight: 5 },
  { arbitrary: numbers, weight: 3 },
  fc.constantFrom(true, false, null),
)

const names = fc.oneof(fc.constantFrom(...oddNames), fc.string({ unit: 'grapheme', maxLength: 4 }))

const fieldsOf = (value: fc.Arbitrary<Value>, lengthMax: number): fc.Arbitrary<Fields> =>
  fc
    .uniqueArray(fc.tuple(names, value), { maxLength: lengthMax, selector: ([name]) => name })
    .map(list => new Map(list))

const anyValue = fc.letrec<{ value: Value }>(tie => ({
  value: fc.oneof(
    { maxDepth: 4, depthIdentifier: 'value' },
    { arbitrary: leaf, weight: 6 },
    fc.array(tie('value'), { maxLength: 3 }),
    fieldsOf(tie('value'), 3),
  ),
})).value

/** A value, or none: that so many times as often. */
const seldom = <T>(value: fc.Arbitrary<T>, absence: number): fc.Arbitrary<T | undefined> =>
  fc.oneof(value, { arbitrary: fc.constant(undefined), weight: absence })

const levelWords = [
  'info',
  'ERROR',
  ' Warn ',
  'fatal',
  'debug',
  'notice',
  'panic',
  'loud',
  null,
  '',
]

/** Fields that mean something, each absent now and then or as a rule. */
const meaningful = object({
  message: fc.option(anyValue, { nil: undefined, freq: 3 }),
  msg: seldom(anyValue, 1),
  level: seldom(fc.constantFrom(...levelWords), 1),
  error: seldom(leaf, 4),
  warn: seldom(leaf, 6),
  'service.name': seldom(anyValue, 10),
  environment: seldom(anyValue, 10),
  log_level: seldom(anyValue, 10),
})

const times = fc.oneof(
  { arbitrary: fc.nat(30), weight: 6 },
  {
    arbitrary: fc.tuple(fc.nat(2), fc.nat(20)).map(([day, ms]) => day * 86_400_000 + ms),
    weight: 3,
  },
  fc.nat(timeSpanMs - 1),
)

/** The same moment in every unit, as number or text, and as RFC 3339 of any zone. */
const timeForms: readonly ((ms: number) => Value)[] = [
  ms => new Written(String(ms), String(ms)),
  ms => new Written(`${Math.floor(ms / 1000)}.${pad(ms % 1000)}`, String(ms / 1000)),
  ms => new Written(`${ms}000`, `${ms}000`),
  ms => new Written(`${ms}000000`, `${ms}000000`), // More digits than a double holds.
  ms => String(ms),
  ms => `${Math.floor(ms / 1000)}.${pad(ms % 1000)}`,
  ms => `${ms}000`,
  ms => `${ms}000000`,
  ms => new Date(ms).toISOString(),
  ms => new Date(ms).toISOString().replace('T', ' ').replace('Z', '000+00:00'),
  ms => new Date(ms + 5.5 * 3_600_000).toISOString().replace('Z', '+05:30'),
  ms => new Date(ms - 3_600_000).toISOString().replace('Z', '-01:00'),
]

const pad = (ms: number) => String(ms).padStart(3, '0')

const time = fc.tuple(times, fc.constantFrom(...timeForms))

/** White space that may stand between tokens, and how strings are written. */
const style = object({
  space: fc.constantFrom('', '', '', ' ', '\n', '\t', '\r\n  '),
  isEscaped: fc.boolean(),
})

/** Objects as senders post them; the meaningful fields stand at any place among the others. */
const objectEvent = fc
  .tuple(
    meaningful,
    fieldsOf(anyValue, 6),
    fc.option(time, { freq: 20 }),
    fc.infiniteStream(fc.nat()),
    style,
  )
  .map(([meant, others, at, order, written]): RandomEvent => {
    const entries: [string, Value][] = [...others].filter(([name]) => !(name in meant))
    for (const [name, value] of Object.entries(meant)) {
      if (value !== undefined) entries.push([name, value as Value])
    }
    if (at !== null) entries.push([timeField, at[1](timeBase + at[0])])
    const shuffled = entries
      .map(entry => [order.next().value as number, entry] as const)
      .sort(([a], [b]) => a - b)
      .map(([, entry]) => entry)
    const fields = new Map(shuffled)
    const timestamp = at === null ? undefined : timeBase + at[0]
    return { json: write(fields, written), expected: recordOf(fields, timestamp) }
  })

/** Anything else that is JSON: the whole of it is the message. */
const otherEvent = fc
  .tuple(
    anyValue.filter(value => !(value instanceof Map)),
    style,
  )
  .map(([value, written]): RandomEvent => {
    const message = typeof value === 'string' ? value : compact(value)
    const expected = { timestamp: undefined, level: 'info', message, attributes: new Map() }
    return { json: write(value, written), expected }
  })

export const arbitraryEvent: fc.Arbitrary<RandomEvent> = fc.oneof(
  { arbitrary: objectEvent, weight: 30 },
  otherEvent,
)

function recordOf(fields: Fields, timestamp: number | undefined): ExpectedRecord {
  const { level, used } = levelOf(fields)
  const messageField = ['message', 'msg'].find(name => (fields.get(name) ?? null) !== null)
  const message = messageField === undefined ? fields : fields.get(messageField)!
  const attributes = new Map<string, string>()
  const skipped = new Set([used, messageField, timestamp === undefined ? undefined : timeField])
  for (const [name, value] of fields) if (!skipped.has(name)) addAttribute(attributes, name, value)
  return {
    timestamp,
    level,
    message: typeof message === 'string' ? message : compact(message),
    attributes,
  }
}

const knownLevels = ['info', 'error', 'warn', 'fatal', 'debug', 'notice', 'panic']

function levelOf(fields: Fields): { level: string; used: string | undefined } {
  const word = fields.get('level')
  const known = typeof word === 'string' ? word.trim().toLowerCase() : ''
  if (knownLevels.includes(known)) return { level: known, used: 'level' }
  if (saysSomething(fields.get('error'))) return { level: 'error', used: undefined }
  return { level: saysSomething(fields.get('warn')) ? 'warn' : 'info', used: undefined }
}

function saysSomething(value: Value | undefined): boolean {
  if (value instanceof Written) return /^[^eE]*[1-9]/.test(value.source)
  return value !== undefined && value !== null && value !== false && value !== ''
}

/** Attributes of our own meaning, which a payload's may not stand in for. */
const reserved = ['service.name', 'environment', 'log_level', 'message']

function addAttribute(attributes: Map<string, string>, path: string, value: Value): void {
  if (value instanceof Map && value.size > 0) {
    for (const [name, nested] of value) addAttribute(attributes, `${path}.${name}`, nested)
    return
  }
  const name = reserved.includes(path) ? `payload.${path}` : path
  attributes.set(name, typeof value === 'string' ? value : compact(value))
}

/** JSON without white space, as an answer holds it. */
function compact(value: Value): string {
  if (value instanceof Written) return value.kept
  if (value instanceof Map) {
    const members = [...value].map(([name, member]) => `${JSON.stringify(name)}:${compact(member)}`)
    return `{${members.join()}}`
  }
  return Array.isArray(value) ? `[${value.map(compact).join()}]` : JSON.stringify(value)
}

interface Style {
  readonly space: string
  readonly isEscaped: boolean
}

/** JSON as the sender writes it. */
function write(value: Value, written: Style): string {
  const { space } = written
  if (value instanceof Written) return value.source
  if (value instanceof Map) {
    const members = [...value].map(
      ([name, member]) => `${quote(name, written)}${space}:${space}${write(member, written)}`,
    )
    return `{${space}${members.join(`${space},${space}`)}${space}}`
  }
  if (Array.isArray(value)) {
    const members = value.map(member => write(member, written))
    return `[${space}${members.join(`${space},${space}`)}${space}]`
  }
  return typeof value === 'string' ? quote(value, written) : JSON.stringify(value)
}

/** A string, as it is or with everything beyond ASCII, and the slash, escaped. */
function quote(text: string, { isEscaped }: Style): string {
  const plain = JSON.stringify(text)
  if (!isEscaped) return plain
  return plain
    .replace(/\//g, '\\/')
    .replace(/[^\0-~]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
