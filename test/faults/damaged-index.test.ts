import fs from 'node:fs'
import { join } from 'node:path'
import { open } from 'lmdb'
import t, { type Test } from 'tap'
import { runCommand } from '../../src/cli/commands.ts'
import { youngestMeta } from '../../src/lmdb/file.ts'
import { pageHeader } from '../../src/lmdb/tree.ts'
import { fakeTerminal } from '../cli/fake-terminal.ts'
import { directoryOfProcess } from '../directory-of-process.ts'
import { seed, share } from '../long-runs.ts'
import { type ServiceProcess, startServiceOf } from '../service/service-process.ts'
import { until } from '../until.ts'
import { makeIndexed, recordCount } from './damaged-index.ts'
import { tryDamages } from './damaged-index-tries.ts'

const pageBytes = 4_096
/** A query that the index answers alone. */
const countAll = 'count(logs)'

let indexed: Promise<string> | undefined

async function makeOnce(): Promise<string> {
  const directory = directoryOfProcess('indexed')
  await makeIndexed(directory)
  return directory
}

async function directoryIn(t: Test): Promise<{ dataDir: string; index: string }> {
  indexed ??= makeOnce()
  const dataDir = t.testdir()
  fs.cpSync(await indexed, dataDir, { recursive: true })
  return { dataDir, index: join(dataDir, 'index.lmdb') }
}

/** Exchanges two pages of entries. `r+`: in the file that a service may have open. */
function exchangePages(path: string): void {
  const bytes = fs.readFileSync(path)
  const isLeaf = (page: number) => {
    const at = page * pageBytes
    const isItself = bytes.readBigUInt64LE(at) === BigInt(page)
    const entryCount = bytes.readUInt16LE(at + pageHeader.lowerOffset) / 2
    return isItself && bytes.readUInt16LE(at + pageHeader.flagsOffset) === 2 && entryCount > 20
  }
  const [one, other] = [...Array(bytes.length / pageBytes).keys()].filter(isLeaf)
  const [from, to] = [one! * pageBytes, other! * pageBytes]
  const exchanged = Buffer.from(bytes)
  bytes.copy(exchanged, from, to, to + pageBytes)
  bytes.copy(exchanged, to, from, from + pageBytes)
  fs.writeFileSync(path, exchanged, { flag: 'r+' })
}

/** Takes all blocks but those of the first segment out: LMDB finds nothing wrong with such a file. */
async function loseBlocks(path: string): Promise<void> {
  const root = open({ path, noSubdir: true, eventTurnBatching: false })
  const blocks = root.openDB<unknown, number[]>({ name: 'blocks' })
  await root.transaction(() => {
    for (const key of blocks.getKeys()) if (key[2] !== 1) blocks.remove(key)
  })
  await root.close()
}

/** Lists a page that is in use as free: LMDB takes it for the next write, and finds that it is the same. */
function freePageInUse(path: string): void {
  const fd = fs.openSync(path, 'r+')
  try {
    const [free, main] = youngestMeta(fd)!.roots
    const page = Buffer.alloc(pageBytes)
    const at = Number(free) * pageBytes
    fs.readSync(fd, page, 0, pageBytes, at)
    const end = pageHeader.bytes + page.readUInt16LE(pageHeader.lowerOffset)
    for (let pointer = pageHeader.bytes; pointer < end; pointer += 2) {
      const node = pageHeader.bytes + page.readUInt16LE(pointer)
      const list = node + 8 + page.readUInt16LE(node + 6)
      const count = Number(page.readBigUInt64LE(list))
      for (let i = 1; i <= count; i++) page.writeBigUInt64LE(main!, list + 8 * i)
    }
    fs.writeSync(fd, page, 0, pageBytes, at)
  } finally {
    fs.closeSync(fd)
  }
}

async function inspect(path: string) {
  const terminal = fakeTerminal()
  const code = await runCommand(['inspect', '--verify', path], terminal)
  return { code, printed: terminal.printed() }
}

