/**
 * Bodies of the protocols that senders speak. Each event is a record or a problem, in order; a body of which
 * nothing can be read is refused as a whole; and what its protocol allows is read whole.
 */
import assert from 'node:assert/strict'
import type { Random } from '../../bench/random.ts'
import { bulkTimestampField } from '../../src/ingest/formats/bulk.ts'
import type { FormatContext } from '../../src/ingest/formats/format.ts'
import { type FormatName, formats } from '../../src/ingest/formats/formats.ts'
import { ProblemError } from '../../src/problems.ts'
import { checkBody } from '../ingest/direct/both-ways.ts'
import { binaryField, entryOf } from '../ingest/formats/journal-entries.ts'
import { pushRequest, snappyOf } from '../ingest/formats/loki-messages.ts'
import { type Request, toJson, toProtobuf, type Value } from '../ingest/otlp/messages.ts'
import { isRecord } from './events.ts'
import { eventText, jsonText, jsonWords, usualEventText } from './json-texts.ts'
import { mutate } from './mutate.ts'
import type { FuzzTarget } from './target.ts'

export interface FuzzedFormat {
  readonly format: FormatName
  /** A body as the protocol has it, of so many events. */
  readonly bodyOf: (random: Random, count: number) => string | Buffer
  /** What mutations put into it. */
  readonly words?: readonly string[]
  /** Events are read directly, too: both ways must come to the same. */
  readonly isDirect?: boolean
  readonly timestampField?: string
}

const context: FormatContext = {
  receivedAt: 1_795_000_000_000,
  timestampField: undefined,
  eventBytesMax: 64 * 1024,
}

export function targetOf(fuzzed: FuzzedFormat): FuzzTarget {
  const { format, bodyOf, words = jsonWords, isDirect = false, timestampField } = fuzzed
  return {
    tryOne(random) {
      const count = random.skewedBelow(12)
      const whole = Buffer.from(bodyOf(random, count))
      const isWhole = random.below(4) === 0
      const body = isWhole ? whole : mutate(whole, random, words)
      const parse = random.pick(['json', undefined] as const)
      const given = random.pick([undefined, { host: 'a', source: 'b' }])
      const within = { ...context, parse, given, timestampField }
      const outcomes = read(format, body, within)
      if (isDirect) checkBody(body, within, format)
      if (isWhole && count > 0) assert.equal(outcomes, count, 'all events of a body are found')
    },
  }
}

/** How many events were found; 0 for a body that is refused. */
function read(format: FormatName, body: Buffer, context: FormatContext): number {
  let index = 0
  try {
    for (const outcome of formats[format].read(body, context, undefined)) {
      assert.equal(outcome.index, index++)
      const { record, problem } = outcome
      assert.ok((record === undefined) !== (problem === undefined), 'a record or a problem')
      if (record !== undefined) isRecord(record)
    }
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error
    if (error.code !== 'events_unreadable') index = 0
  }
  return index
}

const anyText = (random: Random) =>
  random.pick([usualEventText, usualEventText, eventText, jsonText])(random)

const listOf = <T>(count: number, make: () => T) => Array.from({ length: count }, make)

/** What no conversion of JavaScript makes a text of. */
const noText = '{"toString":1,"valueOf":[]}'

/** What senders mostly send: texts around an event. */
function usualHecText(random: Random): string {
  const time = random.pick(['1795183402', '1795183402118', '1795183402.118000', '"1795183402.1"'])
  const names = ['host', 'source', 'index', 'a', 'level', 'error', 'http', 'message']
  const around = names.filter(() => random.below(4) === 0).map(name => `"${name}":"web-1"`)
  const event = random.pick([usualEventText(random), usualEventText(random), '"größe\\n \\u00e9"'])
  const fields = random.pick([[], ['"fields":{}'], ['"fields":{"region":"eu","a.b":"x"}']])
  const members = [`"time":${time}`, ...around, `"event":${event}`, ...fields]
  if (random.below(4) === 0) members.reverse()
  return `{${members.join(random.pick([',', ' , ']))}}`
}

