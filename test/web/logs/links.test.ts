import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { partsOf, tracerHref } from '../../../src/web/logs/links.ts'

const linksIn = (text: string) => partsOf(text).flatMap(({ text, href }) => (href ? [text] : []))

t.test('addresses of the web are links, without what stands around them', async t => {
  const finds = (text: string, ...links: string[]) => t.same(linksIn(text), links, text)
  finds('see https://example.org/a?b=c#d.', 'https://example.org/a?b=c#d')
  finds('(http://example.org/x_(y))', 'http://example.org/x_(y)')
  finds('[http://example.org]', 'http://example.org')
  finds('"https://a.b/c","https://d.e"', 'https://a.b/c', 'https://d.e')
  finds('javascript:alert(1) data:text/html,x file:///etc/passwd ftp://a')
  finds('http:// https://', ...[])
  finds(`https://a.b/\u202egnp.exe`, 'https://a.b/')
})

t.test('whatever the text is, its parts are the text, and no link leads elsewhere', async () => {
  const piece = fc.constantFrom(
    'http://',
    'https://a.b',
    ' ',
    '.',
    ')',
    'x',
    '\u202e',
    '%',
    '@',
    ':',
  )
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(piece).map(all => all.join('')),
      ),
      text => {
        const parts = partsOf(text)
        assert.equal(parts.map(part => part.text).join(''), text)
        for (const { href } of parts) assert.match(href ?? 'http://', /^https?:\/\//)
      },
    ),
  )
})

t.test('a tracer has an address of the web with a place for the id', async t => {
  const id = `\${traceId}`
  t.equal(tracerHref(`https://tempo/trace/${id}`, 'a/b'), 'https://tempo/trace/a%2Fb')
  for (const template of ['', 'https://tempo', `javascript:${id}`, `tempo/${id}`]) {
    t.equal(tracerHref(template, 'a'), undefined, template)
  }
})
