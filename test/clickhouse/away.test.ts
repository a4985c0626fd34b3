/** An engine that is away: what is sent meanwhile is acknowledged, and there once when it is back. */
import t from 'tap'
import { engineAway } from './away.ts'
import { engineMissing } from './installed-engine.ts'

const skip = engineMissing ?? false

t.test('events and questions go on while the engine is paused, and gone', { skip }, async t => {
  const report = await engineAway(t.testdir({ engine: {} }), 2_000)
  t.ok(report.sent > 200, `${report.sent} were sent`)
  t.equal(report.acknowledged, report.sent)
  t.same([...report.ready], [200])
  t.same([...report.answers].toSorted(), ['503 clickhouse_unreachable', '503 query_timeout'])
  t.same(report.violations, [])
  t.equal(report.rows, report.sent)
  t.equal(report.distinctRows, report.sent)
})
