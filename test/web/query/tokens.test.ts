import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { tokensOf } from '../../../src/web/query/tokens.ts'
import { anyCodePoint } from '../../any-code-point.ts'

/** The words of a query with their kinds, without white space. */
const words = (query: string) =>
  tokensOf(query)
    .filter(({ kind }) => kind !== 'space')
    .map(({ kind, text }) => `${kind} ${text}`)

t.test('the words of a query are told apart', async t => {
  t.same(words('logs{service.name="a b", x!~`\\d`} |= \'q\''), [
    ...['keyword logs', 'bracket {', 'label service.name', 'operator =', 'string "a b"', 'comma ,'],
    ...['label x', 'operator !~', 'string `\\d`', 'bracket }', 'operator |=', "string 'q'"],
  ])
  t.same(words('topk(3, count by (a-b, c/d) (logs) / 2)'), [
    ...['operation topk', 'bracket (', 'number 3', 'comma ,', 'operation count', 'keyword by'],
    ...['bracket (', 'label a-b', 'comma ,', 'label c/d', 'bracket )', 'bracket (', 'keyword logs'],
    ...['bracket )', 'operator /', 'number 2', 'bracket )'],
  ])
  t.same(words('sum(logs | unwrap duration-ms offset 1h)'), [
    ...['operation sum', 'bracket (', 'keyword logs', 'operator |', 'keyword unwrap'],
    ...['label duration-ms', 'keyword offset', 'number 1h', 'bracket )'],
  ])
  t.same(words('{} |= "a" or "b" | json | a-b >= 1.5s and (not c=`d` or e!="f") | keep or, x'), [
    ...['bracket {', 'bracket }', 'operator |=', 'string "a"', 'keyword or', 'string "b"'],
    ...['operator |', 'stage json', 'operator |', 'label a-b', 'operator >=', 'number 1.5s'],
    ...['keyword and', 'bracket (', 'keyword not', 'label c', 'operator =', 'string `d`'],
    ...['keyword or', 'label e', 'operator !=', 'string "f"', 'bracket )', 'operator |'],
    ...['stage keep', 'label or', 'comma ,', 'label x'],
  ])
  t.same(words('rate({} | logfmt --strict | json > 2 [5m]) / 2'), [
    ...['operation rate', 'bracket (', 'bracket {', 'bracket }', 'operator |', 'stage logfmt'],
    ...['operator --strict', 'operator |', 'stage json', 'operator >', 'number 2', 'bracket ['],
    ...['number 5m', 'bracket ]', 'bracket )', 'operator /', 'number 2'],
  ])
  // biome-ignore-start lint/suspicious/noTemplateCurlyInString: variables of the language.
  t.same(words('logs{env="$env", x=${y}, z=$z}'), [
    ...['keyword logs', 'bracket {', 'label env', 'operator =', 'string "$env"', 'comma ,'],
    ...['label x', 'operator =', 'variable ${y}', 'comma ,', 'label z', 'operator ='],
    ...['variable $z', 'bracket }'],
  ])
  // biome-ignore-end lint/suspicious/noTemplateCurlyInString: variables of the language.
})

t.test('any text is taken, and nothing of it is lost', async () => {
  const pieces = fc.constantFrom(
    ...'logs{}()",\'`|=!~\\ \n$ab.-/1é😀'.split(''),
    'count by (',
    'unwrap ',
  )
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: anyCodePoint }),
        fc.array(pieces).map(p => p.join('')),
      ),
      text => {
        const tokens = tokensOf(text)
        assert.equal(tokens.map(token => token.text).join(''), text)
        let at = 0
        for (const { start, end, text: word } of tokens) {
          assert.equal(start, at)
          assert.equal(end, start + word.length)
          assert.ok(word.length > 0)
          at = end
        }
      },
    ),
  )
})
