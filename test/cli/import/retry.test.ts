import { Readable } from 'node:stream'
import t from 'tap'
import { runImport } from '../../../src/cli/import/import.ts'
import { type Answering, fakeService, reply } from '../fake-service.ts'
import { type FakeTerminal, fakeTerminal, pipe } from '../fake-terminal.ts'

type Test = Parameters<typeof fakeService>[0]

/** Imports `text` through a service that answers as `answering` says. */
async function run(t: Test, text: string, answering: Answering, given?: FakeTerminal) {
  const service = await fakeService(t, answering)
  const terminal = given ?? fakeTerminal({ stdin: pipe(text) })
  const argv = ['--json', '--url', service.url, '--token', 'a-token', '--batch-bytes', '1KiB', '-']
  const code = await runImport(argv, terminal)
  const summary = JSON.parse(terminal.printed())
  return { code, summary, service, pauses: terminal.pauses, complained: terminal.complained() }
}

const problem = (code: string) => ({ status: 0, code, title: 'No', detail: `because ${code}` })
const lines = (count: number) =>
  Array.from({ length: count }, (_, n) => `{"n":${n},"pad":"${'x'.repeat(500)}"}\n`).join('')

t.test('a busy service is waited for as it asks, or ever longer', async t => {
  const { code, summary, pauses, service } = await run(t, lines(1), (_, response, attempt) => {
    if (attempt === 1) return reply(response, 503, problem('stopping'), { 'retry-after': '7' })
    if (attempt === 2) return reply(response, 429, problem('ingest_overloaded'))
    if (attempt === 3) return reply(response, 502, 'a proxy')
    if (attempt === 4) return reply(response, 503, {}, { 'retry-after': '86400' })
    return false
  })
  t.match({ code, ...summary }, { code: 0, accepted: 1, rejected: 0 })
  t.same(pauses, [7000, 500, 1000, 30_000])
  t.equal(service.received.length, 5)
})

t.test('a service that stays busy ends the import with its reason', async t => {
  const { code, summary, pauses, complained } = await run(t, lines(4), (_, response, attempt) =>
    attempt === 1 ? false : reply(response, 429, problem('ingest_overloaded')),
  )
  t.equal(code, 1)
  t.match(summary, { ended: 'failed', accepted: 1, stoppedAt: { line: 1 } })
  t.match(complained, /too busy.*because ingest_overloaded/)
  t.equal(pauses.length, 11)
})

t.test('a connection that breaks is tried again', async t => {
  const { code, summary, pauses } = await run(t, lines(2), (_, response, attempt) => {
    if (attempt === 2) response.destroy()
    return attempt === 2
  })
  t.match({ code, ...summary }, { code: 0, accepted: 2 })
  t.same(pauses, [250])
})

