import fs from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { Selector } from '../../src/language/ast.ts'
import type { LocalStore } from '../../src/store/local-store.ts'
import { longRow, share } from '../long-runs.ts'
import { allRecords, countIn, neverAborted, openStoreIn } from '../store/store-in.ts'

const streams = ['checkout', 'search', 'mail'].map(service => ({ service, environment: 'prod' }))
const perStream = 150
const all = streams.length * perStream

/** A directory with one segment of three blocks, one a stream. */
async function makeDirectory(dataDir: string): Promise<string> {
  const store = await openStoreIn(dataDir)
  for (let i = 0; i < all; i++) {
    const attributes = ['n', `${i}`, 'trace_id', (i * 7919).toString(16).padStart(32, '0')]
    const message = `event ${i} took ${i * 3} ms at ${i % 7}.example`
    const record = { timestamp: 1_000 + i, level: i % 5 ? 'info' : 'error', message, attributes }
    await store.append(record, streams[i % 3]!)
  }
  await store.settle()
  await store.close()
  return segmentsIn(dataDir)[0]!
}

function segmentsIn(dataDir: string): string[] {
  const directory = join(dataDir, 'segments')
  return fs
    .readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.seg'))
    .map(name => join(directory, name))
}

/** Matches all, and cannot be answered from the index. */
const everyMessage: Selector = {
  kind: 'selector',
  matchers: [{ label: 'trace_id', operator: '=~', value: '[0-9a-f]+' }],
  filters: [{ operator: '|=', text: 'event' }],
}

async function messagesOf(store: LocalStore, selector: Selector): Promise<string[]> {
  const { records, count } = await store.select({ ...allRecords, selector }, neverAborted)
  const wrong = records.filter(({ message, attributes, timestamp }) => {
    const n = Number(attributes.n)
    return message !== `event ${n} took ${n * 3} ms at ${n % 7}.example` || timestamp !== 1_000 + n
  })
  if (wrong.length > 0) throw new Error(`wrong records: ${JSON.stringify(wrong.slice(0, 3))}`)
  if (count < records.length) throw new Error(`count ${count}, records ${records.length}`)
  return records.map(record => record.message)
}

/** Opens a store on a directory whose segment was changed, and asks it twice. */
async function findsAfterDamage(
  dataDir: string,
): Promise<{ first: number; second: number; byIndex: number; log: string }> {
  const log: Record<string, unknown>[] = []
  const store = await openStoreIn(dataDir, { log, flags: ['--scan-threads', '1'] })
  try {
    const first = (await messagesOf(store, everyMessage)).length
    const second = (await messagesOf(store, everyMessage)).length
    return { first, second, byIndex: await countIn(store), log: JSON.stringify(log) }
  } finally {
    await store.close()
  }
}

function copyOf(t: Test, dataDir: string, name: string): string {
  const copy = join(t.testdirName, name)
  fs.cpSync(dataDir, copy, { recursive: true })
  return copy
}

t.test('a flipped bit anywhere in a segment costs one block at most, and never lies', async t => {
  const dataDir = join(t.testdir(), 'whole')
  const bytes = fs.readFileSync(await makeDirectory(dataDir))
  let damaged = 0
  const places = 60
  for (const nth of longRow([...Array(places).keys()])) {
    const at = Math.floor((nth * bytes.length) / places)
    const copy = copyOf(t, dataDir, 'flipped')
    const flipped = Buffer.from(bytes)
    flipped[at]! ^= 1 << (at % 8)
    fs.writeFileSync(segmentsIn(copy)[0]!, flipped)
    const { first, second, log } = await findsAfterDamage(copy)
    const lost = all - first
    t.ok(lost === 0 || lost === perStream, `byte ${at}: ${lost} records lost`)
    t.equal(second, first, 'the second answer is the same')
    if (lost > 0) {
      damaged++
      t.match(log, /a block is damaged/)
      t.ok(fs.readdirSync(join(copy, 'quarantine')).length > 0, 'it is kept for a person')
    }
    fs.rmSync(copy, { recursive: true })
  }
  t.ok(damaged > share(10), `${damaged} of the flips cost a block`)
})

t.test('counts from the index agree with what can be read, once damage was met', async t => {
  const dataDir = join(t.testdir(), 'whole')
  const path = await makeDirectory(dataDir)
  const bytes = fs.readFileSync(path)
  bytes[40]! ^= 1 // Inside the first block.
  fs.writeFileSync(path, bytes)
  const { first, byIndex } = await findsAfterDamage(dataDir)
  t.equal(first, all - perStream)
  t.equal(byIndex, all - perStream)
})

t.test('a cut, swapped, empty, foreign or missing file is said, and all others serve', async t => {
  const dataDir = join(t.testdir(), 'whole')
  const path = await makeDirectory(dataDir)
  const bytes = fs.readFileSync(path)
  const other = join(t.testdirName, 'other')
  await makeDirectory(other)
  const cases: [string, (path: string) => void, number, RegExp][] = [
    ['cut in half', path => fs.truncateSync(path, bytes.length >> 1), 2 * perStream, /segment/],
    ['empty', path => fs.writeFileSync(path, ''), all, /quarantine/],
    ['foreign', path => fs.writeFileSync(path, 'dear grandmother '.repeat(99)), all, /quarantine/],
    ['missing', path => fs.rmSync(path), all, /index/],
    [
      'of another number',
      path => fs.renameSync(path, path.replace('00000001', '00000009')),
      all,
      /quarantine/,
    ],
  ]
  for (const [what, change, lostMax, said] of cases) {
    const copy = copyOf(t, dataDir, 'changed')
    change(segmentsIn(copy)[0]!)
    const { first, second, log } = await findsAfterDamage(copy)
    t.ok(all - first <= lostMax || lostMax === all, `${what}: ${all - first} lost`)
    t.equal(second, first)
    t.match(log, said, `${what} is said`)
    fs.rmSync(copy, { recursive: true })
  }
})

t.test('a journal file that comes back after it was sealed changes nothing', async t => {
  const dataDir = t.testdir()
  const store = await openStoreIn(dataDir)
  for (let i = 0; i < 10; i++) {
    const record = { timestamp: i, level: 'info', message: `m${i}`, attributes: [] }
    await store.append(record, streams[0]!)
  }
  const journal = join(dataDir, 'journal', '00000001.log')
  const kept = fs.readFileSync(journal)
  await store.settle()
  await store.close()
  t.notOk(fs.existsSync(journal))
  const compacting = await openStoreIn(dataDir)
  for (let file = 0; file < 4; file++) {
    const record = { timestamp: 50 + file, level: 'info', message: 'more', attributes: [] }
    for (let i = 0; i < 10; i++) await compacting.append(record, streams[0]!)
    await compacting.settle()
  }
  t.ok(compacting.stats().compactions > 0, 'its segment was compacted')
  await compacting.close()
  fs.writeFileSync(journal, kept)
  for (let round = 0; round < 2; round++) {
    const again = await openStoreIn(dataDir)
    t.equal((await again.select(allRecords, neverAborted)).count, 50)
    await again.close()
  }
})
