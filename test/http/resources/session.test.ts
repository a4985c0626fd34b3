import t from 'tap'
import { openTestCatalog } from '../../catalog/catalog-in.ts'
import { startServer } from '../stand-ins.ts'

type Headers = Record<string, string>

/** A server on a real catalog, and a browser's side of it. */
async function startSignedIn(t: Parameters<typeof startServer>[0]) {
  const catalog = await openTestCatalog(t, t.testdir())
  const keys = {
    viewer: await catalog.apiKeys.create({ name: 'a viewer', role: 'viewer' }),
    admin: await catalog.apiKeys.create({ name: 'an admin', role: 'admin' }),
  }
  const server = await startServer(t, { catalog })
  const { url } = server
  const json = { 'Content-Type': 'application/json' }
  const own = { ...json, Origin: url }

  const ask = async (method: string, path: string, headers: Headers, body?: unknown) => {
    const text = body === undefined ? {} : { body: JSON.stringify(body) }
    const response = await fetch(url + path, { method, headers, ...text })
    const answer = await response.text()
    const isJson = /json/.test(response.headers.get('content-type') ?? '')
    return {
      status: response.status,
      body: isJson && answer !== '' ? JSON.parse(answer) : answer,
      cookie: response.headers.get('set-cookie') ?? '',
    }
  }
  const signIn = (key: string, headers: Headers = own) =>
    ask('POST', '/api/v1/session', headers, { key })
  const cookieOf = async (key: string) => (await signIn(key)).cookie.split(';')[0]!
  return { ...server, catalog, keys, own, ask, signIn, cookieOf }
}

t.test('an API key is exchanged for a cookie that no script reads', async t => {
  const { signIn, ask, keys, port } = await startSignedIn(t)
  const { status, body, cookie } = await signIn(keys.viewer.key)
  t.equal(status, 200)
  t.match(body, { keyId: String, name: 'a viewer', role: 'viewer', expiresAt: Number })
  t.match(cookie, new RegExp(`^logstrata_session_${port}=[\\w-]{32}; Path=/; Max-Age=2592000; `))
  t.match(cookie, 'HttpOnly; SameSite=Strict')
  t.notMatch(cookie, 'Secure')
  t.notMatch(JSON.stringify(body), 'key_')

  const shown = await ask('GET', '/api/v1/session', { Cookie: cookie.split(';')[0]! })
  t.same(shown.body, body)
})

t.test('over TLS the cookie never travels without', async t => {
  const { signIn, keys, own } = await startSignedIn(t)
  const cookieBy = async (protocol: string) =>
    (await signIn(keys.viewer.key, { ...own, 'X-Forwarded-Proto': protocol })).cookie
  t.match(await cookieBy('https'), '; Secure')
  t.match(await cookieBy('https, http'), '; Secure')
  t.notMatch(await cookieBy('http'), 'Secure')
})

t.test('what is no API key does not sign in', async t => {
  const { signIn, ask, own, keys, catalog } = await startSignedIn(t)
  const token = await catalog.ingestionTokens.create({ serviceName: 'a', environment: 'b' })
  for (const key of ['key_unknown', token.token, keys.viewer.key.slice(0, -1), keys.viewer.id]) {
    const { status, body, cookie } = await signIn(key)
    t.match(
      { status, code: body.code, cookie },
      { status: 401, code: 'credential_invalid', cookie: '' },
    )
    t.notMatch(JSON.stringify(body), key, 'it does not come back')
  }
  for (const body of [{}, { key: '' }, { key: 1 }, { key: 'x'.repeat(600) }, []]) {
    t.equal((await ask('POST', '/api/v1/session', own, body)).status, 400)
  }
})

t.test('a session may what its key may', async t => {
  const { cookieOf, ask, keys, own } = await startSignedIn(t)
  const viewer = { ...own, Cookie: await cookieOf(keys.viewer.key) }
  const admin = { ...own, Cookie: await cookieOf(keys.admin.key) }
  t.equal((await ask('GET', '/api/v1/dashboards', viewer)).status, 200)
  t.equal((await ask('GET', '/api/v1/settings/api-keys', admin)).status, 200)
  const refused = await ask('GET', '/api/v1/settings/api-keys', viewer)
  t.match(
    { status: refused.status, code: refused.body.code },
    { status: 403, code: 'role_insufficient' },
  )
  t.equal(
    (await ask('POST', '/api/v1/settings/api-keys', admin, { name: 'x', role: 'viewer' })).status,
    201,
  )
})

t.test('events are not sent by a session', async t => {
  const { cookieOf, ask, keys, own, ingested } = await startSignedIn(t)
  const headers = { ...own, Cookie: await cookieOf(keys.admin.key) }
  t.equal((await ask('POST', '/api/v1/webhook/event/log', headers, { a: 1 })).status, 401)
  t.same(ingested, [])
})

t.test('a cookie that was tampered with is none of ours', async t => {
  const { cookieOf, ask, keys, port } = await startSignedIn(t)
  const cookie = await cookieOf(keys.admin.key)
  const [name, secret] = cookie.split('=') as [string, string]
  const status = async (text: string) =>
    (await ask('GET', '/api/v1/session', { Cookie: text })).status
  t.equal(await status(cookie), 200)
  t.equal(await status(`other=1; ${cookie}; more=2`), 200)
  for (const wrong of [
    `${name}=`,
    name,
    `${name}=${secret}x`,
    `${name}=${secret.slice(0, -1)}`,
    `${name}=${secret.toUpperCase()}`,
    `${name}="${secret}"`,
    `x${name}=${secret}`,
    `logstrata_session_${port + 1}=${secret}`,
    `logstrata_session=${secret}`,
    `${name}=${keys.admin.key}`,
    `${name}=${keys.admin.id}`,
  ]) {
    t.equal(await status(wrong), 401, wrong)
  }
})

