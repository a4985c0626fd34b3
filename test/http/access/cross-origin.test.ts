import t from 'tap'
import { config, ingestionSecret, keyOf, startServer } from '../stand-ins.ts'

const page = 'https://shop.example'
const one = '/api/v1/webhook/event/log'
const headers = { Authorization: `Bearer ${ingestionSecret}`, 'Content-Type': 'application/json' }

/** What a browser reads of an answer before it lets the page see it. */
async function asked(url: string, method: string, origin: string, more: Record<string, string>) {
  const response = await fetch(url, {
    method,
    headers: { ...more, Origin: origin },
    ...(method === 'POST' ? { body: '{}' } : {}),
  })
  const allowed = response.headers.get('access-control-allow-origin')
  return { status: response.status, allowed, headers: response.headers }
}

const asks = {
  'Access-Control-Request-Method': 'POST',
  'Access-Control-Request-Headers': 'authorization,content-type',
}

t.test('pages that are named may send events, by every protocol', async t => {
  const { url } = await startServer(t, { config: { ...config, corsOrigins: [page] } })
  for (const path of [one, `${one}s`, '/v1/logs', '/services/collector', '/loki/api/v1/push']) {
    const preflight = await asked(url + path, 'OPTIONS', page, asks)
    t.equal(preflight.status, 200, path)
    t.equal(preflight.allowed, page, path)
    t.match(preflight.headers.get('access-control-allow-methods'), 'POST')
    t.match(preflight.headers.get('access-control-allow-headers'), /Authorization, Content-Type/)
    t.equal(preflight.headers.get('access-control-max-age'), '7200')
    t.equal(preflight.headers.get('vary'), 'Origin')
    t.equal(preflight.headers.get('access-control-allow-credentials'), null)
  }
  const answer = await asked(url + one, 'POST', page, headers)
  t.match(answer, { status: 200, allowed: page })
  t.match(answer.headers.get('access-control-expose-headers'), /Retry-After/)
  const refused = await asked(url + one, 'POST', page, { ...headers, Authorization: 'Bearer x' })
  t.match(refused, { status: 401, allowed: page }, 'a page sees why it is refused, too')
  const badType = await asked(url + one, 'POST', page, { ...headers, 'Content-Type': 'text/plain' })
  t.match(badType, { status: 415, allowed: page })
})

t.test('pages that are named may ask as assistants, and no others', async t => {
  const { url } = await startServer(t, { config: { ...config, corsOrigins: [page] } })
  const preflight = await asked(`${url}/mcp`, 'OPTIONS', page, asks)
  t.match(preflight, { status: 200, allowed: page })
  t.match(preflight.headers.get('access-control-allow-headers'), /MCP-Protocol-Version/)
  const key = { ...headers, Authorization: `Bearer ${keyOf.viewer}` }
  const mayAsk = (origin: string) => asked(`${url}/mcp`, 'POST', origin, key)
  t.match(await mayAsk(page), { status: 400, allowed: page })
  t.match(await mayAsk('https://evil.example'), { status: 403, allowed: null })
  t.match(await mayAsk(url), { status: 400, allowed: null }, 'our own page')
})

t.test('other pages may not, and none may do anything else', async t => {
  const { url } = await startServer(t, { config: { ...config, corsOrigins: [page] } })
  const isKept = async (method: string, path: string, origin: string, more: object) =>
    t.equal((await asked(url + path, method, origin, { ...more })).allowed, null, path)
  for (const origin of ['https://evil.example', 'http://shop.example', `${page}.evil`, 'null']) {
    await isKept('OPTIONS', one, origin, asks)
    await isKept('POST', one, origin, headers)
  }
  const key = { ...headers, Authorization: `Bearer ${keyOf.admin}` }
  for (const path of ['/api/v1/query/logs', '/api/v1/settings/ingestion-tokens', '/health']) {
    await isKept('OPTIONS', path, page, asks)
    await isKept('GET', path, page, key)
  }
  await isKept('POST', '/api/v1/query/logs', page, key)
  const { headers: unnamed } = await fetch(url + one, { method: 'POST', headers, body: '{}' })
  t.equal(unnamed.get('vary'), null, 'who is no page sees nothing of this')
})

t.test('without the setting no page may; with * any', async t => {
  const { url } = await startServer(t)
  t.match(await asked(url + one, 'POST', page, headers), { status: 200, allowed: null })
  t.equal((await asked(url + one, 'OPTIONS', page, asks)).allowed, null)
  const open = await startServer(t, { config: { ...config, corsOrigins: ['*'] } })
  t.equal((await asked(open.url + one, 'POST', page, headers)).allowed, page)
  t.equal((await asked(open.url + one, 'POST', 'null', headers)).allowed, 'null')
})
