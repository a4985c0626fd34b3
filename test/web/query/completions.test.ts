import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { parseQuery } from '../../../src/language/grammar.ts'
import { printQuery } from '../../../src/language/print.ts'
import { completionAt, phraseAt } from '../../../src/web/query/completion-context.ts'
import {
  type Completion,
  completionsAt,
  type Suggestion,
} from '../../../src/web/query/completions.ts'
import { mistakeIn } from '../../../src/web/query/mistake.ts'
import { anyQuery, anyText } from '../../query/queries.ts'

const services: readonly Suggestion[] = [
  { text: 'checkout', count: 9 },
  { text: 'search', count: 5 },
  { text: 'cart-checkout', count: 1 },
]

/** All that is offered at the `^` in a query. */
function listAt(marked: string, suggested: readonly Suggestion[] = services) {
  const caret = marked.indexOf('^')
  return allAt(marked.replace('^', ''), caret, suggested)
}

function allAt(query: string, caret: number, suggested = services): readonly Completion[] {
  const contexts = [completionAt(query, caret), phraseAt(query, caret)]
  return contexts.flatMap(context =>
    context === undefined ? [] : completionsAt(query, context, suggested),
  )
}

const shownAt = (marked: string) => listAt(marked).map(({ shown }) => shown)

/** What taking the first one makes of the query, with the caret and what is selected behind it. */
function taken(marked: string, suggested = services): string | undefined {
  const [first] = listAt(marked, suggested)
  if (first === undefined) return undefined
  const { query, caret, selected } = first
  const end = selected === 0 ? '' : `${query.slice(caret, caret + selected)}^`
  return `${query.slice(0, caret)}^${end}${query.slice(caret + selected)}`
}

const stages = [
  ...['json', 'logfmt', 'pattern', 'regexp', 'unpack', 'line_format', 'label_format'],
  ...['keep', 'drop', 'distinct', 'decolorize'],
]

t.test('the list has what begins with the typed letters first', async t => {
  t.same(shownAt('logs{a="CHE^'), ['checkout', 'cart-checkout'])
  t.same(shownAt('logs{a="^'), ['checkout', 'search', 'cart-checkout'])
  t.same(shownAt('co^'), ['count', 'count_distinct'])
  t.same(shownAt('logs{a !^'), ['!=', '!~'])
  const filters = ['|=', '|~', ...stages.map(name => `| ${name}`)]
  t.same(shownAt('logs |^'), filters)
  t.same(shownAt('count(logs |^'), filters)
  t.same(shownAt('sum(logs |^'), [...filters, '| unwrap'])
  t.same(shownAt('sum({} | json |^'), [...filters, '| unwrap'])
  t.same(shownAt('{} | l^'), ['logfmt', 'line_format', 'label_format'])
  t.same(shownAt('{} | json | s^'), ['search'])
  t.same(shownAt('{} | json | d^').slice(-3), ['drop', 'distinct', 'decolorize'])
  t.same(shownAt('{} | json | ch^'), ['checkout', 'search', 'cart-checkout'])
  t.same(shownAt('{} | a >^'), ['>', '>='])
  t.same(shownAt('{} | a = "b" and ^'), ['checkout', 'search', 'cart-checkout', 'not'])
  t.same(shownAt('{} | a > 5 ^').slice(-2), ['and', 'or'])
  t.same(shownAt('{} | json ^').slice(-1), ['| decolorize'], 'no condition stands before it')
  t.same(shownAt('{} | a > 5 o^'), ['or', 'checkout', 'cart-checkout'])
  t.same(shownAt('count(logs) ^'), [])
  t.same(shownAt('count(logs) un^'), ['unless'])
  t.same(shownAt('lab^'), ['label_replace'])
})

