import { mkdirSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import t from 'tap'
import { pagePaths } from '../../src/http/page-paths.ts'
import { Pages } from '../../src/http/pages.ts'
import { startServer } from './stand-ins.ts'

const script = 'console.log("a script that is long enough to be worth compressing")'.repeat(20)
const name = 'main-ABC123.js'

function writeBuild(directory: string, html = '<!doctype html><p>first'): void {
  mkdirSync(directory, { recursive: true })
  writeFileSync(join(directory, name), script)
  writeFileSync(join(directory, `${name}.br`), brotliCompressSync(script))
  writeFileSync(join(directory, `${name}.gz`), gzipSync(script))
  writeFileSync(join(directory, 'icon-1.svg'), '<svg/>')
  writeFileSync(join(directory, 'secret.txt'), 'not in the manifest')
  const files = { [name]: ['br', 'gz'], 'icon-1.svg': [] }
  writeFileSync(join(directory, 'manifest.json'), JSON.stringify({ html, files, inputs: {} }))
}

async function startWithPages(t: Parameters<typeof startServer>[0], isBuilt = true) {
  const directory = join(t.testdir(), 'web')
  if (isBuilt) writeBuild(directory)
  const { url } = await startServer(t, { pages: new Pages(directory) })
  return { url, directory }
}

/** As `fetch`, which would decode the body and choose `Accept-Encoding` itself. */
function ask(url: string, headers: Record<string, string> = {}, method = 'GET') {
  return new Promise<{ status: number; headers: Record<string, unknown>; body: Buffer }>(
    (resolve, reject) => {
      const sent = request(url, { method, headers }, response => {
        const chunks: Buffer[] = []
        response.on('data', chunk => chunks.push(chunk))
        response.on('end', () => {
          const { statusCode = 0, headers: received } = response
          resolve({ status: statusCode, headers: received, body: Buffer.concat(chunks) })
        })
      })
      sent.on('error', reject).end()
    },
  )
}

t.test('every path of the page gives the page, which is never kept', async t => {
  const { url } = await startWithPages(t)
  for (const path of Object.values(pagePaths)) {
    const { status, headers, body } = await ask(url + path.replaceAll(/\{\w+\}/g, 'some-id'))
    t.equal(status, 200, path)
    t.match(headers, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' })
    t.equal(String(body), '<!doctype html><p>first')
  }
  t.equal((await ask(`${url}/nowhere`)).status, 404)
})

t.test('the settings are where the way to them leads, whatever slash and method', async t => {
  const { url } = await startWithPages(t)
  const way = '/settings/integrations/event-ingestion'
  for (const method of ['GET', 'HEAD']) {
    t.equal((await ask(url + way, {}, method)).status, 200, method)
    const { status, headers } = await ask(`${url}${way}/?env=prod`, {}, method)
    t.equal(status, 308)
    t.equal(headers.location, `${way}?env=prod`)
    t.equal(headers['content-length'], '0', 'nobody waits for a body')
    t.equal((await ask(`${url}/logs/`, {}, method)).headers.location, '/logs')
  }
  t.equal((await ask(`${url}${way}//`)).status, 404)
  t.equal((await ask(`${url}//evil.example/`)).status, 404, 'nobody is led elsewhere')
  t.equal((await ask(`${url}/api/v1/dashboards/`)).status, 404, 'the API has one path each')
  t.equal((await ask(`${url}/logs/`, {}, 'DELETE')).status, 404)
})

t.test('the page allows nothing but itself', async t => {
  const { url } = await startWithPages(t)
  const { headers } = await ask(url)
  const policy = String(headers['content-security-policy'])
  t.match(policy, "default-src 'none'")
  t.match(policy, "frame-ancestors 'none'")
  t.notMatch(policy, /unsafe|\*|https?:/)
  t.match(headers, { 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' })
})

t.test('an asset is kept for good, in the smallest form that is accepted', async t => {
  const { url } = await startWithPages(t)
  const gives = async (acceptEncoding: string | undefined, expected: string | undefined) => {
    const sent = acceptEncoding === undefined ? {} : { 'Accept-Encoding': acceptEncoding }
    const { status, headers, body } = await ask(`${url}/assets/${name}`, sent)
    t.equal(status, 200)
    t.equal(headers['content-encoding'], expected, String(acceptEncoding))
    t.match(headers, {
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'Accept-Encoding',
      'x-content-type-options': 'nosniff',
    })
    const decode = { br: brotliDecompressSync, gzip: gunzipSync }[expected as 'br' | 'gzip']
    t.equal(String(decode === undefined ? body : decode(body)), script)
  }
  await gives('gzip, deflate, br, zstd', 'br')
  await gives('gzip, deflate', 'gzip')
  await gives('GZIP;q=0.5, br;q=0', 'gzip')
  await gives('*', 'br')
  await gives('br;q=0.0, *;q=0.1', 'gzip')
  await gives('identity', undefined)
  await gives('', undefined)
  await gives(undefined, undefined)
  t.match((await ask(`${url}/assets/icon-1.svg`)).headers, { 'content-type': 'image/svg+xml' })
})

t.test('a damaged build says what to do, and hides nothing that was there before', async t => {
  const { url, directory } = await startWithPages(t, false)
  mkdirSync(directory)
  const manifest = join(directory, 'manifest.json')
  writeFileSync(manifest, 'damaged')
  const before = await ask(url)
  t.equal(before.status, 503)
  t.match(String(before.body), 'npm run build')
  writeBuild(directory)
  t.equal((await ask(url)).status, 200)
  writeFileSync(manifest, 'damaged again')
  t.equal((await ask(url)).status, 200)
})

t.test('an asset that is there already is not sent again', async t => {
  const { url } = await startWithPages(t)
  const path = `${url}/assets/${name}`
  const sent = { 'Accept-Encoding': 'br' }
  const first = await ask(path, sent)
  const ETag = String(first.headers.etag)
  for (const tags of [ETag, `W/${ETag}`, `"other", ${ETag}`]) {
    const again = await ask(path, { ...sent, 'If-None-Match': tags })
    t.equal(again.status, 304, tags)
    t.equal(again.body.length, 0)
    t.match(again.headers, { etag: ETag, 'cache-control': /immutable/ })
  }
  t.equal((await ask(path, { ...sent, 'If-None-Match': '"other"' })).status, 200)
  t.equal((await ask(path, { 'If-None-Match': ETag })).status, 200, 'another form of it')
})

t.test('HEAD tells what GET would give', async t => {
  const { url } = await startWithPages(t)
  const sent = { 'Accept-Encoding': 'br' }
  for (const path of ['/', `/assets/${name}`]) {
    const head = await ask(url + path, sent, 'HEAD')
    const get = await ask(url + path, sent)
    t.equal(head.status, 200)
    t.equal(head.body.length, 0)
    t.equal(head.headers['content-length'], String(get.body.length))
    t.equal(head.headers['content-type'], get.headers['content-type'])
  }
})

t.test('nothing but what was built is given away', async t => {
  const { url } = await startWithPages(t)
  for (const path of [
    ...['/assets/', '/assets/none.js', '/assets/secret.txt', '/assets/manifest.json'],
    ...[`/assets/${name}.br`, '/assets/..%2fmanifest.json', '/assets/%2e%2e/manifest.json'],
    ...['/assets/__proto__', '/assets/constructor', '/assets/%00', '/assets/%ff'],
  ]) {
    t.equal((await ask(url + path)).status, 404, path)
  }
})

t.test('without a build the page says what to do', async t => {
  const { url, directory } = await startWithPages(t, false)
  const { status, headers, body } = await ask(url)
  t.equal(status, 503)
  t.match(headers, { 'content-type': 'text/html; charset=utf-8' })
  t.match(String(body), 'npm run build')
  t.equal((await ask(`${url}/assets/${name}`)).status, 404)

  writeBuild(directory)
  t.equal((await ask(url)).status, 200, 'a build that comes later is found')
  t.equal((await ask(`${url}/assets/${name}`)).status, 200)
})

t.test('a new build is served at once, and parts of the old one stay', async t => {
  const { url, directory } = await startWithPages(t)
  await ask(`${url}/assets/${name}`)
  writeFileSync(join(directory, 'main-NEW.js'), 'new')
  const files = { 'main-NEW.js': [] }
  const manifest = { html: '<!doctype html><p>second', files, inputs: {} }
  writeFileSync(join(directory, 'manifest.json'), JSON.stringify(manifest))
  t.match(String((await ask(url)).body), 'second')
  t.equal((await ask(`${url}/assets/main-NEW.js`)).status, 200)
  t.equal((await ask(`${url}/assets/${name}`)).status, 200)
})
