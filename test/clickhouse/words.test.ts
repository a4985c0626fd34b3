/** The index of words: asked beside a condition, it leaves out no record, and spares reading most of them. */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import t, { type Test } from 'tap'
import { everyRecord, type LineFilter, type Selector } from '../../src/language/ast.ts'
import { quoted } from '../../src/match/condition.ts'
import { Connection } from '../../src/store/clickhouse/connection.ts'
import { Layout } from '../../src/store/clickhouse/layout.ts'
import { conditionOf } from '../../src/store/clickhouse/sql/condition.ts'
import { makeTables } from '../../src/store/clickhouse/tables.ts'
import { WordIndex, wordIndexStatements } from '../../src/store/clickhouse/word-index.ts'
import { longRuns } from '../long-runs.ts'
import type { EngineProcess } from './engine-process.ts'
import { engineMissing } from './installed-engine.ts'
import { sharedEngine } from './shared-engine.ts'
import { addRows, makeTable, rowsOf, type Stored } from './table.ts'

const skip = engineMissing ?? false
const layout = new Layout(undefined)

async function connectionTo(t: Test, engine: EngineProcess): Promise<Connection> {
  const connection = await Connection.open(`${engine.url}/default`)
  t.teardown(() => connection.close())
  return connection
}

/** What words end at, and what goes on with them. */
const piece = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('connection', 'reset', 'by', 'Peer', 'peers', 'user') },
  { weight: 2, arbitrary: fc.constantFrom(' ', '_', '-', '=', '\n', '%', '\\', "'", '7', '42') },
  fc.constantFrom('é', 'ÿ', '\u212a', '\u{1f600}', '\ufffd', '\0', 'a1b2c3', 'İ'),
)
const message = fc.array(piece, { maxLength: 8 }).map(pieces => pieces.join(''))

/** Mostly what is in one of the messages, from anywhere to anywhere. */
function textOf(messages: readonly string[]): fc.Arbitrary<string> {
  const part = fc
    .tuple(fc.constantFrom(...messages), fc.nat(40), fc.nat(40))
    .map(([text, from, length]) => text.slice(from % (text.length + 1)).slice(0, length))
  return fc.oneof({ weight: 4, arbitrary: part }, message)
}

function selectorOf(messages: readonly string[]): fc.Arbitrary<Selector> {
  const ofText = (text: string, other: string): readonly Selector[] => {
    const filters: readonly LineFilter[] = [
      { operator: '|=', text },
      { operator: '|=', text, others: [other] },
      { operator: '!=', text },
      { operator: '|~', text: quoted(text) },
      { operator: '|~', text: `${quoted(text)}|^${quoted(other)}` },
      { operator: '|~', text: `(?i)${quoted(text)}` },
      { operator: '!~', text: quoted(text) },
      { operator: '|>', text: `<_>${text}<_>` },
    ]
    return [
      ...filters.map(filter => ({ ...everyRecord, filters: [filter] })),
      { ...everyRecord, filters: [filters[0]!, { operator: '|=', text: other }] },
      { ...everyRecord, matchers: [{ label: 'message', operator: '=', value: text }] },
      { ...everyRecord, matchers: [{ label: 'message', operator: 'in', values: [text, other] }] },
      {
        ...everyRecord,
        matchers: [{ label: 'message', operator: '=~', value: `${quoted(text)}.*` }],
      },
      { ...everyRecord, matchers: [{ label: 'message', operator: '!=', value: text }] },
      {
        ...everyRecord,
        stages: [
          { kind: 'line', filter: { operator: '|=', text } },
          { kind: 'json', extractions: [] },
        ],
      },
    ]
  }
  return fc.tuple(textOf(messages), textOf(messages), fc.nat()).map(([text, other, which]) => {
    const selectors = ofText(text, other)
    return selectors[which % selectors.length]!
  })
}

async function placesOf(engine: EngineProcess, selector: Selector, hasWords: boolean) {
  const { sql, params } = conditionOf(selector, hasWords)
  const query = `SELECT Sequence AS at FROM otel_logs WHERE ${sql} ORDER BY at`
  const rows = await rowsOf<{ at: number | string }>(engine, query, params)
  return rows.map(({ at }) => Number(at))
}

