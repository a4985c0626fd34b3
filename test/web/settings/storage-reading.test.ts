import { readFileSync } from 'node:fs'
import t from 'tap'
import { serviceSettings } from '../../../src/config/config.ts'
import type { StorageStats } from '../../../src/http/resources/storage-stats.ts'
import {
  bytesPerRecord,
  findingsOf,
  rateOf,
  samplesMax,
  withSample,
} from '../../../src/web/settings/storage-reading.ts'

function stats(time: number, accepted = 0, bytes = 0): StorageStats {
  return {
    time,
    journal: {
      records: 0,
      bytes: 0,
      files: 1,
      unsealedFiles: 0,
      pendingBytes: 0,
      lastCommitMs: 0,
    },
    segments: { records: 0, bytes: 0, files: 0 },
    disk: { freeBytes: 500e9, totalBytes: 1e12 },
    quarantine: { files: 0, bytes: 0 },
    retention: { ageMs: null, bytes: null, deletedSegments: 0 },
    events: { accepted, rejected: 0, bytes },
    scrub: {
      bytes: 0,
      passes: 0,
      lastPassMs: 0,
      lastPassAt: null,
      findings: 0,
      damagedBlocks: 0,
    },
    backups: { lastAt: null, catalogCopyAt: null },
    isReady: true,
    reasons: [],
    queuedScans: 0,
  }
}

t.test('a rate is between the first and the last sample', async t => {
  t.equal(rateOf([]), undefined)
  t.equal(rateOf([stats(0)]), undefined)
  const samples = [stats(0), stats(2_000, 10, 100), stats(4_000, 40, 800)]
  t.same(rateOf(samples), { eventsPerSecond: 10, bytesPerSecond: 200 })
})

t.test('samples are few, each counts once, and a new start begins anew', async t => {
  let samples: readonly StorageStats[] = []
  for (let i = 0; i < 20; i++) samples = withSample(samples, stats(i, i))
  t.equal(samples.length, samplesMax)
  t.equal(samples.at(-1)?.time, 19)
  t.equal(withSample(samples, samples.at(-1)!), samples)
  t.equal(withSample(samples, stats(20, 3)).length, 1)
})

t.test('bytes of a record are not told without any', async t => {
  t.equal(bytesPerRecord({ records: 0, bytes: 5 }), undefined)
  t.equal(bytesPerRecord({ records: 4, bytes: 100 }), 25)
})

t.test('all is well until something is not, and then all of it is told', async t => {
  const fine = stats(0)
  t.same(
    findingsOf(fine).map(({ kind }) => kind),
    ['ok'],
  )
  const reasons = ['disk_full: 0 bytes are free']
  t.match(findingsOf({ ...fine, reasons, isReady: false }), [{ kind: 'error', text: /0 bytes/ }])
  t.match(findingsOf({ ...fine, reasons }), [{ kind: 'warn', text: /0 bytes/ }])
  const { journal } = fine
  const slow = { ...fine, journal: { ...journal, lastCommitMs: 2_000 } }
  t.match(findingsOf(slow), [{ kind: 'warn', text: /2 s/ }])
  const behind = { ...journal, pendingBytes: 1e9, unsealedFiles: 9 }
  t.equal(findingsOf({ ...fine, journal: behind, queuedScans: 1_000 }).length, 3)
})

t.test('little room on the disk is told, by the size of the disk', async t => {
  const says = (freeBytes: number, totalBytes: number, kind: 'ok' | 'warn') =>
    t.match(findingsOf({ ...stats(0), disk: { freeBytes, totalBytes } }), [{ kind }])

  says(19e9, 10e12, 'warn')
  says(22e9, 10e12, 'ok')
  says(0.9e9, 10e9, 'warn')
  says(1.1e9, 10e9, 'ok')
})

t.test('what lies in quarantine is told', async t => {
  const damaged = { ...stats(0), quarantine: { files: 1, bytes: 2_048 } }
  t.match(findingsOf(damaged), [{ kind: 'warn', text: /1 part of files, 2 KiB.*quarantine\// }])
})

t.test('settings that the page names are settings of the service', async t => {
  const known = Object.values(serviceSettings).flatMap(({ flag, variable }) => [flag, variable])
  for (const file of ['retention-group.tsx', 'storage-reading.ts', 'snippet-panel.tsx']) {
    const path = new URL(`../../../src/web/settings/${file}`, import.meta.url)
    const text = readFileSync(path, 'utf8')
    const named = [...text.matchAll(/--([a-z]+(?:-[a-z]+)*)|(LOGSTRATA_[A-Z_]+)/g)]
    t.ok(named.length > 0, file)
    for (const [, flag, variable] of named)
      t.ok(known.includes(flag ?? variable!), flag ?? variable!)
  }
})
