/** `--json` of the benchmarks, and `compare.ts`, which reads what it writes. */
import { execFileSync, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { readResults } from '../../bench/results.ts'

const root = join(import.meta.dirname, '../..')
const read = (path: string) => fs.readFileSync(join(root, path), 'utf8')
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
const benchmarks = Object.keys(scripts)
  .filter(name => name.startsWith('bench:') && name !== 'bench:compare')
  .map(name => name.slice('bench:'.length))

t.test(
  'every benchmark lists --json and --quick in its flags, and writes under its name',
  async t => {
    t.ok(benchmarks.length >= 14)
    for (const name of benchmarks) {
      const source = read(`bench/${name}.ts`)
      const usage = source.slice(0, source.indexOf('*/'))
      t.match(usage, /\[--json FILE\]/, name)
      t.match(usage, /\[--quick\]/, name)
      t.match(
        source,
        new RegExp(`writeResults\\((values\\.|options\\.)?json, \\{\\s+bench: '${name}',`),
        name,
      )
    }
  },
)

t.test('what a benchmark writes can be compared', async t => {
  const path = join(t.testdir(), 'export.json')
  const argv = ['bench/export.ts', '--quick', '--count', '5000', '--json', path]
  execFileSync(process.execPath, argv, { cwd: root, stdio: ['ignore', 'ignore', 'pipe'] })
  const { bench, conditions, rows } = readResults(path)
  t.equal(bench, 'export')
  t.same(conditions, { count: 5_000, seed: 1 })
  t.equal(rows.length, 7)
  const values = rows.flatMap(({ measures }) => Object.values(measures).flat())
  t.equal(values.length, 3 * rows.length)
  t.ok(values.every(value => Number.isFinite(value)))

  const sides = ['--before', path, path, path, '--after', path, path, path]
  const text = execFileSync(process.execPath, ['bench/compare.ts', ...sides], {
    cwd: root,
    encoding: 'utf8',
  })
  t.match(text, 'export (count 5000, seed 1)')
  t.match(text, /\| NDJSON, gzip .* 1\.00 /)
  t.equal(text.match(/Work, /g)!.length, 3) // One table for each measure.
})

t.test('a file that is none of these is refused by name', async t => {
  const path = join(t.testdir({ 'other.json': '{"rows":[]}' }), 'other.json')
  const { status, stderr } = spawnSync(process.execPath, ['bench/compare.ts', path, path], {
    cwd: root,
    encoding: 'utf8',
  })
  t.equal(status, 1)
  t.match(stderr, `${path} was not written by --json of a benchmark of this version`)
})
