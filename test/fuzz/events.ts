/**
 * The bytes of one event. It is taken exactly when `JSON.parse` takes it and nothing of it would be
 * changed without a word; a record that was taken comes back from the journal's form as it was.
 */
import assert from 'node:assert/strict'
import { isUtf8 } from 'node:buffer'
import type { Random } from '../../bench/random.ts'
import { parseEvent } from '../../src/ingest/json.ts'
import { normalise } from '../../src/ingest/normalise.ts'
import { Batch } from '../../src/journal/batch-reader.ts'
import { BatchWriter } from '../../src/journal/batch-writer.ts'
import { limits } from '../../src/limits.ts'
import { orProblem, ProblemError } from '../../src/problems.ts'
import type { LogRecord } from '../../src/record.ts'
import { eventText, jsonText, jsonWords } from './json-texts.ts'
import { mutate } from './mutate.ts'
import type { FuzzTarget } from './target.ts'

const receivedAt = 1_795_000_000_000
const stream = { service: 'fuzz', environment: 'test' }
const codes = [
  ...['body_empty', 'json_invalid', 'utf8_invalid', 'json_too_deep'],
  ...['attributes_too_many', 'attribute_too_large'],
]
/** These alone speak about the JSON itself. */
const jsonCodes = ['body_empty', 'json_invalid', 'utf8_invalid', 'json_too_deep']

export const events: FuzzTarget = {
  tryOne(random) {
    const text = random.below(4) > 0 ? eventText(random) : jsonText(random)
    const whole = Buffer.from(text)
    const body = random.below(4) > 0 ? mutate(whole, random, jsonWords) : whole
    const timestampField = random.below(4) === 0 ? random.pick(['time', 'a.b', '']) : undefined
    const outcome = orProblem(() => normalise(parseEvent(body), { receivedAt, timestampField }))
    if (!(outcome instanceof ProblemError)) {
      assert.ok(isSoundJson(body), 'taken though it is no JSON')
      isRecord(outcome)
      survivesTheJournal(outcome, random)
      return
    }
    assert.ok(codes.includes(outcome.code), `refused with ${outcome.code}`)
    if (outcome.code !== 'body_empty' && jsonCodes.includes(outcome.code)) {
      const offset = outcome.extras.position?.offset ?? -1
      assert.ok(offset >= 0 && offset <= body.length, `the place of the mistake is ${offset}`)
    }
    if (outcome.code === 'json_invalid') {
      assert.ok(!isSoundJson(body), 'refused though it is JSON')
    }
  },
}

/** Whether `JSON.parse` takes it, after the byte order mark that we skip. */
function isSoundJson(body: Buffer): boolean {
  if (!isUtf8(body)) return false
  try {
    JSON.parse(body.toString().replace(/^\ufeff/, ''))
    return true
  } catch {
    return false
  }
}

export function isRecord({ timestamp, level, message, attributes }: LogRecord): void {
  assert.ok(Number.isInteger(timestamp) && Math.abs(timestamp) <= 8.64e15, `time ${timestamp}`)
  assert.equal(typeof message, 'string')
  assert.match(level, /^[a-z]+$/)
  assert.ok(attributes.length % 2 === 0 && attributes.length <= 2 * limits.eventAttributesMax)
  assert.ok(attributes.every(text => typeof text === 'string' && text.isWellFormed()))
  assert.equal(new Set(attributes.filter((_, i) => i % 2 === 0)).size, attributes.length / 2)
}

function survivesTheJournal(record: LogRecord, random: Random): void {
  if (random.below(8) > 0) return // It takes most of the time.
  const writer = new BatchWriter()
  writer.add(record, stream)
  const { payload, recordCount, minTimestamp, maxTimestamp } = writer.encode()
  const payloadBytes = payload.length
  const header = { payloadBytes, recordCount, firstSequence: 0, minTimestamp, maxTimestamp }
  const back = new Batch({ header, payload }).record(0)
  assert.equal(back.timestamp, record.timestamp)
  assert.equal(back.level, record.level)
  assert.equal(back.message, record.message)
  assert.deepEqual(sortedPairs(back.attributes), sortedPairs(record.attributes))
}

/** Attributes as a list of pairs in order of name: their order is no promise. */
function sortedPairs(attributes: readonly string[]): string[] {
  const pairs: string[] = []
  for (let i = 0; i < attributes.length; i += 2) {
    pairs.push(JSON.stringify([attributes[i], attributes[i + 1]]))
  }
  return pairs.sort()
}
