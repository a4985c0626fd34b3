/** Of the records that a question fetches, no attribute is fetched that it does not read. */
import t from 'tap'
import type { Selector } from '../../src/language/ast.ts'
import { parseSingle } from '../../src/language/grammar.ts'
import type { CollectorRequest } from '../../src/query/collect/collector.ts'
import { neededAttributes } from '../../src/store/clickhouse/needed-attributes.ts'

const patterns: CollectorRequest = { kind: 'patterns', bucketMs: 1, samples: 0 }
const groups: CollectorRequest = { kind: 'groups', by: ['pattern', 'host'] }
const fields: CollectorRequest = { kind: 'fields', tooMany: 'refuse' }
const times = { startTime: 0, endTime: 1, order: 'asc', after: undefined } as const

t.test('labels of conditions and of what is collected', async t => {
  const needs = (text: string, request: CollectorRequest | undefined, limit = 0) => {
    const { query } = parseSingle(text)
    return neededAttributes({ ...times, limit, selector: query as Selector }, request)
  }
  t.same(needs('logs |= "x"', patterns), [])
  t.same(needs('logs{a="1"} or logs{b=~".*", c>5}', patterns), ['a', 'b', 'c'])
  t.same(needs('logs{host="h"}', groups), ['host', 'pattern'])
  t.same(needs('logs{a="1"}', undefined), ['a'])
  t.equal(needs('logs', patterns, 1), undefined, 'a record is shown')
  t.equal(needs('logs', fields), undefined, 'names of all')
  t.equal(needs('logs | search "x"', patterns), undefined, 'values of all')
  t.equal(needs('{a="1"}', groups), undefined, 'names as LogQL has them')
  t.equal(needs('logs | json', patterns), undefined, 'stages read any label')
})
