/** What is cut while records move to ClickHouse and back is gone on with: none is lost, none is there twice. */
import t from 'tap'
import { refuseMove } from '../../src/store/clickhouse/move/move-file.ts'
import { fakeTerminal } from '../cli/fake-terminal.ts'
import { startService } from '../service/service-process.ts'
import { appendParts } from '../store/random-store.ts'
import { until } from '../until.ts'
import type { Faults } from './engine/faults.ts'
import type { Places } from './engine-process.ts'
import { engineMissing } from './installed-engine.ts'
import {
  everythingIn,
  fill,
  from,
  onClickHouse,
  onFiles,
  rows,
  ship,
  shipUntil,
  to,
} from './moving-runs.ts'
import { sharedPlaces } from './shared-engine.ts'
import { openStoreOn } from './store-on-engine.ts'

const skip = engineMissing ?? false

t.test('kill -9 at each step of both directions loses and doubles nothing', { skip }, async t => {
  const places = await sharedPlaces(t)
  const before = await fill(places)
  t.equal(before.length, 300)
  for (const point of ['move:sent', 'move:noted', 'move:counted', 'move:removed-one']) {
    t.equal((await shipUntil(places, to, point)).code, 'SIGKILL', point)
    const text = /being moved to ClickHouse: go on with logstrata ship --to clickhouse/
    t.throws(() => refuseMove(places.dataDir, { kept: true }), { message: text })
  }
  t.match(await openRefused(places), /being moved to ClickHouse/)
  t.match(await ship(places, to), { code: 0 })
  t.same(await onClickHouse(places), before, 'there')

  for (const point of ['move:sealed', 'move:noted', 'move:noted', 'move:counted']) {
    t.equal((await shipUntil(places, from, point)).code, 'SIGKILL', point)
    const text = /being moved from ClickHouse: go on with .* --from/
    t.throws(() => refuseMove(places.dataDir), { message: text })
  }
  t.match(await ship(places, [...from, '--delete']), { code: 0 })
  t.same(await onFiles(places), before, 'and back')
  t.equal((await places.engine.ask('SELECT count() FROM otel_logs')).trim(), '0')
})

/** What a service on files says that is started on the directory. */
async function openRefused({ dataDir }: Places): Promise<string> {
  return startService(dataDir).then(
    async service => {
      await service.end('SIGKILL')
      return 'it has started'
    },
    error => String(error.message),
  )
}

function withoutId(record: unknown): object {
  const { id: _, ...rest } = record as { readonly id: string }
  return rest
}

/** Each in its turn: one after the other they are longer and longer waited for. */
const faults: readonly Faults[] = [
  { unansweredInserts: 1, badGateways: 1 },
  { droppedInserts: 1, halves: 1 },
]

t.test(
  'what ClickHouse fails at in the midst is done again, and counts once',
  { skip },
  async t => {
    const places = await sharedPlaces(t)
    let before = await fill(places)
    for (const fault of faults) {
      const what = Object.keys(fault).join()
      await places.engine.setFaults(fault)
      t.match(await ship(places, to), { code: 0 }, what)
      const found = (
        await places.engine.ask('SELECT count(), uniqExact(Sequence) FROM otel_logs')
      ).trim()
      t.equal(found, '300\t300', what)
      await places.engine.setFaults(fault)
      t.match(await ship(places, [...from, '--delete']), { code: 0 }, what)
      const after = await onFiles(places)
      t.same(after.map(withoutId), before.map(withoutId), what)
      // The second time the numbers are those of another front end.
      before = after
    }
  },
)

t.test(
  'a full server, and one that is away, end it with what to do; it goes on later',
  { skip },
  async t => {
    const places = await sharedPlaces(t)
    const { engine } = places
    const before = await fill(places)
    await engine.setFaults({ isFull: true })
    const impatient = ['--patience', '600ms']
    const full = await ship(places, [...to, ...impatient])
    t.match(full, {
      code: 1,
      complained: /ClickHouse refuses: .*; when that is put right, run this again/,
    })
    await engine.setFaults({ dies: 'after-insert' })
    const away = await ship(places, [...to, ...impatient])
    t.match(away, {
      code: 1,
      complained: /ClickHouse cannot be reached: .*; when it can, run this again/,
    })
    await engine.start()
    t.match(await ship(places, to), { code: 0 })
    t.same(await onClickHouse(places), before)
    await engine.kill()
    t.match(await ship(places, [...from, ...impatient]), {
      code: 1,
      complained: /cannot be reached/,
    })
    await engine.start()
    t.match(await ship(places, from), { code: 0 })
    t.same(await onFiles(places), before)
  },
)

t.test('an interrupt ends it soon, and the next run goes on', { skip }, async t => {
  const places = await sharedPlaces(t)
  const before = await fill(places)
  for (const [flags, look] of [
    [to, onClickHouse],
    [from, onFiles],
  ] as const) {
    // Slow enough to be met in the midst.
    await places.engine.setFaults({ delayMs: 60 })
    const terminal = fakeTerminal({ isTTY: true, columns: 100 })
    const running = ship(places, flags, terminal)
    while (!/ [1-9]\d* of 300 records/.test(terminal.complained())) {
      await new Promise(resolve => setTimeout(resolve, 20))
    }
    terminal.interrupt.abort()
    const { code, complained } = await running
    t.equal(code, 130, complained)
    t.match(complained, /\r\x1b\[Kinterrupted: run it again for the rest/)
    await places.engine.setFaults({})
    t.match(await ship(places, flags), { code: 0 })
    t.same(await look(places), before)
  }
})

t.test(
  'a journal file that was sent by half comes from the journal, and once',
  { skip },
  async t => {
    const places = await sharedPlaces(t)
    const { engine, dataDir } = places
    const flags = ['--clickhouse-ship-after', '100ms']
    const store = await openStoreOn(dataDir, engine.url, { flags })
    await appendParts(store, rows.slice(0, 100), 50)
    await store.settle()
    // ClickHouse has them, and the store does not know.
    await engine.setFaults({ unansweredInserts: 1_000 })
    await appendParts(store, rows.slice(100), 50)
    const count = 'SELECT count() FROM otel_logs'
    await until(async () => Number(await engine.ask(count)) > 100)
    const before = await everythingIn(store)
    await store.close()
    await engine.setFaults({})
    const { code, printed } = await ship(places, from)
    t.equal(code, 0)
    t.match(printed, /\ntogether\s+100\s+100\s+agree\n$/)
    t.same(await onFiles(places), before)
  },
)
