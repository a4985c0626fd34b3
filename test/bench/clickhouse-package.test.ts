/** ClickHouse for a benchmark is found, or missed, before anything is measured. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import t from 'tap'
import { findClickHouse } from '../../bench/clickhouse-package.ts'

t.test('a path from where one stands becomes an absolute one', async t => {
  const directory = t.testdir()
  mkdirSync(`${directory}/node_modules/chdb`, { recursive: true })
  writeFileSync(`${directory}/node_modules/chdb/package.json`, '{"name":"chdb","main":"index.js"}')
  writeFileSync(`${directory}/node_modules/chdb/index.js`, '')
  t.equal(findClickHouse(relative(process.cwd(), directory)), directory)
  t.equal(findClickHouse(`${directory}/`), directory)
})

t.test(
  'where none is, the benchmark ends before it loads anything, and says what to do',
  async t => {
    const directory = t.testdir()
    const run = spawnSync(
      process.execPath,
      ['bench/query.ts', '--quick', '--clickhouse', directory],
      {
        encoding: 'utf8',
      },
    )
    t.equal(run.status, 1)
    t.match(run.stderr, `there is no chdb in "${directory}"; run npm install chdb@3.4.0 in it`)
    t.notMatch(run.stderr, 'loaded')
  },
)
