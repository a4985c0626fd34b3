import t from 'tap'
import { startServer } from '../stand-ins.ts'

t.test('the page needs nothing but its own style', async t => {
  const { url } = await startServer(t)
  const response = await fetch(`${url}/docs`)
  t.equal(response.headers.get('content-type'), 'text/html; charset=utf-8')
  const policy = response.headers.get('content-security-policy')!
  t.match(policy, "default-src 'none'; style-src 'self'")
  t.notMatch(policy, /script-src|unsafe/)
  const html = await response.text()
  t.notMatch(html, /<script|<style|\sstyle=|\son\w+=/)
  t.notMatch(html, /(?:href|src)="(?!#|\/|data:)/, 'nothing from elsewhere')
  const [, style] = /<link rel="stylesheet" href="([^"]+)">/.exec(html)!
  const styled = await fetch(url + style)
  t.equal(styled.headers.get('content-type'), 'text/css; charset=utf-8')
  t.notMatch(await styled.text(), /@import|url\(/)
})

t.test('every operation has an anchor, and every link on the page a target', async t => {
  const { url, routes } = await startServer(t)
  const html = await (await fetch(`${url}/docs`)).text()
  const anchors = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!)
  t.equal(new Set(anchors).size, anchors.length, 'each once')
  for (const [link, target] of html.matchAll(/ href="#([^"]+)"/g)) {
    t.ok(anchors.includes(target!), link)
  }
  for (const route of routes) {
    const id = 'about' in route ? (route.about as { id: string }).id : route.path
    t.ok(anchors.includes(id), id)
  }
})

t.test('the text of the document is shown, not taken for markup', async t => {
  const { url } = await startServer(t)
  const html = await (await fetch(`${url}/docs`)).text()
  t.match(html, 'log_level=~&quot;error|fatal&quot;')
  const tags = new Set([...html.matchAll(/<([a-z][a-z0-9]*)/g)].map(([, tag]) => tag))
  t.notOk(tags.has('img'))
  const opened = html.match(/<(?:article|section|div|p|ul|dl|pre|table)[ >]/g)!.length
  const closed = html.match(/<\/(?:article|section|div|p|ul|dl|pre|table)>/g)!.length
  t.equal(opened, closed)
})
