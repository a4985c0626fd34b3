import t from 'tap'
import { crashLoop } from './crash.ts'

t.test('every acknowledged event survives kill -9 in the middle of a load, once', async t => {
  const report = await crashLoop(t.testdir(), 5)
  t.ok(report.acknowledged > 100, `${report.acknowledged} events were acknowledged`)
  t.same(report.violations.slice(0, 10), [])
})
