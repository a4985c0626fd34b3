import t from 'tap'
import { allowedMethods, routesAt } from '../../src/http/paths.ts'
import { catalog, ingestionSecret, keyOf, startServer } from './stand-ins.ts'

const headers = { Authorization: `Bearer ${keyOf.admin}` }

t.test('an unknown path is 404 for every method', async t => {
  const { url } = await startServer(t)
  const isUnknown = async (path: string) => {
    for (const method of ['GET', 'POST', 'DELETE', 'PUT', 'OPTIONS', 'PROPFIND']) {
      const response = await fetch(url + path, { method, headers })
      t.equal(response.status, 404, `${method} ${path}`)
      t.match(await response.json(), { code: 'path_unknown' })
    }
    const head = await fetch(url + path, { method: 'HEAD', headers })
    t.equal(head.status, 404, `HEAD ${path}`)
  }

  await isUnknown('/nothing')
  await isUnknown('/health/')
  await isUnknown('//health')
  await isUnknown('/HEALTH')
  await isUnknown('/api/v1/dashboards/')
  await isUnknown('/api/v1/dashboards/a/b')
  await isUnknown('/api/v1/%64ashboards')
  await isUnknown('/api/v1/settings/ingestion-tokens//secret')
})

t.test('a known path with another method is 405 and tells the methods', async t => {
  const { url } = await startServer(t)
  const allows = async (path: string, method: string, allowed: string) => {
    const response = await fetch(url + path, { method, headers })
    t.equal(response.status, 405, `${method} ${path}`)
    t.equal(response.headers.get('allow'), allowed)
    t.match(await response.json(), { code: 'method_unknown' })
  }

  await allows('/health', 'POST', 'GET, HEAD, OPTIONS')
  await allows('/api/v1/webhook/event/log', 'GET', 'POST, OPTIONS')
  await allows('/api/v1/webhook/event/log', 'PATCH', 'POST, OPTIONS')
  await allows('/api/v1/dashboards/some', 'PUT', 'GET, HEAD, DELETE, OPTIONS')
  await allows('/api/v1/dashboards/update', 'PUT', 'POST, GET, HEAD, DELETE, OPTIONS')
  await allows('/api/v1/settings/api-keys', 'DELETE', 'GET, HEAD, POST, OPTIONS')
})

t.test('every route tells its methods to OPTIONS, without a credential', async t => {
  const { url, routes } = await startServer(t)
  for (const { path, method } of routes) {
    const response = await fetch(url + path.replace('{id}', 'x'), { method: 'OPTIONS' })
    t.equal(response.status, 200, path)
    t.equal(await response.text(), '')
    t.ok(response.headers.get('allow')?.split(', ').includes(method), `${path} takes ${method}`)
  }
})

t.test('HEAD answers as GET does, without the body', async t => {
  const { url, routes } = await startServer(t)
  for (const { path } of routes.filter(({ method }) => method === 'GET')) {
    const address = url + path.replace('{id}', 'known')
    const got = await fetch(address, { headers })
    const head = await fetch(address, { method: 'HEAD', headers })
    t.equal(head.status, got.status, path)
    t.equal(await head.text(), '')
    t.equal(head.headers.get('content-length'), String(Buffer.byteLength(await got.text())))
    t.equal(head.headers.get('content-type'), got.headers.get('content-type'))
  }
  const refused = await fetch(`${url}/api/v1/dashboards`, { method: 'HEAD' })
  t.equal(refused.status, 401)
})

t.test('an id in the path is percent-decoded', async t => {
  const shown: string[] = []
  const dashboards = {
    ...catalog.dashboards,
    getStored: (id: string) => {
      shown.push(id)
      return { text: '{}', version: 'v1' }
    },
  }
  const { url } = await startServer(t, { catalog: { ...catalog, dashboards } })
  await fetch(`${url}/api/v1/dashboards/a%20b%2Fc%C3%A9`, { headers })
  await fetch(`${url}/api/v1/dashboards/..%2f..%2fsecret.key?x=1`, { headers })
  t.same(shown, ['a b/cé', '../../secret.key'])
  const broken = await fetch(`${url}/api/v1/dashboards/%ff`, { headers })
  t.match(await broken.json(), { code: 'path_unknown' })
})

t.test('what a route takes is found by its whole path', async t => {
  const { routes } = await startServer(t)
  const allows = (path: string, allowed: string) =>
    t.equal(allowedMethods(routesAt(routes, path)), allowed, path)
  const isNowhere = (path: string) => t.same(routesAt(routes, path), [], path)

  allows('/health', 'GET, HEAD, OPTIONS')
  allows('/api/v1/settings/api-keys/x', 'DELETE, OPTIONS')
  isNowhere('/api/v1/settings/api-keys/')
  isNowhere('/api/v1/settings/api-keys/x/y')
  isNowhere('')
})

t.test('the same path by another method keeps the connection and answers the next', async t => {
  const { url, ingested } = await startServer(t)
  const address = `${url}/api/v1/webhook/event/log`
  await fetch(address, { method: 'PUT', body: '{"a":1}' })
  const response = await fetch(address, {
    method: 'POST',
    body: '{"a":2}',
    headers: { Authorization: `Bearer ${ingestionSecret}`, 'Content-Type': 'application/json' },
  })
  t.equal(response.status, 200)
  t.same(ingested.map(String), ['{"a":2}'])
})
