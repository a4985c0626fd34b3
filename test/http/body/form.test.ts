import t, { type Test } from 'tap'
import { readParameters } from '../../../src/http/body/form.ts'
import { byGetAndPost } from '../../../src/http/resources/prometheus/form-routes.ts'
import type { FormRequest, Route } from '../../../src/http/route.ts'
import { createHttpServer } from '../../../src/http/server.ts'
import { limits } from '../../../src/limits.ts'
import { ProblemError } from '../../../src/problems.ts'
import { ingestionSecret, keyOf, standIns } from '../stand-ins.ts'

const viewer = { Authorization: `Bearer ${keyOf.viewer}` }
const formType = { 'Content-Type': 'application/x-www-form-urlencoded' }

/** A server with one operation of Prometheus' kind; keeps what reached it. */
async function startFormServer(t: Test, answer: () => void = () => undefined) {
  const { dependencies, logged } = standIns()
  const asked: FormRequest[] = []
  const handle = (request: FormRequest) => {
    asked.push(request)
    answer()
    return { status: 200, contentType: 'application/json', body: '{}' }
  }
  const path = '/api/v1/label/{name}/values'
  const about = { id: 'one', tag: 'Prometheus', summary: 'One', answers: {} } as const
  const routes: readonly Route[] = byGetAndPost({ path, about, handle })
  const server = await createHttpServer({ ...dependencies, host: '127.0.0.1', port: 0, routes })
  t.teardown(() => server.stop(0))
  const url = `http://127.0.0.1:${server.port}/api/v1/label/a.b/values`
  return { url, asked, logged }
}

t.test('parameters come from the form first, then from the query string', async t => {
  const reads = (query: string, form: string | undefined, expected: [string, string][]) => {
    const bytes = form === undefined ? undefined : Buffer.from(form)
    t.same([...readParameters(query, bytes)], expected, `${query} and ${form}`)
  }

  reads('', undefined, [])
  reads('', '', [])
  reads('a=1', undefined, [['a', '1']])
  reads('a=1', '', [['a', '1']])
  reads('', 'a=2', [['a', '2']])
  reads('a=1&b', 'a=2', [
    ['a', '2'],
    ['a', '1'],
    ['b', ''],
  ])
  reads('match[]=x&match%5B%5D=y', undefined, [
    ['match[]', 'x'],
    ['match[]', 'y'],
  ])
  reads('', 'q=a+b%2Bc%C3%A9%e', [['q', 'a b+cé%e']])
})

t.test('a form that is not UTF-8 is refused', async t => {
  t.throws(() => readParameters('', Buffer.from([0x61, 0xff])), { code: 'utf8_invalid' })
})

t.test('GET and POST bring their parameters, and what stands in the path', async t => {
  const { url, asked } = await startFormServer(t)
  const brings = async (init: RequestInit & { query?: string }, expected: [string, string][]) => {
    const response = await fetch(`${url}${init.query ?? ''}`, {
      ...init,
      headers: { ...viewer, ...init.headers },
    })
    t.equal(response.status, 200)
    const request = asked.pop()
    t.same([...(request?.parameters ?? [])], expected)
    t.equal(request?.pathParameter('name'), 'a.b')
    t.equal(request?.signal().aborted, false)
  }

  await brings({ query: '?start=1&end=2' }, [
    ['start', '1'],
    ['end', '2'],
  ])
  await brings({ method: 'POST', headers: formType, body: 'start=1' }, [['start', '1']])
  await brings({ method: 'POST', query: '?a=1', body: new URLSearchParams({ a: '2' }) }, [
    ['a', '2'],
    ['a', '1'],
  ])
  await brings({ method: 'POST', query: '?a=1' }, [['a', '1']])
})

t.test('the headers that say what answer is wanted reach the handler', async t => {
  const { url, asked } = await startFormServer(t)
  const headers = { ...viewer, Accept: 'text/csv', 'Accept-Encoding': 'gzip', 'Last-Event-ID': '7' }
  await fetch(url, { headers })
  t.same(asked.pop()?.headers, {
    accept: 'text/csv',
    acceptEncoding: 'gzip',
    lastEventId: '7',
    ifNoneMatch: '',
    ifMatch: '',
    lokiEncodingFlags: '',
    mcpProtocolVersion: '',
    mcpMethod: '',
    mcpName: '',
  })
})

t.test('errors before and in the handler have the form of Prometheus', async t => {
  const codes: ConstructorParameters<typeof ProblemError>[] = []
  const { url } = await startFormServer(t, () => {
    const [problem] = codes
    if (problem !== undefined) throw new ProblemError(...problem)
  })
  const answers = async (init: RequestInit, status: number, errorType: string) => {
    const response = await fetch(url, { ...init, headers: { ...viewer, ...init.headers } })
    const what = `${init.method ?? 'GET'} ${JSON.stringify(init.headers ?? {})} ${codes[0]?.[0]}`
    t.equal(response.status, status, what)
    t.equal(response.headers.get('content-type'), 'application/json')
    const body = (await response.json()) as { error: string }
    t.match(body, { status: 'error', errorType, error: String })
    t.same(Object.keys(body), ['status', 'errorType', 'error'])
    return { headers: response.headers, error: body.error }
  }

  const missing = await answers({ headers: { Authorization: '' } }, 401, 'bad_data')
  t.match(missing.headers.get('www-authenticate'), /^Bearer/)
  await answers({ headers: { Authorization: `Bearer ${ingestionSecret}` } }, 403, 'bad_data')
  const other = await answers({ method: 'PUT' }, 405, 'bad_data')
  t.equal(other.headers.get('allow'), 'GET, HEAD, POST, OPTIONS')
  await answers({ method: 'POST', body: '{}' }, 415, 'bad_data')
  const body = 'a'.repeat(limits.formBodyBytesMax + 1)
  await answers({ method: 'POST', headers: formType, body }, 413, 'bad_data')

  const position = { line: 2, column: 3, offset: 9 }
  codes[0] = ['query_syntax', 'expected "}"', { position }]
  t.equal((await answers({}, 400, 'bad_data')).error, '2:3: expected "}"')
  codes[0] = ['query_too_large', 'too many groups']
  await answers({}, 422, 'execution')
  codes[0] = ['query_timeout', 'after 5 ms']
  await answers({}, 503, 'timeout')
  codes[0] = ['queries_overloaded', 'wait', { retryAfterSeconds: 1 }]
  t.equal((await answers({}, 503, 'unavailable')).headers.get('retry-after'), '1')
  codes[0] = ['internal', 'hidden']
  await answers({}, 500, 'internal')
})

t.test('an unforeseen error says nothing of the inside', async t => {
  const { url, logged } = await startFormServer(t, () => {
    throw new Error('secret')
  })
  const response = await fetch(url, { headers: viewer })
  t.equal(response.status, 500)
  const text = await response.text()
  t.notMatch(text, /secret/)
  t.match(JSON.parse(text), { status: 'error', errorType: 'internal' })
  t.equal(logged.length, 1)
})
