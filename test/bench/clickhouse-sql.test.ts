/** The same questions in another language: each part of a query must come over. */
import t from 'tap'
import { toSql } from '../../bench/clickhouse-sql.ts'
import { prepareOver } from '../../bench/measure.ts'
import { Oracle } from '../../bench/oracle.ts'
import { benchQueries, lineQueries } from '../../bench/query-list.ts'

const oracle = new Oracle({ recordsMax: 1, keepsMessages: false })
const range = { startTime: 1_000, endTime: 2_000 }
const sqlOf = (work: string) => {
  const query = [...benchQueries, ...lineQueries].find(candidate => candidate.work === work)!
  const prepared = prepareOver(query, oracle, range)
  return toSql(prepared, prepared.next().query)
}
const from =
  'FROM logs WHERE Timestamp BETWEEN ' +
  "fromUnixTimestamp64Milli(1000, 'UTC') AND fromUnixTimestamp64Milli(2000, 'UTC')"

t.test('matchers and filters become conditions', async t => {
  t.same(sqlOf('service and level'), {
    count: `SELECT count() AS count ${from} AND ServiceName = 'checkout' AND SeverityText = 'error'`,
  })
  t.match(sqlOf('status 500').count, "AND LogAttributes['http.status'] = '500'")
  t.match(sqlOf('substring "entication fail"').count, "AND Body LIKE '%entication fail%'")
  t.match(sqlOf('without the word "session"').count, "AND Body NOT LIKE '%session%'")
  t.match(sqlOf('`port \\d+ ssh2$`').count, "AND match(Body, 'port \\\\d+ ssh2$')")
  const absent = sqlOf('a word that is nowhere (a new one each time)')
  t.match(absent.count, /AND hasToken\(Body, '[a-z]{10}'\)$/)
})

t.test('groups, figures and records have statements of their own', async t => {
  const key = "arrayStringConcat([toString(ServiceName), toString(SeverityText)], '/')"
  t.equal(
    sqlOf('by service and level').groups,
    `SELECT ${key} AS key, count() AS figure ${from} GROUP BY ServiceName, SeverityText`,
  )
  t.match(sqlOf('95th percentile of a number by service').groups, /quantileExactInclusive\(0\.95\)/)
  const last = sqlOf('last 100 errors with total')
  t.match(last.records, / AND SeverityText = 'error' ORDER BY Timestamp desc LIMIT 100$/)
  t.match(last.count, / AND SeverityText = 'error'$/)
})
