/**
 * Bodies of many events, and their Content-Encodings. Each event is a record or a problem with a
 * place, in order, the same however it is read; a body that is refused as a whole held nothing; a
 * decoded body keeps its limit.
 */
import assert from 'node:assert/strict'
import { deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import type { Random } from '../../bench/random.ts'
import type { ContentEncoding } from '../../src/http/body/content-encoding.ts'
import { type EventBatchContext, readEventBatch } from '../../src/ingest/read-event-batch.ts'
import { ProblemError } from '../../src/problems.ts'
import { decodeBody } from '../http/body/decode.ts'
import { checkBody } from '../ingest/direct/both-ways.ts'
import { isRecord } from './events.ts'
import { eventText, jsonText, jsonWords, usualEventText } from './json-texts.ts'
import { mutate } from './mutate.ts'
import type { FuzzTarget } from './target.ts'

const context: EventBatchContext = {
  receivedAt: 0,
  timestampField: undefined,
  eventBytesMax: 4_096,
}
const decodedBytesMax = 64 * 1024

const compressors: Record<Exclude<ContentEncoding, 'identity'>, (body: Buffer) => Buffer> = {
  gzip: gzipSync,
  deflate: deflateSync,
  zstd: zstdCompressSync,
}

export const bodies: FuzzTarget = {
  async tryOne(random) {
    const whole = Buffer.from(bodyText(random))
    const body = random.below(4) > 0 ? mutate(whole, random, [...jsonWords, '}\n{', '],[']) : whole
    isRead(body)
    const timestampField = random.below(4) === 0 ? random.pick(['time', 'a.b', '']) : undefined
    const parse = random.pick(['json', undefined] as const)
    checkBody(body, { ...context, timestampField, parse })
    if (random.below(16) === 0) await isDecoded(whole, random)
  },
}

function bodyText(random: Random): string {
  const texts = Array.from({ length: random.skewedBelow(12) }, () =>
    random.pick([usualEventText, usualEventText, eventText, eventText, jsonText])(random),
  )
  const separator = random.pick(['\n', '\r\n', '', ' ', ' oops ', ' [no "{ '])
  const array = `[${texts.join(',')}]`
  const form = random.below(5)
  if (form === 0) return random.pick([`{"logs":${array}}`, ` { "logs" : ${array} }\n`])
  return form < 3 ? array : texts.join(separator)
}

function isRead(body: Buffer): void {
  let index = 0
  try {
    for (const outcome of readEventBatch(body, context)) {
      assert.equal(outcome.index, index++)
      const { record, problem } = outcome
      assert.ok((record === undefined) !== (problem === undefined), 'a record or a problem')
      if (record !== undefined) isRecord(record)
      else assert.ok(problem.extras.position !== undefined, `${problem.code} has no place`)
    }
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error
    assert.ok(['body_empty', 'events_unreadable'].includes(error.code), error.code)
  }
}

async function isDecoded(body: Buffer, random: Random): Promise<void> {
  const encoding = random.pick(['gzip', 'deflate', 'zstd'] as const)
  // A bomb, now and then: a few bytes that stand for more than may be.
  const text = random.below(8) === 0 ? Buffer.alloc(4 * decodedBytesMax, 'x') : body
  const encoded = compressors[encoding](text)
  const isMutated = random.below(4) > 0
  try {
    const sent = isMutated ? mutate(encoded, random) : encoded
    const decoded = await decodeBody(encoding, sent, decodedBytesMax)
    assert.ok(decoded.length <= decodedBytesMax, `${decoded.length} bytes`)
    if (!isMutated) assert.ok(decoded.equals(text))
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error
    assert.ok(['encoding_broken', 'body_too_large'].includes(error.code), error.code)
    assert.ok(isMutated || text.length > decodedBytesMax, `refused: ${error.code}`)
  }
}