t.test('finds the same with the index as without', { skip }, async t => {
  const engine = await sharedEngine(t)
  const messages = fc.sample(message, { numRuns: 600, seed: 22 })
  const stored = messages.map(
    (text): Stored => ({
      record: { timestamp: 0, level: 'info', message: text, attributes: [] },
      stream: { service: 'api', environment: 'prod' },
    }),
  )
  // Of the first part nothing is indexed, as of what was there before, or was just inserted.
  await makeTable(engine, stored.slice(0, 200))
  for (const query of await wordIndexStatements(layout, await connectionTo(t, engine))) {
    await engine.ask(query)
  }
  await addRows(engine, stored.slice(200), 200)
  let [asked, found, withWords] = [0, 0, 0]
  await fc.assert(
    fc.asyncProperty(selectorOf(messages), async selector => {
      const places = await placesOf(engine, selector, true)
      assert.deepEqual(places, await placesOf(engine, selector, false))
      const { sql } = conditionOf(selector, true)
      asked++
      if (!/hasAllTokens|LIKE/.test(sql)) return
      withWords++
      found += places.length
    }),
    longRuns(1_000),
  )
  t.ok(
    withWords > 0.2 * asked && found > 2 * asked,
    `${withWords} asked the index, ${found} were found`,
  )
})

t.test('spares granules', { skip }, async t => {
  const engine = await sharedEngine(t)
  const connection = await connectionTo(t, engine)
  await makeTables(connection, layout)
  t.ok(await new WordIndex(layout, connection).isThere())
  await engine.ask(`INSERT INTO otel_logs (Timestamp, ServiceName, Body, Sequence)
    SELECT fromUnixTimestamp64Milli(1700000000000 + number), 'api',
      if(number = 70000, 'kernel panic on node 17', 'request ' || toString(number) || ' was served'),
      number FROM numbers(200000)`)
  const granulesOf = async (filter: LineFilter, hasWords: boolean) => {
    const { sql, params } = conditionOf({ ...everyRecord, filters: [filter] }, hasWords)
    const query = `SELECT count() AS found FROM otel_logs WHERE ${sql}`
    const plan = await rowsOf<{ explain: string }>(engine, `EXPLAIN indexes = 1 ${query}`, params)
    const granules = plan.findLast(({ explain }) => explain.includes('Granules:'))!.explain
    const [row] = await rowsOf<{ found: number | string }>(engine, query, params)
    const [, read, all] = /Granules: (\d+)\/(\d+)/.exec(granules)!.map(Number)
    return { found: Number(row!.found), read, all }
  }
  for (const [filter, found] of [
    [{ operator: '|=', text: 'ernel pani' }, 1],
    [{ operator: '|=', text: 'panic on node' }, 1],
    [{ operator: '|=', text: '7 panic 7' }, 0],
    [{ operator: '|=', text: 'xylophone', others: ['panic'] }, 1],
    [{ operator: '|~', text: 'panic on [a-z]+ 1' }, 1],
    [{ operator: '|>', text: 'kernel <_> on node <_>' }, 1],
    [{ operator: '|=', text: 'xylophone' }, 0],
  ] as const satisfies readonly (readonly [LineFilter, number])[]) {
    const without = await granulesOf(filter, false)
    t.equal(without.found, found)
    // An expression is asked of the index that the exporter's table has.
    if (filter.operator === '|=') t.same(without.read, without.all)
    t.ok(without.all! > 20)
    const spared = await granulesOf(filter, true)
    t.equal(spared.found, found)
    t.ok(spared.read! <= 1, `${filter.operator} ${filter.text}: ${spared.read} granules are read`)
  }
})

t.test('is made where all servers have what it takes', async t => {
  const statementsOn = (of: Layout, ...versions: string[]) => {
    const rows = async () => versions.map(version => ({ version })) as never
    return wordIndexStatements(of, { rows })
  }
  t.same(await statementsOn(layout, '26.3.9.1'), [])
  t.same(await statementsOn(layout, '18.16.1'), [])
  t.equal((await statementsOn(layout, '26.4.1.1')).length, 1)
  t.equal((await statementsOn(layout, '27.1.2.3')).length, 1)
  const cluster = new Layout('logs')
  t.same(await statementsOn(cluster, '26.7.1.1', '26.1.1.1'), [])
  const [statement] = await statementsOn(cluster, '26.7.1.1', '26.4.1.1')
  t.match(statement, /^ALTER TABLE otel_logs_local ON CLUSTER 'logs' ADD INDEX IF NOT EXISTS/)
})

t.test('is asked for again where it was not there', async t => {
  let there = 0
  let asked = 0
  const rows = async () => {
    asked++
    return [{ found: String(there) }] as never
  }
  const words = new WordIndex(layout, { rows })
  t.notOk(await words.isThere())
  there = 1
  t.notOk(await words.isThere(), 'for a minute it is believed')
  t.equal(asked, 1)
  const later = new WordIndex(layout, { rows })
  t.ok(await later.isThere())
  there = 0
  t.ok(await later.isThere(), 'and that it is there, for good')
  t.equal(asked, 2)
})
