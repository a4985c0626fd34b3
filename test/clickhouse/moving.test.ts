/** Records move from segments to ClickHouse and back: each of them, once, whatever happens meanwhile. */
import fs from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import t from 'tap'
import { fakeTerminal } from '../cli/fake-terminal.ts'
import { compare, storedRecords } from '../differential/asking.ts'
import { arbitraryEvent } from '../differential/events.ts'
import { arbitraryQuestion } from '../differential/questions.ts'
import { makeSenders, sendAll } from '../differential/senders.ts'
import { seed, share } from '../long-runs.ts'
import { type ServiceProcess, startService } from '../service/service-process.ts'
import { sampleOf } from '../store/random-store.ts'
import { engineMissing } from './installed-engine.ts'
import { fill, from, onClickHouse, onFiles, segmentsIn, ship, to } from './moving-runs.ts'
import { sharedPlaces } from './shared-engine.ts'

const skip = engineMissing ?? false

t.test('there and back, all answers are what they were', { skip }, async t => {
  const places = await sharedPlaces(t)
  const { engine, dataDir } = places
  const events = sampleOf(arbitraryEvent, 300, seed)
  const stores = {
    local: ['--store', 'local'],
    clickhouse: ['--store', 'clickhouse', '--clickhouse-url', `${engine.url}/default`],
  }
  let service: ServiceProcess | undefined
  t.teardown(() => service?.end('SIGKILL'))
  service = await startService(dataDir, { flags: stores.local })
  const sent = await sendAll(service, await makeSenders(service), events, seed)
  const records = await storedRecords(service, sent)
  const questions = fc.sample(arbitraryQuestion(records), { numRuns: share(8), seed })
  const answers = async (one: ServiceProcess) => {
    const page = { startTime: -8.64e15, endTime: 8.64e15, limit: 100, order: 'desc' }
    const { body } = await one.call('POST', '/api/v1/query/logs', {
      body: { query: 'logs', ...page },
    })
    const { stats: _, ...answer } = body
    for (const question of questions) await compare(one, records, question)
    return answer
  }
  const before = await answers(service)
  t.equal(before.count, 300)
  await service.end()

  const there = await ship(places, to)
  t.equal(there.code, 0, there.complained)
  t.match(there.complained, /^moving 300 records, .* in .*, to ClickHouse, where .* are free\n/)
  t.match(there.complained, /\nmoved 300 records in .*; start the service with --store clickhouse/)
  t.match(there.printed, /^day \(UTC\)\s+segments\s+ClickHouse\n/)
  t.match(there.printed, /\ntogether\s+300\s+300\s+agree\n$/)
  t.same(segmentsIn(places), [])
  t.same(fs.readdirSync(join(dataDir, 'journal')), [])
  service = await startService(dataDir, { flags: stores.clickhouse })
  t.same(await answers(service), before, 'ids and cursors as well')
  await service.end()

  const back = await ship(places, from)
  t.equal(back.code, 0, back.complained)
  t.match(back.complained, /nothing was deleted there; start the service with --store local/)
  t.match(back.printed, /\ntogether\s+300\s+300\s+agree\n$/)
  service = await startService(dataDir, { flags: stores.local })
  t.same(await answers(service), before)
  t.match((await service.call('GET', '/health')).body, { status: 'ok' })
  await service.end()
  t.equal((await engine.ask('SELECT count() FROM otel_logs')).trim(), '300')
})

t.test(
  'a damaged block is named, and nothing is removed before somebody says so',
  { skip },
  async t => {
    const places = await sharedPlaces(t)
    const before = await fill(places)
    const segments = segmentsIn(places)
    const [{ path }] = segments as [(typeof segments)[number]]
    const whole = fs.readFileSync(path)
    const bytes = Buffer.from(whole)
    bytes[30]! ^= 4 // In the first chunk of the first block.
    fs.writeFileSync(path, bytes)
    const refused = await ship(places, to)
    t.equal(refused.code, 1)
    t.match(
      refused.complained,
      /seg: \d+ records? of a block are not moved, because it is damaged at/,
    )
    t.match(refused.complained, /put whole copies of the segments back .* or .* --without-damaged/)
    t.match(refused.printed, /agree/)
    t.ok(segmentsIn(places).length >= segments.length)
    t.ok(fs.readdirSync(join(places.dataDir, 'quarantine')).length === 1, 'a copy is kept')

    fs.writeFileSync(path, whole)
    t.match(await ship(places, to), { code: 0 }, 'put back')
    t.same(await onClickHouse(places), before)
  },
)