async function countIn(service: ServiceProcess): Promise<number> {
  return (await service.query(countAll)).body.count
}

async function reasonsOf(service: ServiceProcess): Promise<string> {
  return ((await service.call('GET', '/health')).body.reasons ?? []).join('\n')
}

/** How often the index was found damaged. */
async function foundIn(service: ServiceProcess): Promise<number> {
  const { body } = await service.call('GET', '/metrics')
  return Number(/^logstrata_damage_found_total\{kind="index"\} (\d+)$/m.exec(body)?.[1])
}

t.test('whatever happens to the index by chance, nothing is hidden and all comes up', async t => {
  const report = await tryDamages(t.testdir(), { from: seed, count: share(60) })
  t.same(report.violations, [])
  t.ok(report.said > share(20), `${report.said} of ${report.tried} were noticed`)
})

for (const [what, harm] of [
  ['two pages exchanged', exchangePages],
  ['blocks missing that LMDB does not miss', loseBlocks],
  ['a page free that is in use', freePageInUse],
] as const) {
  t.test(`an index with ${what} is found by inspect, and by a start`, async t => {
    const { dataDir, index } = await directoryIn(t)
    t.match(await inspect(dataDir), { code: 0, printed: /index.lmdb: whole/ })
    await harm(index)
    t.match(await inspect(dataDir), { code: 1, printed: /index.lmdb: offset 0: .*(page|footer)/ })

    const service = await startServiceOf(t, dataDir)
    t.equal(await countIn(service), recordCount)
    t.match(service.output.stderr, /"level":40.*the index .*building it anew/)
    t.match(await reasonsOf(service), /index_damaged: the index .*built anew/)
    t.equal(await service.end(), 0)
    t.match(await inspect(dataDir), { code: 0 })
  })
}

t.test('an index that is damaged while it is in use is found by the scrub', async t => {
  const { dataDir, index } = await directoryIn(t)
  const service = await startServiceOf(t, dataDir, { flags: ['--scrub-interval', '200ms'] })
  t.equal(await countIn(service), recordCount)
  t.notMatch(await reasonsOf(service), /index/)
  let found = 0
  for (const harm of [exchangePages, exchangePages]) {
    harm(index)
    found++
    await until(async () => (await foundIn(service)) === found)
    t.equal(await countIn(service), recordCount)
  }
  t.match(service.output.stderr, /"level":40.*the index is damaged.*building it anew/)
  t.match(await reasonsOf(service), /index_damaged: the index is damaged/)
  // It goes on to be written, and is sound.
  const token = await service.makeToken()
  await service.send(token, { message: 'one more' })
  t.equal(await service.end(), 0)
  t.match(await inspect(dataDir), { code: 0 })
  t.same(
    fs
      .readdirSync(dataDir)
      .filter(name => /^index/.test(name))
      .sort(),
    ['index.lmdb', 'index.lmdb-lock'],
  )
})

t.test('an index over which LMDB ends the process is built anew by the next start', async t => {
  const { dataDir, index } = await directoryIn(t)
  const flags = ['--journal-file-bytes', '4KiB']
  const first = await startServiceOf(t, dataDir, { flags })
  const token = await first.makeToken()
  freePageInUse(index)
  const send = (service: ServiceProcess) => service.send(token, { message: 'm'.repeat(3_000) })
  let sent = 0
  // Each new file of the journal is noted in the index, and so is each segment.
  const isSent = () =>
    send(first).then(
      () => true,
      () => false,
    )
  while (sent < 500 && (await isSent())) sent++
  t.equal(await first.exit, 'SIGABRT')
  t.match(first.output.stderr, /mdb_page_touch/)

  const second = await startServiceOf(t, dataDir, { flags })
  t.match(second.output.stderr, /the index was open when the process before ended/)
  await send(second)
  t.ok((await countIn(second)) > recordCount + sent)
  t.equal(await second.end(), 0)
  t.match(await inspect(index), { code: 0 })
})
