/** An event, or a body of many, read directly and the plain way, which alone says what is right. */
import assert from 'node:assert/strict'
import type { DirectReader } from '../../../src/ingest/direct/reader.ts'
import { directReaderFor } from '../../../src/ingest/direct/readers.ts'
import { encodeEventBatch } from '../../../src/ingest/event-batch.ts'
import { type FormatName, formats } from '../../../src/ingest/formats/formats.ts'
import { parseEvent } from '../../../src/ingest/json.ts'
import { normalise } from '../../../src/ingest/normalise.ts'
import type { EventBatchContext } from '../../../src/ingest/read-event-batch.ts'
import { Batch } from '../../../src/journal/batch-reader.ts'
import { BatchWriter, type EncodedBatch } from '../../../src/journal/batch-writer.ts'
import { orProblem, ProblemError } from '../../../src/problems.ts'
import type { LogRecord } from '../../../src/record.ts'
import { comparable } from '../../journal/records.ts'

const stream = { service: 'shop', environment: 'test' }
export const receivedAt = 1_795_000_000_000

/** Throws unless `direct` leaves the event alone, or makes of it what the plain way does. */
export function checkEvent(
  body: Buffer,
  direct: DirectReader,
  timestampField?: string,
  parse?: 'json',
): 'direct' | 'plain' {
  const before = Buffer.from(body)
  const end = direct.read(body, 0, body.length, false)
  if (end < 0) return 'plain'
  const writer = new BatchWriter()
  direct.addTo(writer, stream, receivedAt)
  assert.deepEqual(body, before, 'the body was changed')
  const text = body.subarray(0, end)
  const plain = normalise(parseEvent(text), { receivedAt, timestampField, parse })
  assert.deepEqual(recordsOf([writer.encode()]), [comparable(plain)])
  return 'direct'
}

/** Throws unless `encodeEventBatch` makes of the body what the plain way makes of each of its events. */
export function checkBody(
  body: Buffer,
  context: EventBatchContext,
  format: FormatName = 'events',
): void {
  const plain = orProblem(() => [...formats[format].read(Buffer.from(body), context, undefined)])
  const direct = orProblem(
    () => encodeEventBatch(body, { format, stream, context }, Number.POSITIVE_INFINITY)!,
  )
  if (plain instanceof ProblemError || direct instanceof ProblemError) {
    assert.deepEqual(told(direct), told(plain))
    return
  }
  const records = plain.flatMap(({ record }) => (record === undefined ? [] : [comparable(record)]))
  assert.deepEqual(recordsOf(direct.batches), records)
  const problems = plain.flatMap(({ index, problem }) =>
    problem === undefined ? [] : [{ index, detail: problem.message, ...problem.extras }],
  )
  const errors = direct.errors.map(({ code: _code, ...error }) => error)
  assert.deepEqual(errors, problems.slice(0, errors.length))
  assert.equal(direct.rejected, problems.length)
  assert.equal(direct.answers, plain.flatMap(({ answer }) => answer ?? []).join())
}

/** By which way each event of a body goes; throws unless both come to the same. */
export function waysOf(body: Buffer, context: EventBatchContext, format: FormatName): Way[] {
  checkBody(body, context, format)
  const ways: Way[] = []
  const direct = directReaderFor(context.timestampField, context.parse)
  orProblem(() => {
    for (const { record, problem } of formats[format].read(body, context, direct)) {
      ways.push(problem ? 'refused' : record ? 'plain' : 'direct')
    }
  })
  return ways
}

export type Way = 'direct' | 'plain' | 'refused'

function told(outcome: unknown) {
  assert.ok(outcome instanceof ProblemError, 'only one of the ways refuses the body')
  return { code: outcome.code, detail: outcome.message, extras: outcome.extras }
}

function recordsOf(batches: readonly EncodedBatch[]): unknown[] {
  return batches.flatMap(({ payload, recordCount, minTimestamp, maxTimestamp }) => {
    const header = { firstSequence: 0, minTimestamp, maxTimestamp }
    const batch = new Batch({ header, payload })
    const records: LogRecord[] = []
    for (let row = 0; row < recordCount; row++) records.push(batch.record(row))
    return records.map(comparable)
  })
}
