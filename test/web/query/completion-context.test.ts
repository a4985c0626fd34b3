import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { completionAt } from '../../../src/web/query/completion-context.ts'

/** The context at the `^` in a query. */
function at(marked: string) {
  const caret = marked.indexOf('^')
  return completionAt(marked.replace('^', ''), caret)
}

t.test('each place asks for its kind of word', async t => {
  const expects = (marked: string, kind: string | undefined, typed = '') => {
    const found = at(marked)
    t.equal(found?.kind, kind, marked)
    if (kind !== undefined) t.equal(found?.typed, typed, `${marked}: typed`)
  }

  expects('^', 'start')
  expects('lo^', 'start', 'lo')
  expects('timeout^', 'start', 'timeout')
  expects('count(^', 'start')
  expects('count(logs) / ra^', 'start', 'ra')
  expects('logs{^', 'label')
  expects('logs{lev^', 'label', 'lev')
  expects('logs{a="b", ^', 'label')
  expects('logs{a="b",x^="c"}', 'label', 'x')
  expects('logs{"odd key^', 'label', 'odd key')
  expects('count by (ser^) (logs)', 'label', 'ser')
  expects('count by (a, ^', 'label')
  expects('sum(logs | unwrap dur^', 'label', 'dur')
  expects('logs{a ^', 'operator')
  expects('logs{a !^', 'operator', '!')
  expects('logs{a=^', 'value')
  expects('logs{a="^', 'value')
  expects('logs{a = "x^', 'value', 'x')
  expects('logs{a="x\\"y^', 'value', 'x"y')
  expects('logs{a=~"x^"}', 'value', 'x')
  expects('logs{a="b"} ^', 'filter')
  expects('logs{a="b"} |^', 'filter', '|')
  expects('logs |= "x" !^', 'filter', '!')
  expects('logs{a="b"^', undefined)
  expects('logs{a="b" ^', undefined)
  expects('logs |= "x^', undefined)
  expects('count(logs)^', undefined)
  expects('{^', 'label')
  expects('{} |^', 'filter', '|')
  expects('{} | ^', 'stage')
  expects('{} | js^', 'stage', 'js')
  expects('{} | json ^', 'filter')
  expects('{} | json | sta^', 'stage', 'sta')
  expects('{} | status ^', 'operator')
  expects('{} | status >^', 'operator', '>')
  expects('{} | status > ^', undefined)
  expects('{} | status > 5^', undefined)
  expects('{} | status > 5 ^', 'filter')
  expects('{} | status > 5 and ^', 'label')
  expects('{} | (a="b" or c^', 'label', 'c')
  expects('{} | a="^', 'value')
  expects('{} | a=b^', 'value', 'b')
  expects('{} | keep a, b^', 'label', 'b')
  expects('{} | pattern "<^', undefined)
  expects('{} | pattern "<a> x" |^', 'filter', '|')
  expects('sum(logs | json | unwrap d^', 'label', 'd')
  expects('sum by (^) (count_over_time({} | json [5m]))', 'label')
  expects('count(logs) ^', undefined)
  expects('1^', undefined)
})

t.test('a value knows its label, and what it replaces', async t => {
  const found = at('logs{service.name="che^ckout", b="c"}')
  t.match(found, { label: 'service.name', typed: 'che', isClosed: true, from: 18, to: 28 })
  t.match(at('logs{"a b"="x^'), { label: 'a b', isClosed: false, from: 11, to: 13 })
  t.match(at('logs{a=^}'), { label: 'a', from: 7, to: 7 })
  t.match(at('logs{a="x^, b="c"}'), { from: 7, to: 9 }, 'an open string swallows nothing')
})

t.test('labels behind stages are those of the records that come out of these', async t => {
  const of = (marked: string, expected: string | undefined) =>
    t.equal(at(marked)?.records, expected, marked)
  of('logs{a="b"} | ^', undefined)
  of('logs{a="b"} | json | ^', 'logs{a="b"} | json')
  of('sum({a="b"} |= "x" | json | c="d" | e="^', '{a="b"} |= "x" | json | c="d"')
  of('{} | json | keep ^', '{} | json')
  of('sum(logs | json | unwrap ^', 'logs | json')
  of('sum by (^) (count_over_time({} | json [5m]))', '{} | json')
  of('max by (^) (logs | json | unwrap b)', 'logs | json')
  of('count by (^) (logs)', undefined)
})

t.test('no text and no caret stall it or make it fail', async () => {
  const pieces = fc.constantFrom(
    ...'logs{}()[]",|=!~> $ab.1'.split(''),
    ...['count by (', 'unwrap ', '| json ', ' and '],
  )
  fc.assert(
    fc.property(fc.array(pieces), fc.nat(), (parts, nat) => {
      const query = parts.join('')
      const caret = nat % (query.length + 1)
      const found = completionAt(query, caret)
      if (found === undefined) return
      assert.ok(found.from <= caret && caret <= found.to && found.to <= query.length)
    }),
  )
})
