import fs from 'node:fs'
import { dirname, join } from 'node:path'
import { pino } from 'pino'
import t from 'tap'
import { listSegments, segmentPath } from '../../../src/segment/files.ts'
import { realGround } from '../../../src/store/ground.ts'
import type { CompactTask } from '../../../src/store/maintain/compact.ts'
import type { SealFailure } from '../../../src/store/maintain/seal-tasks.ts'
import { type UpgradeProgress, upgradeSegments } from '../../../src/store/maintain/upgrade.ts'
import { checkout } from '../../journal/records.ts'
import { toFormat1 } from '../../segment/other-formats.ts'
import { sealRecords } from '../../segment/sealed.ts'

const day = '2026-11-20'
const logger = pino({ level: 'silent' })
const { signal } = new AbortController()
const full: SealFailure = { failure: 'disk-full', reason: 'write the segment' }
const strange: SealFailure = { failure: 'other', reason: 'nobody knows' }

/** Three segments of format 1. */
function makeSegments(dataDir: string): void {
  for (const number of [1, 2, 3]) {
    const path = segmentPath(join(dataDir, 'segments'), day, number)
    const at = { stream: checkout, timestamp: number, level: 'info', attributes: [] }
    const replaces = { journals: [number], segments: [] }
    const info = { createdAt: number, replaces, group: [number] }
    sealRecords(path, number, [[{ ...at, message: `m${number}` }]], info)
    toFormat1(path)
  }
}

/** Upgrades with a thread that fails at the second segment. */
async function upgradeFailing(dataDir: string, failure: SealFailure) {
  const thread = realGround.newSealThread()
  let tried = 0
  const compact = async (task: CompactTask) => (++tried === 2 ? failure : thread.compact(task))
  const ground = {
    ...realGround,
    newSealThread: () => ({ ...thread, seal: thread.seal, compact, close: () => thread.close() }),
  }
  const seen: UpgradeProgress[] = []
  const onProgress = (progress: UpgradeProgress) => seen.push(progress)
  const report = await upgradeSegments({ dataDir, logger, signal, onProgress, ground })
  const numbers = listSegments(join(dataDir, 'segments')).map(({ number }) => number)
  return { report, tried, seen, numbers }
}

t.test('on a full disk it stops, and what was not upgraded is there as before', async t => {
  const dataDir = t.testdir()
  makeSegments(dataDir)
  const { report, tried, seen, numbers } = await upgradeFailing(dataDir, full)
  t.match(report, { segments: 3, found: 3, upgraded: 1, isDiskFull: true })
  t.match(report.left, [{ path: /00000002\.seg$/, reason: 'write the segment' }])
  t.same([tried, numbers], [2, [2, 3, 4]])
  t.match(seen, [
    { total: 3, done: 0, doneBytes: 0 },
    { done: 1, doneBytes: seen[0]!.totalBytes / 3 },
  ])
})

t.test('a segment that cannot be written anew keeps no other one from it', async t => {
  const dataDir = t.testdir()
  makeSegments(dataDir)
  const { report, numbers } = await upgradeFailing(dataDir, strange)
  t.match(report, { found: 3, upgraded: 2, isDiskFull: false })
  t.match(report.left, [{ path: /00000002\.seg$/, reason: 'nobody knows' }])
  t.same(numbers, [2, 4, 6])
})

t.test('an index that cannot be written leaves everything as it was', async t => {
  const dataDir = t.testdir()
  makeSegments(dataDir)
  const openIndex: typeof realGround.openIndex = async (...given) => {
    const opened = await realGround.openIndex(...given)
    opened.index.addSegment = async () => {
      throw new Error('write the index')
    }
    return opened
  }
  const ground = { ...realGround, openIndex }
  const upgrade = upgradeSegments({ dataDir, logger, signal, onProgress() {}, ground })
  await t.rejects(upgrade, /write the index/)
  const places = listSegments(join(dataDir, 'segments'))
  t.same(
    places.map(({ number }) => number),
    [1, 2, 3],
  )
  t.equal(fs.readdirSync(dirname(places[0]!.path)).length, 3)
})