t.test('without its damaged blocks a segment is moved, and kept', { skip }, async t => {
  const places = await sharedPlaces(t)
  const before = await fill(places)
  const [{ path, day }] = segmentsIn(places) as [ReturnType<typeof segmentsIn>[number]]
  const bytes = fs.readFileSync(path)
  bytes[30]! ^= 4
  fs.writeFileSync(path, bytes)
  const { code, complained, printed } = await ship(places, [...to, '--without-damaged', '--json'])
  t.equal(code, 0, complained)
  t.match(complained, /its segment is in quarantine/)
  const report = JSON.parse(printed)
  const lost = report.damaged.reduce(
    (sum: number, one: { recordCount: number }) => sum + one.recordCount,
    0,
  )
  t.ok(lost > 0)
  t.equal((await onClickHouse(places)).length, before.length - lost)
  const kept = join(places.dataDir, 'quarantine', `${day}-${path.split('/').at(-1)}`)
  t.same(fs.readFileSync(kept), bytes)
})

t.test('segments that are to stay do, and go later', { skip }, async t => {
  const places = await sharedPlaces(t)
  const before = await fill(places)
  t.match(await ship(places, [...to, '--keep']), { code: 0, complained: /segments are kept/ })
  const count = segmentsIn(places).length
  t.ok(count > 0)
  t.same(await onClickHouse(places), before)
  t.match(await ship(places, from), { code: 1, complained: /remove the segments that were kept/ })
  t.match(await ship(places, to), { code: 0 })
  t.same(segmentsIn(places), [])
  t.same(await onClickHouse(places), before)
})

t.test('records of a second directory come behind those that are there', { skip }, async t => {
  const places = await sharedPlaces(t)
  await fill(places)
  t.match(await ship(places, to), { code: 0 })
  const second = { ...places, dataDir: `${places.dataDir}/second` }
  await fill(second)
  t.match(await ship(second, to), { code: 1, complained: /has 300 records already: .* give --add/ })
  t.match(await ship(second, [...to, '--add']), { code: 0 })
  const found = await places.engine.ask('SELECT count(), uniqExact(Sequence) FROM otel_logs')
  t.equal(found.trim(), '600\t600')
})

t.test('what cannot be is refused, and says what to do', { skip }, async t => {
  const places = await sharedPlaces(t)
  const { dataDir, engine } = places
  const refuses = async (code: number, complaint: RegExp, flags: readonly string[]) => {
    const ran = await ship(places, flags)
    t.equal(ran.code, code, ran.complained)
    t.match(ran.complained, complaint)
  }
  await refuses(2, /give either --to clickhouse or --from clickhouse/, [])
  await refuses(2, /give either --to/, [...to, ...from])
  await refuses(2, /--delete is of use with --from only/, [...to, '--delete'])
  await refuses(2, /--keep is of use with --to only/, [...from, '--keep'])
  await refuses(0, /nothing to move: there are no records in segments/, to)
  const without = fakeTerminal()
  const { runCommand } = await import('../../src/cli/commands.ts')
  t.equal(await runCommand(['ship', ...to, '--data-dir', dataDir], without), 2)
  t.match(without.complained(), /give --clickhouse-url/)

  const service = await startService(dataDir)
  t.teardown(() => service.end('SIGKILL'))
  await refuses(1, /in use by process \d+; stop it first/, to)
  await service.send(await service.makeToken(), { message: 'mine' })
  await service.end()
  await refuses(1, /records that are not in ClickHouse: give that of the service/, from)
  await engine.ask('INSERT INTO logstrata_versions (version) VALUES (99)')
  await refuses(1, /tables of version 99, known is \d+: a newer Logstrata/, to)
  t.equal((await onFiles(places)).length, 1, 'and nothing has changed')
})
