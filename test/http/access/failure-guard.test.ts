import { once } from 'node:events'
import { request } from 'node:http'
import t from 'tap'
import { AuthFailures } from '../../../src/http/access/auth-failures.ts'
import { ProblemError } from '../../../src/problems.ts'
import { catalog, config, ingestionSecret, keyOf, standIns, startServer } from '../stand-ins.ts'

type Headers = Record<string, string>

/** A server that allows two wrong credentials a minute, and what it counts of them. */
async function startStrict(
  t: Parameters<typeof startServer>[0],
  trustedProxies?: readonly string[],
) {
  const clock = { now: 0 }
  const now = () => clock.now
  const authFailures = new AuthFailures({ failuresMax: 2, windowMs: 60_000, addressesMax: 9, now })
  const counted: boolean[] = []
  const metrics = {
    ...standIns().dependencies.metrics,
    noteWrongCredential: (isRefused: boolean) => counted.push(isRefused),
  }
  const create: typeof catalog.sessions.create = async key => {
    if (key === keyOf.viewer) return catalog.sessions.create(key)
    throw new ProblemError('credential_invalid', 'this is not a live API key', { field: 'key' })
  }
  const { url, logged } = await startServer(t, {
    authFailures,
    metrics,
    catalog: { ...catalog, sessions: { ...catalog.sessions, create } },
    config: { ...config, trustedProxies },
  })
  const ask = async (method: string, path: string, headers: Headers, body?: unknown) => {
    const response = await fetch(url + path, {
      method,
      headers: { 'Content-Type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    const code = response.status >= 400 ? JSON.parse(text).code : undefined
    return { status: response.status, code, retryAfter: response.headers.get('retry-after') }
  }
  const bearer = (secret: string) => ({ Authorization: `Bearer ${secret}` })
  const query = (secret: string, more: Headers = {}) =>
    ask('GET', '/api/v1/dashboards', { ...bearer(secret), ...more })
  const send = (secret: string) =>
    ask('POST', '/api/v1/webhook/event/log', bearer(secret), { a: 1 })
  const signIn = (key: string) => ask('POST', '/api/v1/session', {}, { key })
  return { url, clock, counted, logged, ask, query, send, signIn }
}

const tooMany = { status: 429, code: 'credential_failures_too_many' }

t.test('beyond the bound wrong credentials of all kinds are refused, good ones let in', async t => {
  const { clock, counted, logged, query, send, signIn } = await startStrict(t)
  t.match(await query('wrong'), { status: 401, code: 'credential_invalid', retryAfter: null })
  t.match(await send('wrong'), { status: 401, code: 'credential_invalid' })
  t.same(logged, [])
  t.match(await query('wrong'), { ...tooMany, retryAfter: '60' })
  t.match(await send('wrong'), tooMany)
  t.match(await signIn('wrong'), tooMany)
  t.equal((await query(keyOf.viewer)).status, 200)
  t.equal((await send(ingestionSecret)).status, 200)
  t.equal((await signIn(keyOf.viewer)).status, 200)
  t.same(counted, [false, false, true, true, true])
  t.same(logged, [{ address: '127.0.0.1' }], 'told once')

  clock.now = 59_001
  t.match(await query('wrong'), { ...tooMany, retryAfter: '1' })
  clock.now = 60_000
  t.match(await query('wrong'), { status: 401 }, 'the window is over')
})

t.test('a wrong key to sign in with counts as any other', async t => {
  const { signIn, query } = await startStrict(t)
  t.match(await signIn('wrong'), { status: 401, code: 'credential_invalid' })
  t.match(await signIn('wrong'), { status: 401 })
  t.match(await signIn('wrong'), tooMany)
  t.match(await query('wrong'), tooMany)
})

t.test('what is no guess is not counted', async t => {
  const { url, ask, query, counted } = await startStrict(t)
  for (let i = 0; i < 5; i++) {
    t.match(await ask('GET', '/api/v1/dashboards', {}), { code: 'credential_missing' })
    const Cookie = `logstrata_session_${new URL(url).port}=over`
    t.match(await ask('GET', '/api/v1/dashboards', { Cookie }), { code: 'credential_invalid' })
    t.match(await query(ingestionSecret), { code: 'role_insufficient' })
  }
  t.same(counted, [])
})

t.test('X-Forwarded-For is ignored, unless the proxy is trusted', async t => {
  const guess = (n: number) => ({ 'X-Forwarded-For': `192.0.2.${n}` })
  const open = await startStrict(t)
  for (const n of [1, 2]) t.equal((await open.query('wrong', guess(n))).status, 401)
  t.match(await open.query('wrong', guess(3)), tooMany, 'as many names as one likes')

  const behind = await startStrict(t, ['127.0.0.0/8'])
  for (const n of [1, 1]) t.equal((await behind.query('wrong', guess(n))).status, 401)
  t.match(await behind.query('wrong', guess(1)), tooMany)
  t.equal((await behind.query('wrong', guess(2))).status, 401, 'another client')
  const spoofed = { 'X-Forwarded-For': '203.0.113.5, 192.0.2.1' }
  t.match(
    await behind.query('wrong', spoofed),
    tooMany,
    'what a client wrote itself is not believed',
  )
  t.same(behind.logged, [{ address: '192.0.2.1' }])
})

t.test('of several such headers the last one is the proxy’s', async t => {
  const { url, logged } = await startStrict(t, ['127.0.0.1'])
  for (let i = 0; i < 3; i++) {
    const sent = request(`${url}/api/v1/dashboards`, {
      headers: { authorization: 'wrong', 'x-forwarded-for': [`203.0.113.${i}`, '192.0.2.1'] },
    })
    const [response] = await once(sent.end(), 'response')
    response.resume()
  }
  t.same(logged, [{ address: '192.0.2.1' }])
})
