import t from 'tap'
import type { IngestDoor } from '../../../../src/http/dependencies.ts'
import { Ingest } from '../../../../src/ingest/ingest.ts'
import { ProblemError } from '../../../../src/problems.ts'
import { Receipts } from '../../../../src/store/receipts/receipts.ts'
import { ingestionSecret, ingestionToken, startServer } from '../../stand-ins.ts'

const one = '/api/v1/webhook/event/log'
const many = '/api/v1/webhook/event/logs'

function send(address: string, contentType: string | undefined, body: string = '{}') {
  const headers = new Headers({ Authorization: `Bearer ${ingestionSecret}` })
  if (contentType !== undefined) {
    headers.set('Content-Type', contentType)
  }
  // A Buffer, because fetch names a content type for a string by itself.
  return fetch(address, { method: 'POST', headers, body: Buffer.from(body) })
}

t.test('an accepted event is answered as agreed', async t => {
  const { url } = await startServer(t)
  const response = await send(url + one, 'application/json')
  t.equal(response.status, 200)
  t.equal(await response.text(), '{"accepted":1}')
  t.equal(response.headers.get('content-type'), 'application/json')
  t.equal(response.headers.get('x-content-type-options'), 'nosniff')
  t.equal(response.headers.get('cache-control'), 'no-store')
})

t.test('the right content types are taken, parameters and case aside', async t => {
  const { url } = await startServer(t)
  const takes = async (path: string, contentType: string) =>
    t.equal((await send(url + path, contentType)).status, 200, `${path} ${contentType}`)

  for (const path of [one, many]) {
    await takes(path, 'application/json')
    await takes(path, 'application/json; charset=utf-8')
    await takes(path, 'application/json;charset=latin1')
    await takes(path, 'Application/JSON ; x=y')
  }
  await takes(many, 'application/x-ndjson')
  await takes(many, 'application/stream+json')
})

t.test('other content types are 415', async t => {
  const { url, ingested } = await startServer(t)
  const refuses = async (path: string, contentType: string | undefined) => {
    const response = await send(url + path, contentType)
    t.equal(response.status, 415, `${path} ${contentType}`)
    t.match(await response.json(), { code: 'content_type', field: 'Content-Type' })
  }

  for (const path of [one, many]) {
    await refuses(path, undefined)
    await refuses(path, 'text/plain')
    await refuses(path, 'application/jsonx')
    await refuses(path, 'application/problem+json')
    await refuses(path, 'text/plain; application/json')
    await refuses(path, 'application/x-www-form-urlencoded')
  }
  await refuses(one, 'application/x-ndjson')
  t.same(ingested, [])
})

/** A door that notes what came through. */
function noting() {
  const fields: (string | undefined)[] = []
  const ingest: Partial<IngestDoor> = {
    async one(_body, token, { timestampField }) {
      t.equal(token, ingestionToken)
      fields.push(timestampField)
    },
    async batch(_body, _token, { timestampField }) {
      fields.push(timestampField)
      return { accepted: 5, rejected: 1, errors: [{ index: 2, code: 'json_invalid', detail: '' }] }
    },
  }
  return { fields, replaced: { ingest } }
}

t.test('a sender may name the field of its own time', async t => {
  const { fields, replaced } = noting()
  const { url } = await startServer(t, replaced)
  const reads = async (query: string, field: string | undefined) => {
    t.equal((await send(url + one + query, 'application/json')).status, 200, query)
    t.equal(fields.pop(), field)
  }

  await reads('', undefined)
  await reads('?', undefined)
  await reads('?other=1', undefined)
  await reads('?timestamp_field=time', 'time')
  await reads('?a=b&timestamp_field=event.time&c', 'event.time')
  await reads('?timestamp_field=a%20b%C3%A9', 'a bé')
  await reads('?timestamp_field=__proto__', '__proto__')
  t.equal((await send(`${url}${many}?timestamp_field=ts`, 'application/json')).status, 200)
  t.equal(fields.pop(), 'ts')
})

t.test('a time field that is empty or named twice is refused', async t => {
  const { url, ingested } = await startServer(t)
  const refuses = async (query: string) => {
    const response = await send(url + one + query, 'application/json')
    t.equal(response.status, 400, query)
    t.match(await response.json(), { code: 'field_invalid', field: 'timestamp_field' })
  }

  await refuses('?timestamp_field=')
  await refuses('?timestamp_field')
  await refuses('?timestamp_field=a&timestamp_field=b')
  t.same(ingested, [])
})

