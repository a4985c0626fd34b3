import fs from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { Health } from '../../../src/health.ts'
import type { LocalStore } from '../../../src/store/local-store.ts'
import { until } from '../../until.ts'
import { allRecords, neverAborted, openStoreIn } from '../store-in.ts'
import { filesIn } from './sealed-records.ts'

const streams = ['checkout', 'search', 'mail'].map(service => ({ service, environment: 'prod' }))
const perStream = 100
const often = ['--scrub-interval', '100ms']

async function append(store: LocalStore, from = 0): Promise<void> {
  for (let i = from; i < from + streams.length * perStream; i++) {
    const record = { timestamp: i, level: 'info', message: `event ${i}`, attributes: [] }
    await store.append(record, streams[i % 3]!)
  }
}

/** A directory with one segment of three blocks. Returns the segment's path. */
async function makeSegment(dataDir: string): Promise<string> {
  const store = await openStoreIn(dataDir)
  await append(store)
  await store.settle()
  await store.close()
  return join(dataDir, 'segments', filesIn(join(dataDir, 'segments'))[0]!)
}

function flip(path: string, at: number): void {
  const bytes = fs.readFileSync(path)
  bytes[at]! ^= 1
  fs.writeFileSync(path, bytes, { flag: 'r+' })
}

/** The index alone answers it. */
async function countIn(store: LocalStore): Promise<{ count: number; damagedBlocks: number }> {
  const answer = await store.select({ ...allRecords, limit: 0 }, neverAborted)
  return { count: answer.count, damagedBlocks: answer.stats.damagedBlocks }
}

t.test(
  'a damaged block is found before anybody asks for it, and is left out from then on',
  async t => {
    const dataDir = t.testdir()
    const path = await makeSegment(dataDir)
    const health = new Health(dataDir)
    const log: Record<string, unknown>[] = []
    const store = await openStoreIn(dataDir, { flags: often, log, health })
    t.same(await countIn(store), { count: 3 * perStream, damagedBlocks: 0 })
    flip(path, 40) // Inside the first block.
    await until(() => store.stats().damagedBlocks > 0)
    t.same(await countIn(store), { count: 2 * perStream, damagedBlocks: 1 })
    t.match(store.stats().findings, { block: 1, index: 0, footer: 0, frame: 0, file: 0 })
    t.match(await health.text('data_damaged'), /1 blocks of segments 1 are damaged/)
    t.match(JSON.stringify(log), /a block is damaged; its records are lost/)
    t.equal(fs.readdirSync(join(dataDir, 'quarantine')).length, 1)
    await store.close()

    for (const lostIndex of [false, true]) {
      if (lostIndex) fs.rmSync(join(dataDir, 'index.lmdb'))
      const again = await openStoreIn(dataDir)
      t.same(await countIn(again), { count: 2 * perStream, damagedBlocks: 1 }, 'the first answer')
      await again.close()
    }

    flip(path, 40)
    const healed = await openStoreIn(dataDir, { log })
    t.same(await countIn(healed), { count: 3 * perStream, damagedBlocks: 0 })
    t.match(JSON.stringify(log), /a block that was damaged is whole again/)
    await healed.close()
  },
)

t.test('a footer that is damaged is said once, and costs nothing', async t => {
  const dataDir = t.testdir()
  const path = await makeSegment(dataDir)
  const health = new Health(dataDir)
  const store = await openStoreIn(dataDir, { flags: often, health })
  flip(path, fs.statSync(path).size - 40)
  await until(() => store.stats().findings.footer > 0)
  const { scrubPasses } = store.stats()
  await until(() => store.stats().scrubPasses > scrubPasses + 1)
  t.match(store.stats().findings, { footer: 1, block: 0 })
  t.same(await countIn(store), { count: 3 * perStream, damagedBlocks: 0 })
  t.match(await health.text('data_damaged'), /1970-01-01\/00000001\.seg: the footer is damaged/)
  await store.close()
})

t.test('a damaged frame of the journal is found and kept', async t => {
  const dataDir = t.testdir()
  const health = new Health(dataDir)
  const log: Record<string, unknown>[] = []
  const store = await openStoreIn(dataDir, { flags: often, log, health })
  await append(store)
  flip(join(dataDir, 'journal', '00000001.log'), 200)
  await until(() => store.stats().findings.frame > 0)
  t.match(await health.text('data_damaged'), /00000001\.log at \d+: .* no intact frame/)
  t.match(JSON.stringify(log), /a part of a journal file is damaged/)
  t.match(fs.readdirSync(join(dataDir, 'quarantine')), [/^00000001\.log\.\d+$/])
  await store.close()
})

t.test('all of segments and journal is read, a part at a time', async t => {
  const dataDir = t.testdir()
  const path = await makeSegment(dataDir)
  const store = await openStoreIn(dataDir, { flags: [...often, '--scrub-rate', '20KiB'] })
  await append(store, 1_000)
  await until(() => store.stats().scrubPasses >= 2)
  const { scrubbedBytes, scrubPassMs, journalBytes, findings } = store.stats()
  t.ok(scrubbedBytes > 2 * (fs.statSync(path).size - 1_000) + journalBytes / 2)
  t.ok(scrubPassMs > 0)
  t.same(findings, { index: 0, block: 0, footer: 0, frame: 0, file: 0 })
  await store.close()
})

t.test('a segment that is gone is said', async t => {
  const dataDir = t.testdir()
  const path = await makeSegment(dataDir)
  const store = await openStoreIn(dataDir, { flags: often })
  fs.rmSync(path)
  await until(() => store.stats().findings.file > 0)
  await store.close()
})
