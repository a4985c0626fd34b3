import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { isPlain, piecesOf } from '../../../src/web/logs/shown-text.ts'

/** `[…]` around marks, `{…}` around what cannot be seen, `red:` before a colour. */
function written(text: string, options: Partial<Parameters<typeof piecesOf>[1]> = {}): string {
  return piecesOf(text, { isOneLine: true, ...options })
    .map(({ text, isMark, isControl, color }) => {
      const inner = isControl ? `{${text}}` : text
      return `${color ? `${color}:` : ''}${isMark ? `[${inner}]` : inner}`
    })
    .join('')
}

t.test('a text becomes pieces in which everything can be seen', async t => {
  const f = (text: string, expected: string) => t.equal(written(text), expected)
  f('', '')
  f('plain', 'plain')
  f('<script>', '<script>')
  f('a\nb\tc', 'a{⏎}b{→}c')
  f('\u0000\u0007\u001b', '{␀}{␇}{␛}')
  f('\u007f\u0085', '{␡}{<U+0085>}')
  f('\u202egnp.exe', '{<U+202E>}gnp.exe')
  f('a\u200bb\u2066\ufeff', 'a{<U+200B>}b{<U+2066>}{<U+FEFF>}')
  f('\u001b[31mred\u001b[0m and \u001b[1;92mgreen', 'red:red and green:green')
  f('\u001b[2Jcleared', '{␛}[2Jcleared')
})

t.test('a plain text stands as it is, and nothing in it turns or takes no room', async t => {
  const f = (text: string, expected: boolean) => t.equal(isPlain(text), expected, text)
  f('', true)
  f('GET /cart?id=1 → 200', false)
  f('order=81723  price=5 €', false)
  f('naïve Ωμέγα да', true)
  f('cafe\u0301', false)
  f('soft\u00adhyphen', false)
  f('שלום', false)
  f('مرحبا', false)
  f('語', false)
  f('a\nb', false)
  const turns = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Mark}\p{Cf}\p{Cc}\p{Zl}\p{Zp}]/u
  for (let code = 0; code < 0x1_0000; code++) {
    const text = String.fromCharCode(code)
    if (!isPlain(text)) continue
    assert.doesNotMatch(text, turns, `U+${code.toString(16)}`)
    assert.equal(written(text), text)
  }
})

t.test('in several lines, line ends and tabs stay', async t => {
  t.equal(written('a\nb\tc\r', { isOneLine: false }), 'a\nb\tc{␍}')
})

t.test('what is sought is marked, also in colours and beside control characters', async t => {
  const f = (text: string, expected: string) =>
    t.equal(written(text, { sought: /o+|b\n/g }), expected)
  f('foo', 'f[oo]')
  f('ab\nc', 'a[b][{⏎}]c')
  f('\u001b[31mno\u001b[39mo', 'red:nred:[o][o]')
  f('x'.repeat(5_000), 'x'.repeat(5_000))
})

t.test('no character is lost, and none that turns or hides others is left', async t => {
  const hostile = fc.string({
    unit: fc.oneof(
      fc.constantFrom('\u202e', '\u0000', '\n', '\u001b', 'a', '[', 'm', '🚀'),
      fc.string(),
    ),
  })
  fc.assert(
    fc.property(hostile, fc.boolean(), (text, isOneLine) => {
      const pieces = piecesOf(text, { isOneLine, sought: /a/g })
      const all = pieces.map(piece => piece.text).join('')
      assert.doesNotMatch(all, /[\u0000-\u0008\u000b-\u001f\u202a-\u202e\u2066-\u2069]/)
      if (isOneLine) assert.doesNotMatch(all, /[\n\t]/)
      const plain = pieces.filter(one => !one.isControl).map(one => one.text)
      for (const piece of plain) assert.ok(text.includes(piece))
    }),
  )
  t.pass()
})
