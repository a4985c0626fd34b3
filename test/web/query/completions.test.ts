import t from 'tap'
import { completionAt } from '../../../src/web/query/completion-context.ts'
import { completionsAt, isComplete, type Suggestion } from '../../../src/web/query/completions.ts'

const services: readonly Suggestion[] = [
  { text: 'checkout', count: 9 },
  { text: 'search', count: 5 },
  { text: 'cart-checkout', count: 1 },
]

function listAt(marked: string, suggested: readonly Suggestion[] = services) {
  const context = completionAt(marked.replace('^', ''), marked.indexOf('^'))!
  const list = completionsAt(context, suggested)
  return { texts: list.map(({ shown }) => shown), list, context }
}

t.test('the list has what begins with the typed letters first', async t => {
  t.same(listAt('logs{a="CHE^').texts, ['checkout', 'cart-checkout'])
  t.same(listAt('logs{a="^').texts, ['checkout', 'search', 'cart-checkout'])
  t.same(listAt('co^').texts, ['count', 'count_distinct'])
  t.same(listAt('logs{a !^').texts, ['!=', '!~'])
  t.same(listAt('logs |^').texts, ['|=', '|~'])
})

t.test('what is taken is written as the language wants it', async t => {
  t.equal(listAt('logs{a=^').list[0]?.written, '"checkout"')
  t.equal(listAt('logs{^', [{ text: 'odd key' }]).list[0]?.written, '"odd key"')
  t.equal(listAt('qu^').list[0]?.written, 'quantile(')
  t.equal(listAt('log^').list[0]?.written, 'logs')
  t.equal(listAt('logs{a=^', [{ text: '' }]).list[0]?.written, '""')
})

t.test('a word that is no operation is offered as a search for it', async t => {
  t.equal(listAt('timeout^').list[0]?.written, 'logs |= "timeout"')
})

t.test('what is typed in full leaves Enter to the query', async t => {
  const complete = (marked: string) => {
    const { context, list } = listAt(marked)
    return isComplete(context, list)
  }
  t.ok(complete('logs^'))
  t.ok(complete('logs{a="checkout^"}'))
  t.notOk(complete('logs{a="checkout^'))
  t.notOk(complete('logs{a="check^"}'))
})