t.test('a session ends with its key, and by signing out', async t => {
  const { cookieOf, ask, keys, own, catalog } = await startSignedIn(t)
  const cookie = await cookieOf(keys.viewer.key)
  const other = await cookieOf(keys.viewer.key)
  const out = await ask('DELETE', '/api/v1/session', { ...own, Cookie: cookie })
  t.equal(out.status, 204)
  t.match(out.cookie, /^logstrata_session_\d+=; Path=\/; Max-Age=0; /)
  t.equal((await ask('GET', '/api/v1/session', { Cookie: cookie })).status, 401)
  t.equal((await ask('GET', '/api/v1/session', { Cookie: other })).status, 200)
  t.equal((await ask('DELETE', '/api/v1/session', { ...own, Cookie: cookie })).status, 204, 'again')

  await catalog.apiKeys.delete(keys.viewer.id)
  const gone = await ask('GET', '/api/v1/session', { Cookie: other })
  t.match(
    { status: gone.status, code: gone.body.code },
    { status: 401, code: 'credential_invalid' },
  )
})

t.test('signing in again ends the session before', async t => {
  const { cookieOf, signIn, ask, keys, own } = await startSignedIn(t)
  const before = await cookieOf(keys.viewer.key)
  t.equal((await signIn(keys.admin.key, { ...own, Cookie: before })).status, 200)
  t.equal((await ask('GET', '/api/v1/session', { Cookie: before })).status, 401)
})

t.test('with an Authorization header the cookie does not count', async t => {
  const { cookieOf, ask, keys, own } = await startSignedIn(t)
  const Cookie = await cookieOf(keys.admin.key)
  const path = '/api/v1/settings/api-keys'
  const status = async (headers: Headers) => (await ask('GET', path, headers)).status
  t.equal(await status({ Cookie, Authorization: `Bearer ${keys.viewer.key}` }), 403)
  t.equal(await status({ Cookie, Authorization: 'Bearer nobody' }), 401)
  const foreign = { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' }
  const headers = { ...own, ...foreign, Cookie: 'x=1', Authorization: `Bearer ${keys.admin.key}` }
  t.equal((await ask('POST', path, headers, { name: 'x', role: 'viewer' })).status, 201)
})

t.test('a session does nothing for another page', async t => {
  const { cookieOf, ask, keys, url, catalog } = await startSignedIn(t)
  const Cookie = await cookieOf(keys.admin.key)
  const json = { 'Content-Type': 'application/json' }
  const path = '/api/v1/settings/api-keys'
  const body = { name: 'stolen', role: 'admin' }
  const before = catalog.apiKeys.list().length

  const refuses = async (method: string, at: string, headers: Headers, sent?: unknown) => {
    const { status, body: answer } = await ask(method, at, { Cookie, ...headers }, sent)
    const what = `${method} with ${JSON.stringify(headers)}`
    t.match({ status, code: answer.code }, { status: 403, code: 'cross_site' }, what)
  }
  const host = new URL(url).host
  for (const origin of [
    ...[
      'https://evil.example',
      'null',
      `http://${host}.evil.example`,
      `http://evil.example/${host}`,
    ],
    ...[`http://127.0.0.1:${Number(new URL(url).port) + 1}`, 'http://127.0.0.1', `ftp://${host}`],
  ]) {
    await refuses('POST', path, { ...json, Origin: origin }, body)
    await refuses('DELETE', `${path}/${keys.viewer.id}`, { ...json, Origin: origin })
  }
  await refuses('POST', path, json, body)
  for (const site of ['cross-site', 'same-site', 'none', 'nonsense']) {
    const claimed = { ...json, 'Sec-Fetch-Site': site, Origin: url }
    await refuses('POST', path, claimed, body)
    await refuses('DELETE', `${path}/${keys.viewer.id}`, claimed)
    await refuses('DELETE', '/api/v1/session', claimed)
  }
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
    await refuses('POST', path, { 'Content-Type': type, Origin: url }, body)
  }
  await refuses('DELETE', `${path}/${keys.viewer.id}`, { Origin: url })
  await refuses('GET', path, { 'Sec-Fetch-Site': 'cross-site' })
  await refuses('GET', path, { 'Sec-Fetch-Site': 'same-site' })
  t.equal(catalog.apiKeys.list().length, before, 'nothing was made or deleted')

  const accepts = async (method: string, headers: Headers, sent?: unknown) =>
    t.ok(
      (await ask(method, path, { Cookie, ...headers }, sent)).status < 300,
      JSON.stringify(headers),
    )
  await accepts('POST', { ...json, Origin: url }, body)
  await accepts('POST', { ...json, 'Sec-Fetch-Site': 'same-origin' }, body)
  await accepts('POST', { 'Content-Type': 'application/json; charset=utf-8', Origin: url }, body)
  await accepts('GET', {})
  await accepts('GET', { 'Sec-Fetch-Site': 'same-origin' })
  await accepts('GET', { 'Sec-Fetch-Site': 'none' })
})

t.test('nobody is signed in by another page', async t => {
  const { signIn, keys } = await startSignedIn(t)
  const json = { 'Content-Type': 'application/json' }
  for (const headers of [
    { Origin: 'https://evil.example' },
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'same-site' },
  ]) {
    const { status, body, cookie } = await signIn(keys.viewer.key, { ...json, ...headers })
    t.match({ status, code: body.code, cookie }, { status: 403, code: 'cross_site', cookie: '' })
  }
  t.equal((await signIn(keys.viewer.key, json)).status, 200, 'a script says nothing of the kind')
})
