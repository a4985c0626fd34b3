/** Exports of more than a query may fetch: the text is that of a store on files, slice by slice. */

import t, { type Test } from 'tap'
import { everyRecord } from '../../src/language/ast.ts'
import { parseSingle } from '../../src/language/grammar.ts'
import type { ExportRequest, Store } from '../../src/store/store.ts'
import { dayMs } from '../../src/time-units.ts'
import { neverAborted, openStoreOf } from '../store/store-in.ts'
import { until } from '../until.ts'
import { engineMissing } from './installed-engine.ts'
import { sharedEngine } from './shared-engine.ts'
import { openStoreOn } from './store-on-engine.ts'

const skip = engineMissing ?? false
const stream = { service: 'checkout', environment: 'test' }
const begin = Date.UTC(2026, 0, 1)
const message = (i: number) => `${i} ${'of some length '.repeat(60)}`
/** Slices of 512 records, or a mebibyte. */
const flags = ['--clickhouse-fetch-bytes', '1MiB', '--clickhouse-ship-after', '1h']
const all = { selector: everyRecord, startTime: -8.64e15, endTime: 8.64e15 } as const

/** Over three days and in no order; every third of one millisecond of the second. */
async function append(store: Store, from: number, to: number): Promise<void> {
  await store.appendWith(writer => {
    for (let i = from; i < to; i++) {
      const place = i % 3 === 0 ? dayMs * 1.5 : (i * 7_919_317) % (3 * dayMs)
      const attributes = ['number', String(i)]
      writer.add(
        { timestamp: begin + place, level: 'info', message: message(i), attributes },
        stream,
      )
    }
  })
}

async function storesOf(t: Test) {
  const directory = t.testdir({ data: {}, local: {} })
  const engine = await sharedEngine(t)
  const store = await openStoreOn(`${directory}/data`, engine.url, { flags })
  t.teardown(() => store.close())
  const local = await openStoreOf(t, `${directory}/local`)
  for (const one of [store, local]) await append(one, 0, 2_000)
  await store.settle()
  for (const one of [store, local]) await append(one, 2_000, 2_300)
  return { engine, store, local }
}

async function textOf(store: Store, request: ExportRequest): Promise<string> {
  const chunks = []
  for await (const chunk of store.exportText(request, neverAborted)) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString()
}

t.test('slices together are the whole', { skip }, async t => {
  const { store, local } = await storesOf(t)
  const text = 'logs | label_format at="{{ Trim `x` .nowhere }}" | at!=""'
  const { selector } = parseSingle(text) as never
  const fetching = { ...all, selector, order: 'asc', cursor: undefined, limit: 1 } as const
  await t.rejects(store.select(fetching, neverAborted), { code: 'query_too_large' })
  for (const [order, format] of [
    ['asc', 'csv'],
    ['desc', 'ndjson'],
  ] as const) {
    const ours = await textOf(store, { ...all, order, format })
    t.ok(ours === (await textOf(local, { ...all, order, format })), `${order}, ${format}`)
    t.ok(ours.length > 2 * 2 ** 20)
  }
  const part = { startTime: begin + dayMs / 2, endTime: begin + 2.2 * dayMs }
  const asked = { ...all, ...part, order: 'asc', format: 'ndjson' } as const
  t.ok((await textOf(store, asked)) === (await textOf(local, asked)), 'of a part of the time')
})

t.test('an export is of what was there when it began', { skip }, async t => {
  const { engine, store } = await storesOf(t)
  await store.settle()
  const asked = { ...all, order: 'asc', format: 'ndjson' } as const
  const before = await textOf(store, asked)
  const whileUnderWay = async (work: () => Promise<unknown>) => {
    const chunks: Buffer[] = []
    for await (const chunk of store.exportText(asked, neverAborted)) {
      chunks.push(Buffer.from(chunk))
      if (chunks.length === 1) await work()
    }
    return Buffer.concat(chunks).toString()
  }
  const after = await whileUnderWay(async () => {
    await append(store, 2_300, 2_900)
    // Files that were sent stay until it has ended.
    void store.settle()
    await until(() => store.stats().shipping!.records >= 2_900)
  })
  t.ok(after === before, 'what came since is not in it')
  await store.settle()
  const drop = () => engine.ask("ALTER TABLE otel_logs DROP PARTITION '2026-01-03'")
  await t.rejects(whileUnderWay(drop), {
    code: 'clickhouse_unreachable',
    message: /dropped records/,
  })
})
