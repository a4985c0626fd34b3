import t from 'tap'
import type { StorageStats } from '../../../src/http/resources/storage-stats.ts'
import { ingestionSecret, keyOf, startServer } from '../stand-ins.ts'

t.test('storage is shown to every API key, figure by figure', async t => {
  const { url } = await startServer(t)
  const before = Date.now()
  const response = await fetch(`${url}/api/v1/settings/storage`, {
    headers: { Authorization: `Bearer ${keyOf.viewer}` },
  })
  const { time, ...figures } = (await response.json()) as StorageStats
  t.ok(before <= time && time <= Date.now())
  t.same(figures, {
    journal: {
      records: 1,
      bytes: 3,
      files: 2,
      unsealedFiles: 12,
      pendingBytes: 8,
      lastCommitMs: 10.5,
    },
    segments: { records: 4, bytes: 6, files: 5 },
    disk: { freeBytes: 24, totalBytes: 25 },
    quarantine: { files: 26, bytes: 27 },
    retention: { ageMs: 86_400_000, bytes: null, deletedSegments: 17 },
    scrub: {
      bytes: 0,
      passes: 0,
      lastPassMs: 0,
      lastPassAt: null,
      findings: 0,
      damagedBlocks: 0,
    },
    backups: { lastAt: null, catalogCopyAt: 28 },
    events: { accepted: 20, rejected: 21, bytes: 22 },
    isReady: true,
    reasons: [],
    queuedScans: 11,
  })
})

t.test('storage is shown to nobody without an API key', async t => {
  const { url } = await startServer(t)
  t.equal((await fetch(`${url}/api/v1/settings/storage`)).status, 401)
  const headers = { Authorization: `Bearer ${ingestionSecret}` }
  t.equal((await fetch(`${url}/api/v1/settings/storage`, { headers })).status, 403)
})
