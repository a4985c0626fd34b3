import t from 'tap'
import { problemReply } from '../../../src/http/reply/reply.ts'
import { type ProblemCode, ProblemError, problems } from '../../../src/problems.ts'
import { keyOf, standIns, startServer } from '../stand-ins.ts'

t.test('a problem becomes a problem document with all that is known', async t => {
  const position = { line: 1, column: 4, offset: 3 }
  const error = new ProblemError('query_syntax', 'expected "}"', {
    field: 'query',
    position,
    members: { expected: ['"}"'], found: 'x' },
    cause: new Error('inside'),
  })
  const reply = problemReply(error)
  t.equal(reply.status, 400)
  t.equal(reply.contentType, 'application/problem+json')
  t.same(JSON.parse(String(reply.body)), {
    type: '/problems/query_syntax',
    title: problems.query_syntax.title,
    status: 400,
    detail: 'expected "}"',
    code: 'query_syntax',
    field: 'query',
    position,
    expected: ['"}"'],
    found: 'x',
  })
})

t.test('members of its own cannot displace what every problem has', async t => {
  const members = { status: 200, code: 'fine', type: 'x' }
  const reply = problemReply(new ProblemError('internal', 'no', { members }))
  t.match(JSON.parse(String(reply.body)), { status: 500, code: 'internal' })
})

t.test('every code has its status, and each 401 a challenge', async t => {
  for (const code of Object.keys(problems) as ProblemCode[]) {
    const reply = problemReply(new ProblemError(code, 'why'))
    t.equal(reply.status, problems[code].status, code)
    const names = (reply.headers ?? []).map(([name]) => name)
    // On another page than it may be on, no credential helps.
    const isOfPage = ['cross_site', 'origin_not_allowed'].includes(code)
    const isChallenged = [401, 403].includes(reply.status) && !isOfPage
    t.equal(names.includes('WWW-Authenticate'), isChallenged, code)
  }
})

t.test('a large answer arrives whole, also when its client reads slowly', async t => {
  const text = 'µ'.repeat(12_000_000)
  const metrics = { ...standIns().dependencies.metrics, text: async () => text }
  const server = await startServer(t, { metrics })
  const response = await fetch(`${server.url}/metrics`)
  await new Promise(resolve => setImmediate(resolve))
  t.equal(server.underWayCount, 1, 'under way until all was taken')
  t.equal(response.headers.get('content-length'), String(2 * text.length))
  t.ok((await response.text()) === text)
  t.equal(server.underWayCount, 0)
  t.equal((await fetch(`${server.url}/health`)).status, 200, 'the connection goes on')
})

t.test('a client that leaves in the middle of a large answer leaves nothing behind', async t => {
  const text = async () => 'x'.repeat(20_000_000)
  const metrics = { ...standIns().dependencies.metrics, text }
  const server = await startServer(t, { metrics })
  const leaving = new AbortController()
  await fetch(`${server.url}/metrics`, { signal: leaving.signal })
  t.equal(server.underWayCount, 1)
  leaving.abort()
  while (server.underWayCount > 0) {
    await new Promise(resolve => setImmediate(resolve))
  }
  t.match([...server.answers()], [{ path: '/metrics', status: 499, count: 1 }])
})

t.test('what was answered is counted by operation and status', async t => {
  const server = await startServer(t)
  const headers = { Authorization: keyOf.viewer }
  await fetch(`${server.url}/health`)
  await fetch(`${server.url}/health`)
  await fetch(`${server.url}/health`, { method: 'HEAD' })
  await fetch(`${server.url}/nothing`)
  await fetch(`${server.url}/api/v1/dashboards/some`, { headers })
  t.same(
    [...server.answers()],
    [
      { method: 'GET', path: '/health', status: 200, count: 2 },
      { method: 'HEAD', path: '/health', status: 200, count: 1 },
      { method: '*', path: '*', status: 404, count: 1 },
      { method: 'GET', path: '/api/v1/dashboards/{id}', status: 404, count: 1 },
    ],
  )
})