const hecEventText = (random: Random) => {
  if (random.below(2) === 0) return usualHecText(random)
  const time = random.pick([
    '1795183402.118',
    '"1795183402"',
    'null',
    '"soon"',
    '-1',
    '1e300',
    noText,
  ])
  const fields = random.below(2) === 0 ? `,"fields":${eventText(random)}` : ''
  const line = random.below(3) === 0 ? `{"line":${anyText(random)},"tag":"t"}` : anyText(random)
  return `{"time":${time},"host":"web-1","event":${line}${fields}}`
}

/** JSON in one line. */
const lineOf = (random: Random) => anyText(random).replaceAll(/[\r\n]/g, ' ')

function bulkPair(random: Random): string {
  const name = random.pick(['create', 'create', 'index', 'update', 'delete'])
  const members = random.pick([
    '{}',
    '{"_index":"logs"}',
    '{"_id":"1","x":[1]}',
    'null',
    `{"_id":${noText}}`,
  ])
  const action = `{ "${name}" : ${members} }`
  return name === 'delete' ? action : `${action}\n${lineOf(random)}`
}

function datadogText(random: Random): string {
  const tags = random.pick(['env:prod,version:1', ':', ',', 'a:b:c, d', '__proto__:x'])
  const status = random.pick(['"warn"', '3', 'null', '{}', '"ok"', noText])
  return `{"ddtags":"${tags}","status":${status},"message":${anyText(random)},"date":${lineOf(random)}}`
}

function gelfText(random: Random): string {
  const level = random.pick(['0', '7', '8', '"3"', 'null', '1.5', noText])
  const fields = `"_a":${anyText(random)},"_level":1,"__":2,"_":3`
  return `{"short_message":${random.pick(['"m"', '""', '1'])},"level":${level},${fields}}`
}

function lokiText(random: Random, count: number): string {
  const entry = () => {
    const time = random.pick(['"1795183402118000000"', '"0"', '1795183402118000000', '"x"', noText])
    const metadata = random.below(2) === 0 ? `,${eventText(random)}` : ''
    return `[${time},${random.pick(['"line"', '"{\\"a\\":1}"', '1'])}${metadata}]`
  }
  const members = [`"stream":${eventText(random)}`, `"values":[${listOf(count, entry).join()}]`]
  if (random.below(3) === 0) members.reverse()
  return `{"streams":[{${members.join()}},{"stream":{},"values":[]}]}`
}

/** Literals only: what copies become is tried by `test/ingest/formats/snappy.test.ts`. */
function lokiMessage(random: Random, count: number): Buffer {
  const labels = random.pick(['{}', '{a="b"}', '{ app = "x\\n", level=`warn`, }'])
  const entries = listOf(count, () => lineOf(random)).map(line => ({
    line,
    time: 1_795_183_402_118_000_000n + BigInt(random.below(1_000)),
    metadata: random.below(2) === 0 ? { trace_id: 'x' } : {},
  }))
  return snappyOf(pushRequest([{ labels, entries }]))
}

/** What an entry of the journal may have, but for one whose message a mutation makes another. */
export function journalEntry(random: Random): Buffer {
  const fields = listOf(random.below(6), () => random.pick(journalFields)).map(field =>
    random.below(3) === 0 ? binaryField('MESSAGE', anyText(random)) : field,
  )
  return entryOf(lineOf(random), ...fields)
}

const journalFields = [
  '__CURSOR=s=1;i=2\n',
  '__REALTIME_TIMESTAMP=1795182936123456\n',
  '__REALTIME_TIMESTAMP=soon\n',
  'PRIORITY=3\n',
  'PRIORITY=x\n',
  'A=1\n',
  '__proto__=\n',
  'service.name=x\n',
  binaryField('B', Buffer.from([0, 255, 10, 10])),
  binaryField('EMPTY', ''),
] as const

