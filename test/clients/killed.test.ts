/**
 * What senders of other protocols were told is stored is there after the service was killed, and counted once:
 * each request is sent once, and those that were under way may be there or not. All runs (`npm run test:long`)
 * kill it 25 times.
 */
import t, { type Test } from 'tap'
import { pushRequest, snappyOf } from '../ingest/formats/loki-messages.ts'
import { requestOf, text, toJson, toProtobuf } from '../ingest/otlp/messages.ts'
import { isLong } from '../long-runs.ts'
import { type ServiceProcess, startServiceOf } from '../service/service-process.ts'

interface Sending {
  readonly path: string
  readonly type: string
  readonly bodyOf: (name: string) => string | Uint8Array
}

function otlpOf(name: string, encode: typeof toJson): Buffer {
  return encode(requestOf([{ body: text('x') }, { body: text(name) }]))
}

/** Each a request of two events, the second of which is named. */
const senders: Readonly<Record<string, Sending>> = {
  hec: {
    path: '/services/collector',
    type: 'text/plain',
    bodyOf: name => `{"event":"x"}{"event":"${name}"}`,
  },
  raw: { path: '/services/collector/raw', type: 'text/plain', bodyOf: name => `x\n${name}` },
  bulk: {
    path: '/elastic/_bulk',
    type: 'application/x-ndjson',
    bodyOf: name => `{"create":{}}\n{"message":"x"}\n{"index":{}}\n{"message":"${name}"}\n`,
  },
  loki: {
    path: '/loki/api/v1/push',
    type: 'application/json',
    bodyOf: name => `{"streams":[{"stream":{},"values":[["0","x"],["0","${name}"]]}]}`,
  },
  protobuf: {
    path: '/loki/api/v1/push',
    type: 'application/x-protobuf',
    bodyOf: name => {
      const entries = ['x', name].map(line => ({ time: 0n, line }))
      return snappyOf(pushRequest([{ labels: '{}', entries }]))
    },
  },
  datadog: {
    path: '/api/v2/logs',
    type: 'application/json',
    bodyOf: name => `[{"message":"x"},{"message":"${name}"}]`,
  },
  otlp: {
    path: '/v1/logs',
    type: 'application/json',
    bodyOf: name => otlpOf(name, toJson),
  },
  'otlp protobuf': {
    path: '/otlp/v1/logs',
    type: 'application/x-protobuf',
    bodyOf: name => otlpOf(name, toProtobuf),
  },
  journald: {
    path: '/upload',
    type: 'application/vnd.fdo.journal',
    bodyOf: name => `MESSAGE=x\n\nMESSAGE=${name}\n\n`,
  },
  gelf: {
    path: '/gelf',
    type: 'application/json',
    bodyOf: name => `{"short_message":"x"}\n{"short_message":"${name}"}`,
  },
}

/** Acknowledged requests of each sender before the service is killed. */
const sentMin = 20

/** Sends one request after the other until the service is gone; returns the names that were acknowledged. */
async function sendUntilKilled(
  service: ServiceProcess,
  { token, prefix, sending }: { token: string; prefix: string; sending: Sending },
  onSent: () => void,
): Promise<string[]> {
  const stored: string[] = []
  for (let i = 0; ; i++) {
    const name = `${prefix}-${i}`
    const options = { token, body: sending.bodyOf(name), headers: { 'content-type': sending.type } }
    const answer = await service.call('POST', sending.path, options).catch(() => undefined)
    if (answer === undefined) return stored
    t.ok(answer.status < 300, `${name}: ${answer.status}`)
    stored.push(name)
    onSent()
  }
}

/** Each time in the directory of the time before, with what it left. */
const times = isLong ? 25 : 1

t.test('kill -9 loses nothing that any protocol acknowledged, and makes nothing two', async t => {
  const directory = t.testdir()
  for (let time = 0; time < times; time++) await killOnce(t, directory, `killed-${time}`)
})

async function killOnce(t: Test, directory: string, name: string): Promise<void> {
  const service = await startServiceOf(t, directory)
  const token = await service.makeToken(name)
  const enough = Promise.withResolvers<void>()
  const waiting = new Map(Object.keys(senders).map(name => [name, sentMin]))
  const all = Object.entries(senders).map(([prefix, sending]) =>
    sendUntilKilled(service, { token, prefix, sending }, () => {
      waiting.set(prefix, waiting.get(prefix)! - 1)
      if ([...waiting.values()].every(left => left <= 0)) enough.resolve()
    }),
  )
  await enough.promise
  await service.end('SIGKILL')
  const stored = (await Promise.all(all)).flat()

  const again = await startServiceOf(t, directory)
  const found = new Map<string, number>()
  let cursor: string | undefined
  do {
    const more = { limit: 1_000, ...(cursor !== undefined && { cursor }) }
    const { body } = await again.query(`logs{service.name="${name}"}`, more)
    for (const { message } of body.logs) found.set(message, (found.get(message) ?? 0) + 1)
    cursor = body.nextCursor
  } while (cursor !== undefined)
  const wrong = stored.filter(name => found.get(name) !== 1)
  t.same(wrong, [], `of ${stored.length} acknowledged requests`)
  t.ok(stored.length >= sentMin * Object.keys(senders).length)
  await again.end('SIGKILL')
}
