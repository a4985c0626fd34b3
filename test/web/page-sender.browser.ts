/** A page of another origin sends events from a real browser: with fetch, with sendBeacon, and as the snippet does. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { snippetsFor } from '../../src/web/settings/snippets/snippets.ts'
import { recordsOf } from '../listen/listening-service.ts'
import { startServiceOf } from '../service/service-process.ts'
import { browserTest, openShared } from './browser.ts'

/** A site that serves an empty page and `scripts` by their paths. */
async function startShop(t: Test, scripts: ReadonlyMap<string, string>): Promise<string> {
  const shop = createServer((request, response) => {
    const script = scripts.get(request.url!)
    const type = script === undefined ? 'text/html' : 'text/javascript'
    response.setHeader('Content-Type', type).end(script ?? '<!doctype html><title>shop</title>')
  })
  shop.listen(0, '127.0.0.1')
  await once(shop, 'listening')
  t.teardown(() => shop.close())
  return `http://127.0.0.1:${(shop.address() as AddressInfo).port}`
}

browserTest(t, 'a page of an allowed origin sends, and one of another does not', async t => {
  const scripts = new Map<string, string>()
  const allowed = await startShop(t, scripts)
  const other = await startShop(t, scripts)
  const service = await startServiceOf(t, t.testdir(), { flags: ['--cors-origins', allowed] })
  const body = { serviceName: 'shop', environment: 'test', browser: true }
  const made = await service.call('POST', '/api/v1/settings/ingestion-tokens', { body })
  const { token } = made.body as { token: string }
  const facts = { origin: service.url, token, stream: 'shop/test', page: allowed }
  const [snippet] = snippetsFor({ ...facts, isForBrowsers: true })
  scripts.set('/logs.js', Object.values(snippet!.blocks)[1]!)

  const context = (await openShared({ role: 'viewer', path: '/settings' })).page.context()
  const address = `${service.url}/api/v1/webhook/event/log`
  const sendFrom = async (origin: string, name: string) => {
    const page = await context.newPage()
    await page.goto(origin)
    return page.evaluate(
      async ([address, token, name]) => {
        const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
        const sent = { method: 'POST', headers, body: JSON.stringify({ message: `${name} fetch` }) }
        const status = await fetch(address!, sent).then(
          answer => answer.status,
          () => 'kept from the page',
        )
        const beacon = JSON.stringify({ message: `${name} beacon` })
        return [status, navigator.sendBeacon(`${address}?token=${token}`, beacon)]
      },
      [address, token, name],
    )
  }
  t.same(await sendFrom(other, 'other'), ['kept from the page', true])
  t.same(await sendFrom(allowed, 'allowed'), [200, true])
  const records = await recordsOf(service, 'logs', 2)
  const messages = records.map(({ message }: { message: string }) => message)
  t.same(messages.sort(), ['allowed beacon', 'allowed fetch'])

  const page = await context.newPage()
  await page.goto(allowed)
  await page.evaluate(
    `import('/logs.js').then(({ log }) => { log('warn', 'slow', { ms: 7 }); setTimeout(() => { throw new Error('oops') }) })`,
  )
  const [slow] = await recordsOf(service, 'logs{ms="7"}', 1)
  t.match(slow, { log_level: 'warn', message: 'slow', attributes: { page: `${allowed}/` } })
  const [thrown] = await recordsOf(service, 'logs |= "oops"', 1)
  t.match(thrown, { log_level: 'error', attributes: { stack: /Error: oops/ } })
  await page.evaluate(
    `import('/logs.js').then(({ log }) => { log('info', 'goodbye'); setTimeout(() => { location = 'about:blank' }) })`,
  )
  t.equal((await recordsOf(service, 'logs |= "goodbye"', 1)).length, 1)
})
