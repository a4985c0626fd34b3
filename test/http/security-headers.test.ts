import t from 'tap'
import { ingestionSecret, keyOf, standIns, startServer } from './stand-ins.ts'

const nothing = "default-src 'none'; frame-ancestors 'none'"

/** Asked with a credential that is let in, an answer of any status; its body is let go. */
async function headersOf(url: string, method: string, path: string, credential: string) {
  const response = await fetch(url + path.replaceAll(/\{\w+\}/g, 'known'), {
    method,
    headers: {
      ...(credential === '' ? {} : { Authorization: `Bearer ${credential}` }),
      ...(method === 'POST' ? { 'Content-Type': 'application/json' } : {}),
    },
    ...(method === 'POST' ? { body: '{}' } : {}),
  })
  await response.body?.cancel()
  return { status: response.status, headers: Object.fromEntries(response.headers) }
}

const everywhere = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
}

t.test('every answer of every route has the headers that protect it', async t => {
  const { url, routes } = await startServer(t)
  t.ok(routes.length > 40)
  for (const { method, path, access } of routes) {
    const good = access === 'ingestion-token' ? ingestionSecret : keyOf.admin
    for (const credential of ['', 'wrong', good]) {
      const { status, headers } = await headersOf(url, method, path, credential)
      const what = `${method} ${path} with "${credential}": ${status}`
      t.match(headers, everywhere, what)
      const isPage =
        path === '/docs' || (access === 'open' && headers['content-type'] === 'text/html')
      if (!isPage) t.equal(headers['content-security-policy'], nothing, what)
      if (isPage) t.match(headers['content-security-policy'], /default-src 'none'/, what)
      t.notOk('strict-transport-security' in headers, 'which is for TLS')
      t.ok(headers['cache-control'], what)
    }
  }
})

t.test('what no route takes has them too', async t => {
  const { url } = await startServer(t)
  const has = async (method: string, path: string, status: number) => {
    const answer = await headersOf(url, method, path, '')
    t.equal(answer.status, status)
    t.match(answer.headers, { ...everywhere, 'content-security-policy': nothing })
  }
  await has('GET', '/nowhere', 404)
  await has('DELETE', '/health', 405)
  await has('OPTIONS', '/health', 200)
  await has('HEAD', '/health', 200)
})

t.test('the pages for people bring a policy of their own, and are opened by nobody', async t => {
  const { pages } = standIns().dependencies
  const { url } = await startServer(t, {
    pages: { ...pages, html: () => ({ ...pages.html(), policy: "default-src 'self'" }) },
  })
  const own = await headersOf(url, 'GET', '/', '')
  t.equal(own.headers['content-security-policy'], "default-src 'self'", 'one, not two')
  const docs = await headersOf(url, 'GET', '/docs', '')
  t.match(docs.headers, { 'cross-origin-opener-policy': 'same-origin' })
  t.match(docs.headers['content-security-policy'], /style-src 'self'.*frame-ancestors 'none'/)
  t.notMatch(docs.headers['content-security-policy'], /script-src|unsafe/)
})
