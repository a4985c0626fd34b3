/** Tables of every version that was released become those of today, whatever statement a start was cut before. */
import fs from 'node:fs'
import t, { type Test } from 'tap'
import { Connection } from '../../src/store/clickhouse/connection.ts'
import { Layout } from '../../src/store/clickhouse/layout.ts'
import { makeTables, tablesVersion } from '../../src/store/clickhouse/tables.ts'
import type { Store } from '../../src/store/store.ts'
import { appendParts, sampleOf, storedAt } from '../store/random-store.ts'
import { allRecords, neverAborted, recordsIn } from '../store/store-in.ts'
import { until } from '../until.ts'
import { type EngineProcess, placesOf } from './engine-process.ts'
import { engineMissing } from './installed-engine.ts'
import { dropTables, tablesOf } from './shared-engine.ts'
import { openStoreOn, plain, timesOfRows } from './store-on-engine.ts'

const skip = engineMissing ?? false
const layout = new Layout(undefined)

class Cut extends Error {}

/** Makes the tables as far as the first statements do, and tells these. */
async function madeBy(
  engine: EngineProcess,
  isCutBefore: (query: string, at: number) => boolean,
): Promise<readonly string[]> {
  const connection = await Connection.open(`${engine.url}/default`)
  const run: string[] = []
  const upTo: Pick<Connection, 'rows' | 'command'> = {
    rows: statement => connection.rows(statement),
    async command(statement) {
      if (isCutBefore(statement.query, run.length)) throw new Cut()
      run.push(statement.query)
      await connection.command(statement)
    },
  }
  await makeTables(upTo, layout)
    .catch(error => {
      if (!(error instanceof Cut)) throw error
    })
    .finally(() => connection.close())
  return run
}

async function definitionsIn(engine: EngineProcess): Promise<readonly string[]> {
  const names = (await tablesOf(engine)).sort()
  return Promise.all(names.map(name => engine.ask(`SHOW CREATE TABLE ${name}`)))
}

/** Of all records and of some; by what ClickHouse counts, by its index of words, and by kinds. */
async function answersOf(store: Store) {
  const selector = (text: string) => ({
    ...allRecords.selector,
    filters: [{ operator: '|=' as const, text }],
  })
  const kinds = { ...allRecords, bucketMs: 8.64e15, limit: 1_000 }
  const [grouped, some, patterns] = await Promise.all([
    store.select({ ...allRecords, by: ['service.name', 'log_level'] }, neverAborted),
    store.select({ ...allRecords, selector: selector('e') }, neverAborted),
    store.patterns(kinds, neverAborted),
  ])
  return {
    records: (await recordsIn(store)).map(plain),
    groups: grouped.groups,
    some: some.records.map(plain),
    kinds: patterns.patterns.map(({ pattern, count }) => ({ pattern, count })),
  }
}

/** Until the start has brought the tables up to date, questions are told to come again. */
async function soon<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  let answer: Answer | undefined
  await until(async () => {
    answer = await ask().catch(error => {
      if (error.code !== 'clickhouse_unreachable') throw error
      return undefined
    })
    return answer !== undefined
  })
  return answer!
}

/** Front ends have had numbers since version 2. */
function forgetNumber(dataDir: string): void {
  const path = `${dataDir}/clickhouse.json`
  const { number: _, ...position } = JSON.parse(fs.readFileSync(path, 'utf8'))
  fs.writeFileSync(path, JSON.stringify(position))
}

/** A directory whose records were sent, and the answers; its tables with their rows stand in `kept`. */
async function sentPlaces(t: Test) {
  const places = await placesOf(t)
  const { engine, dataDir } = places
  const store = await openStoreOn(dataDir, engine.url)
  await appendParts(store, sampleOf(storedAt(timesOfRows), 200), 40)
  await store.settle()
  const answers = await answersOf(store)
  await store.close()
  const definitions = await definitionsIn(engine)
  await engine.ask('CREATE DATABASE kept')
  for (const name of await tablesOf(engine))
    await engine.ask(`RENAME TABLE ${name} TO kept.${name}`)
  return { ...places, answers, definitions }
}

/** Rows as the program of these tables had sent them, which knew no later column. */
async function fillFromKept(engine: EngineProcess): Promise<void> {
  for (const table of (await tablesOf(engine)).filter(name => name !== 'logstrata_versions')) {
    const own = await engine.ask(
      `SELECT name FROM system.columns WHERE database = currentDatabase() AND table = '${table}'
        AND default_kind NOT IN ('ALIAS', 'MATERIALIZED')`,
    )
    const columns = own.trim().split('\n').join(', ')
    await engine.ask(`INSERT INTO ${table} (${columns}) SELECT ${columns} FROM kept.${table}`)
  }
}

t.test('rows of each version are in all answers of today', { skip }, async t => {
  const { engine, dataDir, answers, definitions } = await sentPlaces(t)
  t.ok(answers.records.length === 200 && answers.some.length > 10 && answers.kinds.length > 1)
  for (let version = 1; version < tablesVersion; version++) {
    await dropTables(engine)
    const isNext = `VALUES (${version})`
    let isMade = false
    await madeBy(engine, query => {
      const isCut = isMade
      isMade = query.endsWith(isNext)
      return isCut
    })
    t.equal(await engine.ask('SELECT max(version) FROM logstrata_versions'), `${version}\n`)
    await fillFromKept(engine)
    if (version === 1) forgetNumber(dataDir)
    const store = await openStoreOn(dataDir, engine.url)
    try {
      t.same(await soon(() => answersOf(store)), answers, `of version ${version}`)
    } finally {
      await store.close()
    }
    t.same(await definitionsIn(engine), definitions)
  }
})

t.test('a start that was cut before any statement goes on', { skip }, async t => {
  const { engine } = await placesOf(t)
  const all = await madeBy(engine, () => false)
  const whole = await definitionsIn(engine)
  t.ok(all.length > 2 * tablesVersion)
  for (let count = 1; count < all.length; count++) {
    await dropTables(engine)
    await madeBy(engine, (_, at) => at === count)
    await madeBy(engine, () => false)
    t.same(await definitionsIn(engine), whole, `before ${all[count]!.slice(0, 60)}`)
    t.equal(await engine.ask('SELECT max(version) FROM logstrata_versions'), `${tablesVersion}\n`)
  }
})
