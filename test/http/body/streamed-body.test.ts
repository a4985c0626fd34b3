/** Bodies that are taken as they come: one piece at a time, for as long as something comes. */
import t from 'tap'
import { StreamedBodies } from '../../../src/http/body/streamed-bodies.ts'
import { StreamedBody } from '../../../src/http/body/streamed-body.ts'
import { limits } from '../../../src/limits.ts'

/** A response whose client sends what the test says. */
function fakeResponse() {
  let handler: (chunk: ArrayBuffer, isLast: boolean) => void = () => {}
  const calls: string[] = []
  return {
    calls,
    onData(given: typeof handler) {
      handler = given
    },
    pause() {
      calls.push('pause')
    },
    resume() {
      calls.push('resume')
    },
    send(text: string, isLast = false) {
      const bytes = new Uint8Array(Buffer.from(text))
      handler(bytes.buffer, isLast)
      bytes.fill(0) // As uWebSockets may.
    },
  }
}

t.test('no more is read before the next piece is asked for', async t => {
  const response = fakeResponse()
  const body = new StreamedBody(response, new StreamedBodies().enter().claim)
  t.teardown(() => body.fail(new Error('over')))
  const first = body.next()
  response.send('one')
  t.equal(String((await first).value), 'one')
  t.same(response.calls, ['pause'])
  response.send('two,') // Of the same read of the socket.
  response.send('three')
  t.equal(String((await body.next()).value), 'two,three')
  t.same(response.calls, ['pause'], 'what has come is worked on first')
  const last = body.next()
  t.same(response.calls, ['pause', 'resume'])
  response.send('four', true)
  t.equal(String((await last).value), 'four')
  t.same(await body.next(), { done: true, value: undefined })
  t.ok(body.isWhole)
})

t.test(
  'the end may come while reading is held up: the connection goes on when all is dealt with',
  async t => {
    const response = fakeResponse()
    const body = new StreamedBody(response, new StreamedBodies().enter().claim)
    response.send('one')
    response.send('two', true)
    t.equal(String((await body.next()).value), 'onetwo')
    t.same(response.calls, ['pause'], 'the idle timeout does not begin')
    body.end()
    body.end()
    t.same(response.calls, ['pause', 'resume'])
    const gone = fakeResponse()
    const cut = new StreamedBody(gone, new StreamedBodies().enter().claim)
    gone.send('one')
    cut.fail(new Error('gone'))
    cut.end()
    t.same(gone.calls, ['pause'], 'not touched any more')
  },
)

t.test('a body of which nothing comes is given up in time', async t => {
  t.ok(limits.streamedBodyIdleMs > 60_000, 'a quiet machine says something within this time')
  const response = fakeResponse()
  const body = new StreamedBody(response, new StreamedBodies().enter().claim, 20)
  response.send('one')
  await body.next()
  await t.rejects(body.next(), { code: 'body_idle' })
  t.throws(() => body.requireLife(), { code: 'body_idle' })
  response.send('more')
  await t.rejects(body.next(), { code: 'body_idle' })
})

t.test(
  'what ends a body ends whoever waits for it, and the response is not touched any more',
  async t => {
    const response = fakeResponse()
    const body = new StreamedBody(response, new StreamedBodies().enter().claim)
    const next = body.next()
    body.fail(new Error('gone'))
    await t.rejects(next, { message: 'gone' })
    await t.rejects(body.next(), { message: 'gone' })
    t.same(response.calls, [])
  },
)

t.test('so many bodies are taken as they come, and not one more', async t => {
  const bodies = new StreamedBodies()
  const places = Array.from({ length: limits.streamedBodiesMax }, () => bodies.enter())
  t.throws(() => bodies.enter(), { code: 'ingest_overloaded' })
  places[0]!.end()
  bodies.enter()
})

t.test('what bodies hold together has a bound', async t => {
  const bodies = new StreamedBodies()
  const held = bodies.enter()
  const response = fakeResponse()
  const place = bodies.enter()
  const body = new StreamedBody(response, place.claim)
  response.send('one')
  await body.next()
  response.send('two')
  t.equal(place.claim.bytes, 6)
  await body.next()
  t.equal(place.claim.bytes, 3, 'the first is dealt with')
  held.claim.resize(limits.streamedBodiesHoldBytesMax / 8)
  const others = Array.from({ length: 7 }, () => bodies.enter())
  for (const { claim } of others.slice(1)) claim.resize(limits.streamedBodiesHoldBytesMax / 8)
  others[0]!.claim.resize(limits.streamedBodiesHoldBytesMax / 8 - 6)
  response.send('yes')
  await body.next()
  response.send('nope')
  await t.rejects(body.next(), { code: 'ingest_overloaded' })
})
