import t from 'tap'
import type { IngestDoor } from '../../../../src/http/dependencies.ts'
import type { RetryKey } from '../../../../src/ingest/retries/retry-key.ts'
import { limits } from '../../../../src/limits.ts'
import { ProblemError } from '../../../../src/problems.ts'
import { post } from '../../call.ts'
import { ingestionSecret, startServer } from '../../stand-ins.ts'

const one = '/api/v1/webhook/event/log'
const many = '/api/v1/webhook/event/logs'
const otlp = '/v1/logs'

const send = (address: string, key: string | undefined) =>
  post(
    address,
    ingestionSecret,
    {},
    {
      headers: key === undefined ? {} : { 'Idempotency-Key': key },
    },
  )

/** A door that notes the keys. */
function noting() {
  const keys: (RetryKey | undefined)[] = []
  const ingest: Partial<IngestDoor> = {
    async one(_body, _token, { key }) {
      keys.push(key)
    },
    async batch(_body, _token, { key }) {
      keys.push(key)
      return { accepted: 1, rejected: 0, errors: [] }
    },
  }
  return { keys, ingest }
}

t.test('a key is taken in quotes and without, on each operation for events', async t => {
  const { keys, ingest } = noting()
  const { url } = await startServer(t, { ingest })
  const longest = 'k'.repeat(limits.idempotencyKeyLengthMax)
  for (const [header, text] of [
    [undefined, undefined],
    ['8e03978e-40d5-43dd-bc93-6894a57f9324', '8e03978e-40d5-43dd-bc93-6894a57f9324'],
    ['"8e03978e"', '8e03978e'],
    ['"a b, \\"c\\" \\\\"', 'a b, "c" \\'],
    ["!#$%&'()*+-./:;<=>?@[\\]^_`{|}~", "!#$%&'()*+-./:;<=>?@[\\]^_`{|}~"],
    [longest, longest],
  ] as const) {
    for (const path of [one, many, otlp]) {
      t.equal((await send(url + path, header)).status, 200, `${path} ${header}`)
      const expected = text === undefined ? undefined : { kind: 'idempotency-key', text }
      t.same(keys.pop(), expected)
    }
  }
})

t.test('a key that is none is refused by its name', async t => {
  const { keys, ingest } = noting()
  const { url } = await startServer(t, { ingest })
  const tooLong = 'k'.repeat(limits.idempotencyKeyLengthMax + 1)
  const bad = ['', '""', 'a b', 'a, b', '"a', 'a"', '"a"b', '"a";p=1', '"a", "b"', '"\\x"', 'é']
  for (const header of [...bad, tooLong, `"${tooLong}"`]) {
    for (const path of [one, many]) {
      const response = await send(url + path, header)
      t.equal(response.status, 400, header)
      t.match(await response.json(), { code: 'field_invalid', field: 'Idempotency-Key' })
    }
  }
  t.equal((await send(url + otlp, 'a b')).status, 400)
  t.same(keys, [], 'nothing was stored')
})

t.test('another request under a key is 422', async t => {
  const { url } = await startServer(t, {
    ingest: {
      async one() {
        throw new ProblemError('idempotency_key_reused', 'another one', {
          field: 'Idempotency-Key',
        })
      },
    },
  })
  const response = await send(url + one, 'a')
  t.equal(response.status, 422)
  t.match(await response.json(), { code: 'idempotency_key_reused', field: 'Idempotency-Key' })
})