t.test('what is taken is a query, and the caret where one goes on', async t => {
  t.equal(taken('logs{a=^'), 'logs{a="checkout"^}')
  t.equal(taken('logs{a="che^"}'), 'logs{a="checkout"^}')
  t.equal(taken('logs{a=che^'), 'logs{a="checkout"^}', 'a value without quotes')
  t.equal(taken('logs{^', [{ text: 'odd key' }]), 'logs{"odd key"="^"}')
  t.equal(taken('logs{a="b", ^}'), 'logs{a="b", checkout="^"}')
  t.equal(taken('logs{^a="b"}'), 'logs{checkout="^", a="b"}')
  t.equal(taken('logs{che^="b"}'), 'logs{checkout^="b"}')
  t.equal(taken('logs{a!^'), 'logs{a!="^"}')
  t.equal(taken('log^'), 'logs^')
  t.equal(taken('cou^'), 'count(logs^)')
  t.equal(taken('cou^nt(logs)'), 'count^(logs)')
  t.equal(taken('qu^'), 'quantile(0.95, logs | unwrap ^value^)')
  t.equal(taken('sum(logs | unwrap che^'), 'sum(logs | unwrap checkout^)')
  t.equal(taken('sum by (che^'), 'sum by (checkout^) (logs | unwrap value)')
  t.equal(taken('count by (a, ^) (logs)'), 'count by (a, checkout^) (logs)')
  t.equal(taken('logs |^'), 'logs |= "^"')
  t.equal(taken('logs{a=^', [{ text: '' }]), 'logs{a=""^}')
})

t.test('behind a pipe, too', async t => {
  t.equal(taken('{} | js^'), '{} | json^')
  t.equal(taken('logs | pa^'), 'logs | pattern "<^name>"')
  t.equal(taken('logs | reg^'), 'logs | regexp "(?P<name>^.*)"')
  t.equal(taken('count({} | line^'), 'count({} | line_format "{{.^name}}")')
  t.equal(taken('{} | ke^'), '{} | keep ^value^')
  t.equal(taken('{} | keep che^'), '{} | keep checkout^')
  t.equal(taken('{} | json | dis^'), '{} | json | distinct ^value^')
  t.equal(taken('{} | distinct che^'), '{} | distinct checkout^')
  t.equal(taken('{} | drop a, ^'), '{} | drop a, checkout^')
  t.equal(taken('{} | json | che^'), '{} | json | checkout="^"')
  t.equal(taken('{} | json | a="b" or ^'), '{} | json | a="b" or checkout="^"')
  t.equal(taken('{} | a ^'), '{} | a ="^"')
  t.equal(taken('{} | a >^ 5'), '{} | a >^ 5')
  t.equal(taken('{} | a >^'), '{} | a > ^0^')
  t.equal(taken('count({} | a="che^'), 'count({} | a="checkout"^)')
  t.equal(taken('{} | a="b" an^'), '{} | a="b" and ^value^=""')
  t.equal(taken('count({} | (a > 5 or b=1) o^'), 'count({} | (a > 5 or b=1) or ^value^="")')
  t.equal(taken('{} | json | n^'), '{} | json | not ^value^=""')
  t.equal(taken('{} | a=1 and n^', []), '{} | a=1 and not ^value^=""')
  t.equal(taken('{} | n^', [{ text: 'not' }]), '{} | "not"="^"')
  t.equal(taken('sum(logs | json | unw^'), 'sum(logs | json | unwrap ^value^)')
})

t.test('between series and selectors, too', async t => {
  t.equal(taken('count(logs) un^'), 'count(logs) unless count(logs)^')
  t.equal(taken('count(logs) > 3 o^'), 'count(logs) > 3 or count(logs)^')
  t.notOk(shownAt('1 o^').includes('or'), 'sets are of series')
  t.equal(taken('logs{a="b"} o^'), 'logs{a="b"} or logs^')
  t.equal(taken('{a="b"} o^'), '{a="b"} or {}^')
  t.equal(taken('count(logs{a="b"} o^'), 'count(logs{a="b"} or logs^)')
})