t.test('a service that is not there is named, with what to do', async t => {
  const { code: nobodyThere, complained } = await run(t, 'line\n', (_, response) => {
    response.destroy()
    return true
  })
  t.equal(nobodyThere, 1)
  t.match(
    complained,
    /no answer from http:\/\/127\.0\.0\.1:\d+ after 6 attempts \(UND_ERR_SOCKET|ECONNRESET/,
  )

  // 65535 is the last port there is, and hardly ever taken.
  const terminal = fakeTerminal({ stdin: pipe('line\n') })
  const code = await runImport(['--url', 'http://127.0.0.1:65535', '--token', 'x'], terminal)
  t.equal(code, 1)
  t.match(terminal.complained(), /after 6 attempts \(ECONNREFUSED\).*npm start.*--url/)
  t.match(terminal.printed(), /nothing of standard input was acknowledged/)
  t.same(terminal.pauses, [250, 500, 1000, 2000, 4000])
})

t.test('a refusal of a whole request stops the import and shows why', async t => {
  const stops = async (status: number, body: unknown, complaint: RegExp) => {
    const result = await run(t, lines(3), (_, response, attempt) =>
      attempt === 2 ? reply(response, status, body) : false,
    )
    t.match(result, {
      code: 1,
      summary: { ended: 'failed', accepted: 1, stoppedAt: { file: 'standard input', line: 1 } },
      complained: complaint,
      pauses: [],
    })
    t.equal(result.service.received.length, 2)
  }

  await stops(401, problem('credential_invalid'), /because credential_invalid.*\n *curl -X POST/)
  await stops(403, problem('role_insufficient'), /curl -X POST/)
  await stops(404, problem('path_unknown'), /404 path_unknown: because path_unknown.*right address/)
  await stops(400, problem('field_invalid'), /400 field_invalid: because field_invalid/)
  await stops(500, problem('internal'), /500 internal/)
  await stops(301, 'moved', /301/)
  await stops(200, { hello: 'world' }, /not an answer of this service/)
})

t.test('a refusal ends the wait for a pipe that stays open', async t => {
  const stdin = new Readable({ read() {} })
  stdin.push('line\n')
  const { code, complained } = await run(
    t,
    '',
    (_, response) => reply(response, 401, problem('credential_invalid')),
    fakeTerminal({ stdin }),
  )
  t.equal(code, 1)
  t.match(complained, /credential_invalid/)
})

t.test('a body that is too large for the service is sent in halves', async t => {
  const text = [1, 2, 3, 4, 5].map(n => `{"n":${n}}\n`).join('')
  const { code, summary, service } = await run(t, text, ({ lines }, response) => {
    const isTooLarge = lines.length > 2 || lines.includes('{"n":4}')
    return isTooLarge && reply(response, 413, problem('body_too_large'))
  })
  t.equal(code, 1)
  t.match(summary, { accepted: 4, rejected: 1, ended: 'done' })
  t.match(summary.rejections, [{ line: 4, code: 'body_too_large' }])
  t.same(
    service.received.map(({ lines }) => lines.length),
    [5, 2, 3, 1, 2, 1, 1],
  )
})

t.test('a batch of nothing but mistakes does not end the import', async t => {
  const { code, summary } = await run(t, lines(3), (_, response, attempt) =>
    attempt === 2 ? reply(response, 400, problem('events_unreadable')) : false,
  )
  t.equal(code, 1)
  t.match(summary, { accepted: 2, rejected: 1, rejections: [{ line: 2 }], ended: 'done' })

  const both = await run(t, '{"n":1}\n{"n":2}\n', (_, response) =>
    reply(response, 400, problem('events_unreadable')),
  )
  t.match(both.summary, { rejected: 2, rejections: [{ line: 1, code: 'events_unreadable' }] })

  const placed = await run(t, '{"n":1}\n{"n":2}\n', (_, response) =>
    reply(response, 400, { ...problem('events_unreadable'), position: { line: 2 } }),
  )
  t.match(placed.summary, { rejected: 2, rejections: [{ line: 2, code: 'events_unreadable' }] })
})

t.test('an interrupt finishes the request under way and says how far it came', async t => {
  const terminal = fakeTerminal({ stdin: pipe(lines(4)) })
  const { code, summary, service } = await run(
    t,
    '',
    (_, __, attempt) => {
      if (attempt === 2) terminal.interrupt.abort()
      return false
    },
    terminal,
  )
  t.equal(code, 130)
  t.match(summary, { ended: 'interrupted', accepted: 2, stoppedAt: { line: 2 } })
  t.equal(service.received.length, 2)
})

t.test('an interrupt ends the wait for input, and for a busy service', async t => {
  const stdin = new Readable({ read() {} })
  const waiting = fakeTerminal({ stdin })
  stdin.push('{"n":1}\n')
  const ofInput = await run(
    t,
    '',
    () => {
      waiting.interrupt.abort()
      return false
    },
    waiting,
  )
  t.match(ofInput, { code: 130, summary: { accepted: 1, stoppedAt: { line: 1 } } })

  const busy = fakeTerminal({ stdin: pipe('{"n":1}\n') })
  const ofService = await run(
    t,
    '',
    (_, response) => {
      busy.interrupt.abort()
      return reply(response, 503, problem('stopping'))
    },
    busy,
  )
  t.match(ofService, { code: 130, summary: { accepted: 0, stoppedAt: { line: 0 } }, pauses: [] })
})
