import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import {
  type Block,
  type Inline,
  isSafeLink,
  parseMarkdown,
} from '../../../src/web/dashboards/model/markdown.ts'

const textOf = (inlines: readonly Inline[]): string =>
  inlines.map(one => ('inner' in one ? textOf(one.inner) : one.text)).join('')

function linksIn(inlines: readonly Inline[]): string[] {
  return inlines.flatMap(one => [
    ...(one.kind === 'link' ? [one.to] : []),
    ...('inner' in one ? linksIn(one.inner) : []),
  ])
}

function inlinesIn(blocks: readonly Block[]): readonly Inline[] {
  return blocks.flatMap(block => {
    if (block.kind === 'quote') return inlinesIn(block.blocks)
    if (block.kind === 'list') return block.items.flat()
    return 'inner' in block ? block.inner : []
  })
}

t.test('the parts of a note become a tree', async t => {
  const text = (words: string): Inline => ({ kind: 'text', text: words })
  t.same(
    parseMarkdown(
      '# A *b*\n\none\ntwo `c`\n\n- x\n- y\n  more\n\n1. z\n\n> q\n\n---\n```\n# raw\n```',
    ),
    [
      { kind: 'heading', level: 1, inner: [text('A '), { kind: 'emphasis', inner: [text('b')] }] },
      { kind: 'paragraph', inner: [text('one two '), { kind: 'code', text: 'c' }] },
      { kind: 'list', isNumbered: false, items: [[text('x')], [text('y more')]] },
      { kind: 'list', isNumbered: true, items: [[text('z')]] },
      { kind: 'quote', blocks: [{ kind: 'paragraph', inner: [text('q')] }] },
      { kind: 'rule' },
      { kind: 'code', text: '# raw' },
    ],
  )
  const [note] = parseMarkdown('see **[the _docs_](https://x.example/a_b)**, snake_case_word')
  t.equal(textOf(inlinesIn([note!])), 'see the _docs_, snake_case_word')
})

t.test('links lead to web and mail addresses and to this page only', async t => {
  const leads = (to: string, isSafe: boolean) => {
    t.equal(isSafeLink(to), isSafe, to)
    t.equal(linksIn(inlinesIn(parseMarkdown(`[x](${to})`))).length, isSafe ? 1 : 0, to)
  }
  leads('https://example.com/a?b=c', true)
  leads('mailto:a@b.example', true)
  leads('/dashboards/x', true)
  leads('javascript:alert(1)', false)
  leads('JaVaScRiPt:alert(1)', false)
  leads('data:text/html,x', false)
  leads('//elsewhere.example', false)
  leads('/\\elsewhere.example', false)
})

t.test('no text is refused, loses its letters, or leads somewhere unsafe', async () => {
  const piece = fc.constantFrom(
    ...[
      '*',
      '**',
      '_',
      '`',
      '```',
      '[',
      '](',
      ')',
      '#',
      '> ',
      '- ',
      '1. ',
      '\n',
      '\n\n',
      ' ',
      'ab',
      'é',
    ],
    ...['<b>', 'javascript:x', 'https://x.example', '---'],
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), pieces => {
      const text = pieces.join('')
      const blocks = parseMarkdown(text)
      for (const to of linksIn(inlinesIn(blocks))) assert.ok(isSafeLink(to))
      const code = blocks.map(block => (block.kind === 'code' ? block.text : '')).join('')
      const shown = textOf(inlinesIn(blocks)) + code
      const count = (all: string) => all.split('é').length
      if (!text.includes('```')) assert.equal(count(shown), count(text))
    }),
  )
})