t.test('each operation is offered with an argument that makes it a query', async t => {
  for (const { query, shown } of listAt('^')) t.equal(mistakeIn(query), undefined, shown)
  t.equal(taken('stddev^'), 'stddev_over_time(logs | unwrap ^value^ [5m])')
  t.equal(taken('absent^'), 'absent_over_time(logs^[5m])')
  t.equal(taken('vec^'), 'vector(^0^)')
  const replaced =
    'label_replace(count by (service.name) (logs), "^name^", "$1", "service.name", "(.*)")'
  t.equal(taken('label^'), replaced)
})

t.test('a value for an expression is written so that it means itself', async t => {
  t.equal(taken('logs{a=~"^"}', [{ text: 'a(b.c' }]), 'logs{a=~"a\\\\(b\\\\.c"^}')
  t.equal(taken('logs{a="^"}', [{ text: 'a(b.c' }]), 'logs{a="a(b.c"^}')
})

t.test('words and phrases that are no query are offered as a search for them', async t => {
  const last = (marked: string) => listAt(marked).at(-1)?.query
  for (const words of ['timeout', 'connection refused', 'GET /api/v1 500', 'count failed']) {
    t.notOk(
      listAt(`${words}^`).some(({ query }) => query.includes('|=')),
      `${words} is a query`,
    )
  }
  t.equal(last('500 errors^'), 'logs |= "500 errors"')
  t.equal(last('logs timeout^'), 'logs |= "timeout"')
  t.equal(last('logs{a="b"} two words^'), 'logs{a="b"} |= "two words"')
  t.equal(last('{a="b"} two words^'), '{a="b"} |= "two words"')
  t.equal(last('logs |= timeout^'), 'logs |= "timeout"')
  t.equal(last('logs |~ a(b^'), 'logs |~ "a\\\\(b"')
  t.equal(last('count(logs timeout^'), 'count(logs |= "timeout")')
  t.same(shownAt('logs{a="b"}^'), [], 'not for what is a query')
})

const names = fc.array(anyText, { minLength: 1, maxLength: 4 })
const suggestions = names.map(texts => texts.filter(text => text !== '').map(text => ({ text })))

t.test('no suggestion, taken anywhere in any query, makes it wrong', async () => {
  let count = 0
  fc.assert(
    fc.property(anyQuery, suggestions, fc.nat(), (tree, suggested, nat) => {
      const query = printQuery(tree)
      fc.pre(query.length < 400)
      // Not everywhere, which would take long, but at a different place each time, and at both ends.
      for (const caret of [nat % (query.length + 1), 0, query.length]) {
        for (const { query: next } of allAt(query, caret, suggested)) {
          assert.doesNotThrow(() => parseQuery(next), `${query} at ${caret}: ${next}`)
          count += 1
        }
      }
    }),
    { numRuns: 250 },
  )
  assert.ok(count > 150, `only ${count} were taken`)
})

t.test('what is taken while a query is being typed goes on as a query', async () => {
  let [whole, all] = [0, 0]
  fc.assert(
    fc.property(anyQuery, suggestions, fc.nat(), (tree, suggested, nat) => {
      const query = printQuery(tree)
      fc.pre(query.length < 400)
      const begun = query.slice(0, nat % (query.length + 1))
      fc.pre(begun.isWellFormed())
      for (const { query: next, to } of allAt(begun, begun.length, suggested)) {
        const mistake = mistakeIn(next)
        // Behind what LogQL aggregates its range is missing, which is for people to say.
        if (mistake?.isUnfinished && /_over_time|bytes_rate/.test(begun)) continue
        all += 1
        if (mistake === undefined) whole += 1
        else assert.ok(mistakeIn(next.slice(0, to))?.isUnfinished, `${begun}: ${next}`)
      }
    }),
    { numRuns: 250 },
  )
  // Behind a set or a search that is not closed, the completions close only the string.
  assert.ok(whole / all > 0.8, `${whole} of ${all} are queries at once`)
})
