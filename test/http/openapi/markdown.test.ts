import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { anchorOf, escapeHtml, lineHtml, markdownHtml } from '../../../src/http/openapi/markdown.ts'
import { anyCodePoint } from '../../any-code-point.ts'
import { forAll } from '../../for-all.ts'

t.test('blocks become elements', async t => {
  const becomes = (markdown: string, html: string) =>
    t.equal(markdownHtml(markdown), html, markdown)

  becomes('', '')
  becomes('one\ntwo\n\nthree', '<p>one\ntwo</p>\n<p>three</p>')
  becomes('## A heading', '<h2 id="a-heading">A heading</h2>')
  becomes('- one\n  more\n- two', '<ul><li>one\n  more</li><li>two</li></ul>')
  becomes('```sh\na\n\n<b>\n```', '<pre tabindex="0"><code>a\n\n&lt;b&gt;</code></pre>')
  becomes('text\n```\ncode\n```', '<p>text</p>\n<pre tabindex="0"><code>code</code></pre>')
  t.match(
    markdownHtml('| A | B |\n|---|---|\n| `x\\|y` | z |'),
    '<tbody><tr><td><code>x|y</code></td><td>z</td></tr></tbody>',
  )
  t.match(markdownHtml('## A', 4), /^<h4 /)
})

t.test('inside a line, code, strong words and links are seen', async t => {
  const becomes = (line: string, html: string) => t.equal(lineHtml(line), html, line)

  becomes('`a < b` **c** [d](#e)', '<code>a &lt; b</code> <strong>c</strong> <a href="#e">d</a>')
  becomes('`` a`b ``', '<code>a`b</code>')
  becomes('`**a**`', '<code>**a**</code>')
  becomes('a ` b * c [d]', 'a ` b * c [d]')
  becomes('[a](javascript:alert(1))', '[a](javascript:alert(1))')
  becomes('<img src=x>&"', '&lt;img src=x&gt;&amp;&quot;')
})

t.test('no text becomes an element, whatever it is', async () => {
  forAll(fc.string({ unit: anyCodePoint }), text => {
    assert.doesNotMatch(escapeHtml(text), /[<>"']/)
    const rest = lineHtml(text).replaceAll(/<\/?(?:code|strong|a)(?: href="[\w#./:-]*")?>/g, '')
    assert.doesNotMatch(rest, /[<>"']/)
  })
})

t.test('an anchor is made of small letters, digits and hyphens', async t => {
  t.equal(anchorOf('The query language'), 'the-query-language')
  t.equal(anchorOf('  A (b) — c '), 'a-b-c')
})
