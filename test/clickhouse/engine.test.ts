/** The engine of the tests does what a server of ClickHouse does, as far as tests rely on it. */
import { gzipSync } from 'node:zlib'
import t from 'tap'
import { startEngineOf } from './engine-process.ts'
import { engineMissing } from './installed-engine.ts'

const skip = engineMissing ?? false
const table = `CREATE TABLE t (a UInt64, s String) ENGINE = MergeTree ORDER BY a
  SETTINGS non_replicated_deduplication_window = 100`

t.test('statements, formats, parameters and settings', { skip }, async t => {
  const engine = await startEngineOf(t, t.testdir(), { password: 'se cret' })
  const headers = { 'x-clickhouse-key': 'se cret' }
  const post = async (search: string, body: string | Uint8Array = '', more = {}) => {
    const answer = await fetch(`${engine.url}/?${search}`, {
      method: 'POST',
      body: body as string,
      headers: { ...headers, ...more },
    })
    return { status: answer.status, headers: answer.headers, text: await answer.text() }
  }

  t.equal(await (await fetch(`${engine.url}/ping`)).text(), 'Ok.\n')
  t.equal((await post('', 'SELECT 1 + 1')).text, '2\n')
  t.equal((await post('query=SELECT+2&default_format=JSONEachRow')).text, '{"2":2}\n')
  const json = await post('', 'SELECT 1 AS n FORMAT JSON')
  t.same(JSON.parse(json.text).data, [{ n: 1 }])
  t.equal(json.headers.get('x-clickhouse-format'), 'JSON')

  const bound = await post(
    `param_p0=${encodeURIComponent("it\\'s\\\\\\t\\0")}&param_p1=%5B%27a%27%5D`,
    'SELECT hex({p0:String}), {p1:Array(String)}',
  )
  t.equal(bound.text, `${Buffer.from("it's\\\t\0").toString('hex').toUpperCase()}\t['a']\n`)

  const size = "SELECT getSetting('max_block_size')"
  t.equal((await post('max_block_size=77', size)).text, '77\n')
  t.not((await post('', size)).text, '77\n', 'a setting is for one request')

  const get = await fetch(`${engine.url}/?query=CREATE+TABLE+x+(a+Int8)+ENGINE=Memory`, { headers })
  t.match(await get.text(), /^Code: 164\. .*READONLY/)
  const refused = await post('', 'SELECT a FROM nowhere')
  t.equal(refused.status, 404)
  t.equal(refused.headers.get('x-clickhouse-exception-code'), '60')
  t.match(refused.text, /^Code: 60\. DB::Exception: .*\(UNKNOWN_TABLE\) \(version [\d.]+ /s)
  t.equal((await post('', 'SELEC 1')).status, 400)
  t.equal((await post('', 'SELECT 1', { 'x-clickhouse-key': 'other' })).status, 403)

  const zipped = await post('', gzipSync('SELECT 3'), { 'content-encoding': 'gzip' })
  t.equal(zipped.text, '3\n')
})

t.test('inserts: binary, once under a token, into a database of its name', { skip }, async t => {
  const engine = await startEngineOf(t)
  await engine.ask('CREATE DATABASE `my logs`')
  const post = async (search: string, body: string | Uint8Array) => {
    const url = `${engine.url}/?database=my%20logs&${search}`
    const answer = await fetch(url, { method: 'POST', body: body as string })
    return { status: answer.status, text: await answer.text(), headers: answer.headers }
  }
  t.equal((await post('', table)).status, 200)
  const row = Uint8Array.of(10, 0, 0, 0, 0, 0, 0, 0, 5, 0, 255, 10, 10, 39)
  const binary = `query=${encodeURIComponent('INSERT INTO t (a, s) FORMAT RowBinary\n')}`
  for (const token of ['one', 'one', 'two']) {
    const inserted = await post(`${binary}&insert_deduplication_token=${token}`, row)
    t.equal(inserted.text, '')
    t.match(inserted.headers.get('x-clickhouse-summary'), /"written_rows":"[01]"/)
  }
  t.equal(
    (await post('', 'SELECT a, hex(s), count() FROM t GROUP BY 1, 2')).text,
    '10\t00FF0A0A27\t2\n',
  )
  const bad = await post('query=INSERT+INTO+t+FORMAT+JSONEachRow', '{"a":1}\n{"a":[]}\n')
  t.equal(bad.status, 400)
  t.match(bad.text, /at row 2/)
})

t.test('what was answered is there after kill -9', { skip }, async t => {
  const engine = await startEngineOf(t)
  await engine.ask(table)
  await engine.ask("INSERT INTO t SELECT number, 'x' FROM numbers(1000)")
  await engine.kill()
  await t.rejects(engine.ask('SELECT 1'))
  await engine.start()
  t.equal(await engine.ask('SELECT count(), sum(a) FROM t'), '1000\t499500\n')
})

t.test('faults', { skip }, async t => {
  const engine = await startEngineOf(t)
  await engine.ask(table)
  const insert = (a: number) =>
    engine.ask(`INSERT INTO t SETTINGS insert_deduplication_token = '${a}' VALUES (${a}, 'x')`)
  const count = () => engine.ask('SELECT count() FROM t')

  await engine.setFaults({ isFull: true })
  await t.rejects(insert(1), /NOT_ENOUGH_SPACE/)
  await engine.setFaults({ droppedInserts: 1 })
  await t.rejects(insert(1))
  t.equal(await count(), '0\n')
  await engine.setFaults({ unansweredInserts: 1 })
  await t.rejects(insert(1))
  t.equal(await count(), '1\n')
  await insert(1)
  t.equal(await count(), '1\n', 'the token says that it is there')

  await engine.setFaults({ halves: 1, badGateways: 1 })
  await t.rejects(count(), /503/)
  await t.rejects(engine.ask('SELECT number FROM numbers(10000)'))
  t.equal(await count(), '1\n')

  await engine.setFaults({ delayMs: 60 })
  const before = performance.now()
  await count()
  t.ok(performance.now() - before >= 55)

  await engine.setFaults({ dies: 'after-insert' })
  await t.rejects(insert(2))
  await engine.start()
  t.equal(await count(), '2\n')
})
