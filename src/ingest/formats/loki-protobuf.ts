/**
 * Loki's push API in protobuf, in snappy's raw format: Promtail's, Alloy's and Vector's default.
 *
 * Usual entries are read by `loki-direct.ts`; what becomes of any entry is said here.
 *
 * Source: Loki 3.5, `pkg/push/push.proto`. Numbers of fields never change their meaning; what is not here is
 * skipped. A body that is torn is refused as a whole.
 */

import { freeMemory } from '../../columns/growing-array.ts'
import { ProblemError } from '../../problems.ts'
import type { LogRecord } from '../../record.ts'
import type { FlatReader } from '../direct/flat-reader.ts'
import type { EventObject } from '../level.ts'
import type { Moment } from '../moment.ts'
import { type Fields, timeOf } from '../otlp/any-value.ts'
import { type Range, WireMessages } from '../otlp/wire.ts'
import { type OneEvent, outcomesOf } from './each-event.ts'
import type { Format, FormatContext } from './format.ts'
import { LokiDirect } from './loki-direct.ts'
import { aroundOf, recordOfEntry } from './loki-entry.ts'
import { readLabels } from './loki-labels.ts'
import { snappyLength, undoSnappy } from './snappy.ts'

export const lokiProtobuf: Format = {
  encodedPerByte: 2,
  decodedBytes: snappyLength,
  read: (body, context, direct) => outcomesOf(undone(undoSnappy(body), context, direct?.flat)),
}

const fields = {
  request: { streams: 1 },
  stream: { labels: 1, entries: 2 },
  entry: { timestamp: 1, line: 2, metadata: 3 },
  timestamp: { seconds: 1, nanoseconds: 2 },
  label: { name: 1, value: 2 },
} as const

/**
 * The entries of `body`, whose memory is returned after the last one: left to the collector it has all
 * garbage collected after every third body, and with it V8 drops the code of what reads entries.
 */
function* undone(
  body: Buffer<ArrayBuffer>,
  context: FormatContext,
  flat: FlatReader | undefined,
): Generator<OneEvent, void> {
  try {
    yield* entriesOf(body, context, flat && new LokiDirect(body, flat))
  } finally {
    freeMemory(body)
  }
}

function* entriesOf(
  body: Buffer,
  context: FormatContext,
  direct: LokiDirect | undefined,
): Generator<OneEvent, void> {
  const wire = new WireMessages(body)
  const whole = { start: 0, end: body.length }
  wire.read(whole, field => field === fields.request.streams && wire.pass())
  for (const stream of wire.ranges(whole, fields.request.streams)) {
    let place: Range | undefined
    wire.read(stream, field => {
      if (field === fields.stream.entries) return wire.pass()
      if (field !== fields.stream.labels) return false
      place = wire.range()
      return true
    })
    const labels = place === undefined ? {} : readLabels(wire.textIn(place))
    direct?.takeLabels(place)
    for (const entry of wire.ranges(stream, fields.stream.entries)) {
      const isUsual = entry.end - entry.start <= context.eventBytesMax
      yield () => {
        if (isUsual && direct?.read(entry)) return undefined
        return recordOf(wire, entry, { labels, context })
      }
    }
  }
}

interface Of {
  readonly labels: EventObject
  readonly context: FormatContext
}

function recordOf(wire: WireMessages, range: Range, { labels, context }: Of): LogRecord {
  if (range.end - range.start > context.eventBytesMax) {
    const detail = `expected an entry of at most ${context.eventBytesMax} bytes`
    throw new ProblemError('body_too_large', detail)
  }
  let line = ''
  let time: Moment | undefined
  const around = aroundOf(labels)
  wire.read(range, field => {
    if (field === fields.entry.line) line = wire.text()
    else if (field === fields.entry.timestamp) time = readTime(wire)
    else if (field === fields.entry.metadata) readPair(wire, around)
    else return false
    return true
  })
  return recordOfEntry({ line, time, around }, context)
}

/** Before 1970, and 1970 itself, are as if it were absent. */
function readTime(wire: WireMessages): Moment | undefined {
  let seconds = 0
  let nanoseconds = 0
  wire.message(field => {
    if (field === fields.timestamp.seconds) seconds = Number(wire.long())
    else if (field === fields.timestamp.nanoseconds) nanoseconds = wire.integer()
    else return false
    return true
  })
  const isUsual = seconds > 0 && seconds < secondsEnd && nanoseconds >= 0 && nanoseconds < 1e9
  const subMs = nanoseconds % nanosecondsPerMs
  if (isUsual && subMs === 0) {
    return { timestamp: 1_000 * seconds + nanoseconds / nanosecondsPerMs, nanoseconds: undefined }
  }
  if (Math.abs(seconds) > secondsEnd) return undefined
  const time = BigInt(seconds) * 1_000_000_000n + BigInt(nanoseconds)
  return time < 0n || time >= 1n << 64n ? undefined : timeOf(time)
}

function readPair(wire: WireMessages, to: Fields): void {
  let name = ''
  let value = ''
  wire.message(field => {
    if (field === fields.label.name) name = wire.text()
    else if (field === fields.label.value) value = wire.text()
    else return false
    return true
  })
  to[name] = value
}

const nanosecondsPerMs = 1_000_000
/** Nanoseconds since 1970 have 64 bits. */
const secondsEnd = 2 ** 64 / 1e9