function otlpValue(random: Random, depth = 3): Value {
  const inside = () => otlpValue(random, depth - 1)
  const fields = () => listOf(random.below(3), () => [random.pick(otlpNames), inside()] as const)
  return random.pick<() => Value>([
    () => ({ text: anyText(random) }),
    () => ({ text: random.pick(['', 'größe', '\0']) }),
    () => ({ integer: random.pick([0n, -(1n << 63n), 1_795_183_402_118n]) }),
    () => ({ double: random.pick([0.5, -0, Number.NaN, 1e300]) }),
    () => ({ truth: true }),
    () => ({ bytes: Buffer.from(random.hex(6), 'hex') }),
    () => ({ empty: true }),
    ...(depth === 0 ? [] : [() => ({ list: listOf(random.below(3), inside) })]),
    ...(depth === 0 ? [] : [() => ({ fields: fields() })]),
  ])()
}

const otlpOrder = (random: Random) => random.pick(['usual', 'reversed'] as const)

const otlpNames = ['a', 'a.b', 'service.name', '__proto__', '', 'message'] as const

function otlpRequest(random: Random, count: number): Request {
  const fields = () =>
    listOf(random.below(3), () => [random.pick(otlpNames), otlpValue(random)] as const)
  const logs = listOf(count, () => ({
    ...{ time: random.pick([0n, 1_795_183_402_118_000_001n, (1n << 64n) - 1n]) },
    ...{ severityNumber: random.below(30), severityText: random.pick(['WARN', 'x', '']) },
    ...{ body: otlpValue(random), attributes: fields(), traceId: random.hex(32) },
  }))
  const half = random.below(count + 1)
  const scope = { name: 'lib', attributes: fields() }
  const scopes = [{ scope, logs: logs.slice(0, half) }, { logs: logs.slice(half) }]
  return [{ resource: fields(), scopes }]
}

export const fuzzedFormats = {
  'otlp-json': {
    format: 'otlp-json',
    bodyOf: (random, count) => toJson(otlpRequest(random, count), otlpOrder(random)),
    words: [...jsonWords, '"logRecords":[', '"intValue":"1e5"', '"kvlistValue":{"values":['],
  },
  'otlp-protobuf': {
    format: 'otlp-protobuf',
    bodyOf: (random, count) => toProtobuf(otlpRequest(random, count), otlpOrder(random)),
    words: ['\x0a', '\x12\x80', '\xff\xff\xff\xff\x0f', '\x2a\x02\x08', '\0'],
  },
  hec: {
    format: 'hec',
    isDirect: true,
    bodyOf: (random, count) =>
      listOf(count, () => hecEventText(random)).join(random.pick(['', '\n', ' '])),
  },
  lines: {
    format: 'lines',
    bodyOf: (random, count) =>
      listOf(
        count,
        () => `x${random.pick(['', 'größe', anyText(random).replaceAll(/\s/g, '')])}`,
      ).join(random.pick(['\n', '\r\n', '\n\n'])),
  },
  bulk: {
    format: 'bulk',
    isDirect: true,
    timestampField: bulkTimestampField,
    bodyOf: (random, count) =>
      listOf(count, () => bulkPair(random)).join(random.pick(['\n', '\r\n', '\n \n'])),
    words: [...jsonWords, '\n', '{"create":{}}\n', '{"delete":{"_id":"1"}}\n', '{"index":'],
  },
  datadog: {
    format: 'datadog',
    bodyOf: (random, count) => `[${listOf(count, () => datadogText(random)).join()}]`,
  },
  gelf: {
    format: 'gelf',
    bodyOf: (random, count) => listOf(count, () => gelfText(random)).join('\n'),
  },
  'loki-json': {
    format: 'loki-json',
    bodyOf: (random, count) => lokiText(random, count),
  },
  'loki-protobuf': {
    format: 'loki-protobuf',
    isDirect: true,
    bodyOf: (random, count) => lokiMessage(random, count),
    words: ['\x0a', '\x12\x80', '\xff\xff\xff\xff\x0f', '{a="', '\0'],
  },
  journald: {
    format: 'journald',
    bodyOf: (random, count) => Buffer.concat(listOf(count, () => journalEntry(random))),
    words: ['\n', '\n\n', '=', 'MESSAGE\n', 'B\n\x01\0\0\0\0\0\0\0', '\xff\xff\xff\xff'],
  },
} as const satisfies Readonly<Record<string, FuzzedFormat>>
