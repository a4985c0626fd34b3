import { BinaryReader } from '@bufbuild/protobuf/wire'
import t, { type Test } from 'tap'
import type { IngestDoor } from '../../../../src/http/dependencies.ts'
import { type ProblemCode, ProblemError } from '../../../../src/problems.ts'
import { ingestionSecret, ingestionToken, startServer } from '../../stand-ins.ts'

const path = '/api/v1/otlp/v1/logs'
const json = 'application/json'
const protobuf = 'application/x-protobuf'

function send(url: string, contentType: string | undefined, init: RequestInit = {}) {
  const headers = new Headers({ Authorization: `Bearer ${ingestionSecret}`, ...init.headers })
  if (contentType !== undefined) headers.set('Content-Type', contentType)
  return fetch(url + path, { method: 'POST', body: Buffer.from('{}'), ...init, headers })
}

/** The fields of a message of protobuf by their numbers; what has a length is left as bytes. */
function fieldsOf(body: Uint8Array): Record<number, number | Uint8Array> {
  const reader = new BinaryReader(body)
  const fields: Record<number, number | Uint8Array> = {}
  while (reader.pos < reader.len) {
    const [field, wireType] = reader.tag()
    fields[field] = wireType === 2 ? reader.bytes() : Number(reader.uint64())
  }
  return fields
}

const textOf = (bytes: unknown) => Buffer.from(bytes as Uint8Array).toString()

/** A door that answers with so many refused, and notes how it was asked. */
function door(t: Test, rejected: number) {
  const formats: string[] = []
  const ingest: Partial<IngestDoor> = {
    async one() {},
    async batch(_body, token, { format, timestampField }) {
      t.equal(token, ingestionToken)
      t.equal(timestampField, undefined)
      formats.push(format)
      const error = { index: 4, code: 'attribute_too_large', detail: 'expected less' }
      return { accepted: 5, rejected, errors: rejected > 0 ? [error] : [] }
    },
  }
  return { formats, replaced: { ingest } }
}

t.test('both encodings are taken and answered as OTLP wants it', async t => {
  const { formats, replaced } = door(t, 0)
  const { url } = await startServer(t, replaced)
  const takes = async (contentType: string, format: string, answered: string, body: string) => {
    const response = await send(url, contentType)
    t.equal(response.status, 200, contentType)
    t.equal(formats.pop(), format)
    t.equal(response.headers.get('content-type'), answered)
    t.equal(await response.text(), body, 'nothing was refused, so nothing is said')
  }

  await takes('application/json', 'otlp-json', json, '{}')
  await takes('application/json; charset=utf-8', 'otlp-json', json, '{}')
  await takes('application/x-protobuf', 'otlp-protobuf', protobuf, '')
  await takes('Application/X-Protobuf;x=y', 'otlp-protobuf', protobuf, '')
})

t.test('an empty request of protobuf is one without records', async t => {
  const { formats, replaced } = door(t, 0)
  const { url } = await startServer(t, replaced)
  t.equal((await send(url, protobuf, { body: null })).status, 200)
  t.same(formats, ['otlp-protobuf'])
})

t.test('what was refused is told in partialSuccess', async t => {
  const { replaced } = door(t, 3)
  const { url } = await startServer(t, replaced)
  const errorMessage = '3 refused, the first at index 4: attribute_too_large: expected less'
  const asJson = await send(url, json)
  t.equal(asJson.status, 200)
  t.same(await asJson.json(), { partialSuccess: { rejectedLogRecords: '3', errorMessage } })

  const asProtobuf = await send(url, protobuf)
  t.equal(asProtobuf.status, 200)
  const { 1: partial } = fieldsOf(new Uint8Array(await asProtobuf.arrayBuffer()))
  const { 1: rejected, 2: message } = fieldsOf(partial as Uint8Array)
  t.equal(rejected, 3)
  t.equal(textOf(message), errorMessage)
})

t.test('errors are a google.rpc.Status in the encoding of the request', async t => {
  const fails = async (problem: Error, status: number, code: number, message: RegExp) => {
    const batch = async () => {
      throw problem
    }
    const { url } = await startServer(t, { ingest: { one: async () => {}, batch } })
    const asJson = await send(url, json)
    t.equal(asJson.status, status)
    t.equal(asJson.headers.get('content-type'), json)
    t.match(await asJson.json(), { code, message })

    const asProtobuf = await send(url, protobuf)
    t.equal(asProtobuf.status, status)
    t.equal(asProtobuf.headers.get('content-type'), protobuf)
    const fields = fieldsOf(new Uint8Array(await asProtobuf.arrayBuffer()))
    t.equal(fields[1], code)
    t.match(textOf(fields[2]), message)
    return asProtobuf.headers.get('retry-after')
  }
  const problem = (code: ProblemCode, extras = {}) => new ProblemError(code, 'what it was', extras)

  const position = { line: 2, column: 7, offset: 30 }
  t.equal(
    await fails(problem('json_invalid', { position }), 400, 3, /^json_invalid: 2:7: what it was$/),
    null,
  )
  await fails(problem('protobuf_invalid'), 400, 3, /^protobuf_invalid: what it was$/)
  const busy = problem('ingest_overloaded', { retryAfterSeconds: 1 })
  t.equal(await fails(busy, 429, 8, /^ingest_overloaded/), '1')
  const full = problem('storage_full', { retryAfterSeconds: 4.2 })
  t.equal(await fails(full, 503, 14, /^storage_full/), '5')
  await fails(new Error('secret inside /var/lib'), 500, 13, /^internal: (?!.*secret)/)
})

t.test('a refusal before the handler has the same form', async t => {
  const { url, ingested } = await startServer(t)
  const is = async (response: Response, status: number, message: RegExp) => {
    t.equal(response.status, status)
    t.match(await response.json(), { message })
  }
  await is(await send(url, undefined), 415, /^content_type/)
  await is(await send(url, 'application/x-ndjson'), 415, /^content_type/)
  await is(await send(url, json, { headers: { 'Content-Encoding': 'br' } }), 415, /^content_enc/)
  await is(
    await send(url, json, { headers: { Authorization: 'Bearer x' } }),
    401,
    /^credential_inv/,
  )
  const get = await fetch(url + path)
  t.equal(get.headers.get('allow'), 'POST, OPTIONS')
  await is(get, 405, /^method_unknown/)

  const unknown = await send(url, protobuf, { headers: { Authorization: 'Bearer x' } })
  t.equal(unknown.status, 401)
  t.equal(unknown.headers.get('content-type'), protobuf)
  t.match(unknown.headers.get('www-authenticate'), /invalid_token/)
  t.equal(fieldsOf(new Uint8Array(await unknown.arrayBuffer()))[1], 16)
  t.same(ingested, [])
})