t.test('a request may have messages taken apart, or not, whatever its token says', async t => {
  const asked: unknown[] = []
  const one = async (_body: Buffer, _token: unknown, options: object) => {
    asked.push(options)
  }
  const { url } = await startServer(t, { ingest: { one } })
  const reads = async (query: string, parse: string | undefined) => {
    const path = `${url}/api/v1/webhook/event/log${query}`
    t.equal((await send(path, 'application/json')).status, 200, query)
    t.same(asked.pop(), { timestampField: undefined, parse }, query)
  }

  await reads('', undefined)
  await reads('?parse=json', 'json')
  await reads('?parse=none', undefined)
  for (const query of ['?parse=xml', '?parse=', '?parse=json&parse=json']) {
    const response = await send(`${url}/api/v1/webhook/event/log${query}`, 'application/json')
    t.equal(response.status, 400, query)
    t.match(await response.json(), { code: 'field_invalid', field: 'parse' })
  }
  t.same(asked, [])
})

t.test('a parameter that nobody knows costs nothing, and is named in a warning', async t => {
  const { url } = await startServer(t)
  const warns = async (path: string, warning: string | null) => {
    const response = await send(url + path, 'application/json')
    t.equal(response.status, 200, path)
    t.equal(response.headers.get('warning'), warning, path)
  }
  const known = 'known are timestamp_field and parse'

  for (const path of [one, many]) {
    await warns(`${path}?timestamp_field=time&parse=json`, null)
    await warns(
      `${path}?timestmp_field=time&_msg_field=x`,
      `299 - "query parameters without effect: timestmp_field, _msg_field; ${known}"`,
    )
    await warns(
      `${path}?a%22%0d%0aX:%20y=1&Parse=json&gr%C3%B6%C3%9Fe&${'z'.repeat(99)}&b&c&d`,
      `299 - "query parameters without effect: a%22%0D%0AX%3A%20y, Parse, gr%C3%B6%C3%9Fe, ${'z'.repeat(50)}, b and 2 more; ${known}"`,
    )
  }
  await warns(
    '/api/v1/otlp/v1/logs?timestamp_field=time',
    '299 - "query parameters without effect: timestamp_field; none is known here"',
  )
})

t.test('many events are answered with what became of them', async t => {
  const { replaced } = noting()
  const { url } = await startServer(t, replaced)
  const response = await send(url + many, 'application/x-ndjson')
  t.equal(response.status, 200)
  t.same(await response.json(), {
    accepted: 5,
    rejected: 1,
    errors: [{ index: 2, code: 'json_invalid', detail: '' }],
  })
})

t.test('an event that cannot be written is never answered 200', async t => {
  const failing = async (error: Error) => {
    const fails = async () => {
      throw error
    }
    const { url, logged } = await startServer(t, { ingest: { one: fails, batch: fails } })
    const response = await send(url + one, 'application/json')
    return { response, problem: await response.json(), logged }
  }

  const full = await failing(
    new ProblemError('storage_full', 'no space is left', { retryAfterSeconds: 4.2 }),
  )
  t.equal(full.response.status, 503)
  t.equal(full.response.headers.get('retry-after'), '5')
  t.match(full.problem, { code: 'storage_full', status: 503 })
  t.same(full.logged, [])

  const broken = await failing(new Error('secret inside /var/lib'))
  t.equal(broken.response.status, 500)
  t.match(broken.problem, { code: 'internal', status: 500 })
  t.notMatch(JSON.stringify(broken.problem), 'secret')
  t.match(broken.logged, [{ err: Error, method: 'POST', path: one }], 'logged, once')
  t.equal(broken.logged.length, 1)
})

t.test('the bytes of a body that was only lent are counted', async t => {
  const metrics: [events: number, bytes: number][] = []
  const ingest = new Ingest({
    config: { eventBytesMax: 1_000, pendingBytesMax: 1_000, ingestThreads: 1 },
    store: {
      checkRoom: () => {},
      append: async () => {},
      appendWith: async () => {},
      appendBatches: async () => {},
      receipts: new Receipts({ countMax: 0, ageMsMax: 0, now: () => 1 }),
    },
    tokens: { noteUse: () => {} },
    metrics: {
      noteAccepted: (...counted) => metrics.push(counted),
      noteRepeated: () => {},
      noteRejected: () => {},
      noteUnreadableTimes: () => {},
    },
    now: () => 1,
  })
  t.teardown(() => ingest.close())
  const { url } = await startServer(t, { ingest: { one: (...asked) => ingest.one(...asked) } })
  t.equal((await send(url + one, 'application/json', '{"message":"m"}')).status, 200)
  t.same(metrics, [[1, 15]])
})
