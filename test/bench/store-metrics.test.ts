import t from 'tap'
import { parseMetrics } from '../../bench/store-metrics.ts'
import { median, percentile } from '../../bench/table.ts'
import { Metrics } from '../../src/observe/metrics.ts'

t.test('the service’s figures are read from what it shows', async t => {
  const metrics = new Metrics()
  const stats = {
    journalRecords: 1,
    journalFiles: 2,
    journalBytes: 3,
    segmentRecords: 4,
    segmentFiles: 5,
    segmentBytes: 6e21,
    segmentBlocks: 7,
    pendingBytes: 8,
    commitCount: 9,
    lastCommitMs: 10,
    queuedScans: 11,
    unsealedFiles: 12,
    sealedRecords: 13,
    sealMs: 1_500,
    compactions: 15,
    compactionMs: 14,
    deletedSegments: 16,
    scrubbedBytes: 0,
    scrubPasses: 0,
    scrubPassMs: 0,
    scrubPassAt: 0,
    findings: { index: 0, block: 0, footer: 0, frame: 0, file: 0 },
    damagedBlocks: 0,
    tailingClients: 19,
    tailDroppedRecords: 20,
  }
  let looks = 0
  metrics.watchStore({
    stats() {
      looks++
      return stats
    },
  })
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
  t.match(await metrics.text(), /^logstrata_compaction_seconds_total 0.014$/m)
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
