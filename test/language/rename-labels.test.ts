import t from 'tap'
import { parseQuery } from '../../src/language/grammar.ts'
import { printQuery } from '../../src/language/print.ts'
import { labelsIn, renameLabels } from '../../src/language/rename-labels.ts'

t.test('labels are renamed wherever a query has them', t => {
  const becomes = (query: string, expected: string) => {
    const renamed = renameLabels(parseQuery(query), label => (label === 'a_b' ? 'a.b' : label))
    t.equal(printQuery(renamed), printQuery(parseQuery(expected)), query)
  }
  becomes('1', '1')
  becomes('logs{a_b="a_b", c="1"} |= "a_b"', 'logs{a.b="a_b", c="1"} |= "a_b"')
  becomes('{a_b="1"}', '{"a.b"="1"}')
  becomes('sum by (a_b) (logs{a_b="1"} | unwrap a_b)', 'sum by (a.b) (logs{a.b="1"} | unwrap a.b)')
  becomes('-topk(1, count by (a_b, c) (logs))', '-topk(1, count by (a.b, c) (logs))')
  becomes('topk without (a_b) (1, count(logs))', 'topk without (a.b) (1, count(logs))')
  becomes(
    'count(logs) / on (a_b) group_left (a_b, c) count(logs)',
    'count(logs) / on (a.b) group_left (a.b, c) count(logs)',
  )
  becomes(
    'label_replace(sort(count by (a_b) (logs)), "a_b", "$1", "a_b", "a_b")',
    'label_replace(sort(count by (a.b) (logs)), "a.b", "$1", "a.b", "a_b")',
  )
  becomes('sum_over_time({} | unwrap a_b [5m])', 'sum_over_time({} | unwrap a.b [5m])')
  becomes(
    'sum by (a_b) (count_over_time({a_b="1"}[5m])) / vector(2)',
    'sum by ("a.b") (count_over_time({"a.b"="1"}[5m])) / vector(2)',
  )
  t.end()
})

t.test('what becomes one label stands once', t => {
  const renamed = renameLabels(parseQuery('count by (a_b, a.b) (logs)'), () => 'a.b')
  t.equal(printQuery(renamed), printQuery(parseQuery('count by (a.b) (logs)')))
  t.end()
})

t.test('the labels of a query are told', t => {
  const query = 'avg by (a) (logs{b="c"} | unwrap d) / sum without (e) (rate({f="g"}[1m]))'
  t.same([...labelsIn(parseQuery(query))].sort(), ['a', 'b', 'd', 'e', 'f'])
  t.end()
})
