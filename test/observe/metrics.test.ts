/** The metrics that queries leave. */
import t from 'tap'
import { Metrics } from '../../src/observe/metrics.ts'
import type { SelectStats } from '../../src/store/store.ts'

t.test('what queries looked at is summed, and told the same whenever somebody looks', async t => {
  const metrics = new Metrics()
  const stats = { segments: 2, blocks: 30, blocksScanned: 0, damagedFrames: 1, elapsedMs: 1.5 }
  const told = async () => (await metrics.text()).match(/^logstrata_query_work_total\{.*$/gm)
  t.equal(await told(), null, 'nothing before a query')
  metrics.queries.noteQuery(stats as unknown as SelectStats)
  metrics.queries.noteQuery({ ...stats, blocks: 12, blocksScanned: 5 } as unknown as SelectStats)
  const expected = ['segments"} 4', 'blocks"} 42', 'damagedFrames"} 2', 'blocksScanned"} 5']
  for (let look = 0; look < 2; look++) {
    t.same(
      await told(),
      expected.map(what => `logstrata_query_work_total{what="${what}`),
    )
  }
})
