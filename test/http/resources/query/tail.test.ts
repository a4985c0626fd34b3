import t, { type Test } from 'tap'
import { ProblemError } from '../../../../src/problems.ts'
import type { Tail, TailRequest } from '../../../../src/store/store.ts'
import { until } from '../../raw-client.ts'
import { keyOf, startServer } from '../../stand-ins.ts'

const record = '{"id":"1.1","timestamp":1,"log_level":"info","message":"","attributes":{}}'

const path = '/api/v1/query/logs/tail'

/** A server whose tails give one text and then wait. */
async function start(t: Test, refusal?: ProblemError) {
  const asked: TailRequest[] = []
  const seen = { closedCount: 0 }
  const tail = async (request: TailRequest): Promise<Tail> => {
    if (refusal !== undefined) throw refusal
    asked.push(request)
    const texts = [Buffer.from(`event: record\nid: 1.1\ndata: ${record}\n\n`)]
    let wake = () => {}
    return {
      position: '~2',
      async next(waitMs) {
        const text = texts.shift()
        if (text !== undefined) return { kind: 'records', text }
        if (waitMs > 0) await new Promise<void>(resolve => (wake = resolve))
        return undefined
      },
      close() {
        seen.closedCount++
        wake()
      },
    }
  }
  const server = await startServer(t, { store: { tail } })
  const call = (parameters: string, headers: Record<string, string> = {}, method = 'GET') =>
    fetch(`${server.url}${path}?${parameters}`, {
      method,
      headers: { authorization: `Bearer ${keyOf.viewer}`, ...headers },
    })
  return { server, asked, seen, call }
}

t.test('a tail is an event stream that begins at once', async t => {
  const { call, seen } = await start(t)
  const answer = await call('query=logs')
  t.equal(answer.status, 200)
  t.equal(answer.headers.get('content-type'), 'text/event-stream')
  t.equal(answer.headers.get('cache-control'), 'no-store')
  t.equal(answer.headers.get('x-accel-buffering'), 'no')
  let received = ''
  for await (const chunk of answer.body!) {
    received += Buffer.from(chunk).toString()
    if (received.endsWith('~2\n\n')) break
  }
  t.equal(received, `retry: 1000\n\nevent: record\nid: 1.1\ndata: ${record}\n\n:\nid: ~2\n\n`)
  await until(() => seen.closedCount > 0)
})

t.test('a tail begins with the last ten, with so many, or behind an id', async t => {
  const { call, asked } = await start(t)
  const asks = async (parameters: string, start: TailRequest['start'], lastEventId?: string) => {
    const headers = lastEventId === undefined ? {} : { 'last-event-id': lastEventId }
    const answer = await call(parameters, headers as Record<string, string>)
    await answer.body!.cancel()
    t.same(asked.pop()?.start, start, parameters)
  }
  await asks('query=logs', { last: 10 })
  await asks('query=logs&last=0', { last: 0 })
  await asks('query=logs&last=1000', { last: 1_000 })
  await asks('query=logs&last=5', { after: '1.1' }, '1.1')
  await asks('query=logs&lastEventId=1.1', { after: '1.1' })
  await asks('query=logs&lastEventId=1.1', { after: '2.2' }, '2.2')
  await asks('query=logs&lastEventId=', { last: 10 })
})

t.test('variables of the query are parameters', async t => {
  const { call, asked } = await start(t)
  const query = encodeURIComponent('logs{a="$x"} |= "$y"')
  await (await call(`query=${query}&var.x=1&var.y=2&var.__proto__=3`)).body!.cancel()
  t.match(asked[0]!.selector, { matchers: [{ value: '1' }], filters: [{ text: '2' }] })
})

t.test('what cannot be tailed is refused, with the parameter at fault', async t => {
  const { call, asked } = await start(t)
  const refuses = async (parameters: string, code: string, field: string) => {
    const answer = await call(parameters)
    t.equal(answer.status, 400, parameters)
    t.match(await answer.json(), { code, field }, parameters)
  }
  await refuses('', 'field_invalid', 'query')
  await refuses('last=1', 'field_invalid', 'query')
  await refuses('query=', 'query_syntax', 'query')
  await refuses('query=count(logs)', 'query_syntax', 'query')
  await refuses('query=logs{', 'query_syntax', 'query')
  for (const last of ['-1', '1001', 'x', '', '1.5', '1e2', '0x1', ' 1', '9'.repeat(400)]) {
    await refuses(`query=logs&last=${encodeURIComponent(last)}`, 'field_invalid', 'last')
  }
  t.equal(asked.length, 0)
})

t.test('a tail that the store refuses is answered as a problem', async t => {
  const problem = new ProblemError('tails_too_many', 'no room', { retryAfterSeconds: 5 })
  const { call } = await start(t, problem)
  const answer = await call('query=logs')
  t.equal(answer.status, 503)
  t.equal(answer.headers.get('retry-after'), '5')
  t.match(await answer.json(), { code: 'tails_too_many' })
})

t.test('HEAD opens no tail that stays', async t => {
  const { call, seen, asked } = await start(t)
  const answer = await call('query=logs', {}, 'HEAD')
  t.equal(answer.status, 200)
  t.equal(answer.headers.get('content-type'), 'text/event-stream')
  await until(() => seen.closedCount === asked.length)
})

t.test('a tail ends cleanly and at once when the service stops', async t => {
  const { server, call } = await start(t)
  const answer = await call('query=logs')
  const stopped = server.stop(60_000)
  t.match(await answer.text(), /^retry: /)
  t.equal(await stopped, true)
})
