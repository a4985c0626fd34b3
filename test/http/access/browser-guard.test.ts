import t from 'tap'
import type { IngestionToken } from '../../../src/catalog/ingestion-tokens.ts'
import { BrowserGuard } from '../../../src/http/access/browser-guard.ts'
import { CrossOrigin } from '../../../src/http/access/cross-origin.ts'
import { limits } from '../../../src/limits.ts'
import { catalog, config, ingestionSecret, startServer } from '../stand-ins.ts'

const page = 'https://shop.example'
const one = '/api/v1/webhook/event/log'
const secret = 'ing_of_page'
const token = {
  ...catalog.ingestionTokens.find(ingestionSecret)!,
  id: 'page',
  isForBrowsers: true,
}
const ingestionTokens = {
  ...catalog.ingestionTokens,
  find: (asked: string) => (asked === secret ? token : catalog.ingestionTokens.find(asked)),
}

async function start(t: Parameters<typeof startServer>[0]) {
  const { url } = await startServer(t, {
    catalog: { ...catalog, ingestionTokens },
    config: { ...config, corsOrigins: [page] },
  })
  return async (path: string, headers: Record<string, string>, body = '{}') => {
    const type = { 'Content-Type': 'application/json' }
    const sent = { method: 'POST', headers: { ...type, ...headers }, body }
    const answer = await fetch(url + path, sent)
    const text = await answer.text()
    const code = answer.status >= 400 ? JSON.parse(text).code : undefined
    return { status: answer.status, code, warning: answer.headers.get('warning') }
  }
}

const bearer = { Authorization: `Bearer ${secret}` }

t.test('a token for pages counts from allowed origins only', async t => {
  const send = await start(t)
  t.match(await send(one, { ...bearer, Origin: page }), { status: 200 })
  const refused = { status: 403, code: 'origin_not_allowed' }
  for (const origin of ['https://evil.example', 'null', 'http://shop.example']) {
    t.match(await send(one, { ...bearer, Origin: origin }), refused, origin)
  }
  t.match(await send(one, bearer), refused, 'who is no browser')
  t.match(await send(one, { Authorization: `Bearer ${ingestionSecret}` }), { status: 200 })
})

t.test('it may stand in the address, which no other token may', async t => {
  const send = await start(t)
  const text = { Origin: page, 'Content-Type': 'text/plain;charset=UTF-8' }
  for (const path of [one, `${one}s`]) {
    const inAddress = `${path}?token=${secret}&timestamp_field=t`
    t.strictSame(await send(inAddress, text), { status: 200, code: undefined, warning: null }, path)
  }
  t.match(await send('/v1/logs?token=x', { Origin: page }), { status: 401 })
  const others = await send(`${one}?token=${ingestionSecret}`, { Origin: page })
  t.match(others, { status: 401, code: 'credential_invalid' })
  const evil = await send(`${one}?token=${secret}`, { Origin: 'https://evil.example' })
  t.match(evil, { status: 403 })
})

t.test('a page may send a body of so many bytes', async t => {
  const send = await start(t)
  const path = `${one}s`
  const bodyOf = (bytes: number) => `${'{}\n'.repeat(2)}${' '.repeat(bytes - 6)}`
  const most = await send(path, { ...bearer, Origin: page }, bodyOf(limits.browserBodyBytesMax))
  t.match(most, { status: 200 })
  const more = await send(path, { ...bearer, Origin: page }, bodyOf(limits.browserBodyBytesMax + 1))
  t.match(more, { status: 413 })
  const type = { 'Content-Type': 'application/vnd.fdo.journal' }
  const withoutEnd = await send('/upload', { ...bearer, ...type, Origin: page }, 'MESSAGE=a\n\n')
  t.match(withoutEnd, { status: 413 })
})

/** What of `count` requests is let through. */
function guardOf(now: () => number) {
  const guard = new BrowserGuard({ crossOrigin: new CrossOrigin([page]), now })
  return (address: string, of: IngestionToken = token) => {
    try {
      guard.admit(of, { origin: page, address: () => address })
      return 'let through'
    } catch (error) {
      const { code, extras } = error as { code: string; extras: { retryAfterSeconds: number } }
      return `${code} ${extras.retryAfterSeconds}`
    }
  }
}

t.test('so many requests a minute of an address, and of all, are let through', async t => {
  let now = 0
  const admit = guardOf(() => now)
  const { browserAddressRequestsMax, browserTokenRequestsMax } = limits
  for (let i = 0; i < browserAddressRequestsMax; i++) {
    if (admit('2001:db8::1') !== 'let through') t.fail(`${i}`)
  }
  t.equal(admit('2001:db8::2'), 'browser_rate 60', 'of one network')
  t.equal(admit('192.0.2.1'), 'let through', 'another address')
  t.equal(admit('2001:db8::1', { ...token, isForBrowsers: false }), 'let through')
  now = limits.browserWindowMs - 1
  t.equal(admit('2001:db8::1'), 'browser_rate 1')
  now = limits.browserWindowMs
  t.equal(admit('2001:db8::1'), 'let through', 'a new window')
  for (let i = 1; i < browserTokenRequestsMax; i++) {
    const address = `10.0.${i >> 8}.${i & 255}`
    if (admit(address) !== 'let through') t.fail(`${i}`)
  }
  t.equal(admit('192.0.2.2'), 'browser_rate 60', 'of all')
  t.equal(admit('192.0.2.2', { ...token, id: 'another' }), 'let through')
})

t.test('a flood of addresses and tokens takes no more memory than there is', async t => {
  const admit = guardOf(() => 0)
  const { browserAddressesMax, browserTokensMax, browserAddressRequestsMax } = limits
  for (let i = 0; i < browserAddressRequestsMax; i++) admit('192.0.2.1')
  t.match(admit('192.0.2.1'), 'browser_rate')
  // The oldest is forgotten, which is how it can be seen from outside that there is a bound.
  for (let i = 0; i < browserAddressesMax; i++) admit(`10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`)
  t.equal(admit('192.0.2.1'), 'let through')
  for (let i = 0; i < browserTokensMax; i++) admit('192.0.2.9', { ...token, id: `${i}` })
  t.equal(admit('192.0.2.9'), 'let through')
})
