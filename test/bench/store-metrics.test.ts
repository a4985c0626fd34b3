import t from 'tap'
import { parseMetrics } from '../../bench/store-metrics.ts'
import { median, percentile } from '../../bench/table.ts'
import { Metrics } from '../../src/observe/metrics.ts'
import { storeStats } from '../http/stand-ins.ts'

t.test('the service’s figures are read from what it shows', async t => {
  const metrics = new Metrics()
  const stats = { ...storeStats, segmentBytes: 6e21, sealMs: 1_500 }
  let looks = 0
  metrics.watchStore({
    stats() {
      looks++
      return stats
    },
  })
  looks = 0
  metrics.noteAccepted(17, 18)
  t.same(parseMetrics(await metrics.text()), {
    acceptedRecords: 17,
    journalRecords: 1,
    unsealedFiles: 12,
    sealedRecords: 13,
    sealSeconds: 1.5,
    compactions: 15,
    segmentRecords: 4,
    segmentFiles: 5,
    segmentBlocks: 7,
    segmentBytes: 6e21,
  })
  t.equal(looks, 1, 'one look at the store gives all figures')
  t.match(await metrics.text(), /^logstrata_compaction_seconds_total 0.016$/m)
})

t.test('a figure that is missing is named', async t => {
  t.throws(() => parseMetrics('logstrata_events_accepted_total 1\n'), /no logstrata_journal_rec/)
})

t.test('percentiles are values that were measured', async t => {
  const values = Array.from({ length: 200 }, (_, index) => 200 - index)
  t.equal(percentile(values, 50), 100)
  t.equal(percentile(values, 99), 198)
  t.equal(percentile(values, 100), 200)
  t.equal(percentile([7], 99), 7)
  t.equal(median([4, 1, 2]), 2)
  t.throws(() => percentile([], 50))
})
