import { execFile } from 'node:child_process'
import fs from 'node:fs'
import { promisify } from 'node:util'
import t from 'tap'
import { readConfig, serviceSettings } from '../../src/config/config.ts'
import { adminKey, startService } from '../service/service-process.ts'

const readme = fs.readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
const root = new URL('../..', import.meta.url).pathname

/** What stands in for the log where there is none. */
const dpkgLog = `2026-01-01 10:00:00 status installed tzdata:all 2026a
2026-01-01 10:00:01 status half-configured libc6:amd64 2.36
2026-01-01 10:00:02 status installed libc6:amd64 2.36
`

/** The commands that a reader would paste, in order. */
function commandsOf(text: string): string[] {
  const blocks = [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(match => match[1]!)
  return blocks.filter(block => !/^npm (start|test)$/m.test(block))
}

t.test('the commands of the README do what it says, as they stand there', async t => {
  const directory = t.testdir({ 'dpkg.log': dpkgLog, data: {} })
  const service = await startService(`${directory}/data`)
  t.teardown(() => service.end('SIGKILL'))
  const script = commandsOf(readme)
    .join('\n')
    .replace('key_…', adminKey)
    .replaceAll('http://127.0.0.1:7007', service.url)
    .replace('--data-dir ./data', `--data-dir ${directory}/data`)
    .replaceAll(' ./backup', ` ${directory}/backup`)
  t.match(script, /npm run import -- \/var\/log\/dpkg\.log/)
  const hasLog = fs.existsSync('/var/log/dpkg.log')
  const runnable = hasLog ? script : script.replace('/var/log/dpkg.log', `${directory}/dpkg.log`)
  const { stdout, stderr } = await promisify(execFile)('bash', ['-ec', runnable], {
    cwd: root,
    maxBuffer: 1 << 24,
  })
  const answers = stdout
    .replaceAll(/}(?=[{0-9a-z])/g, '}\n')
    .split('\n')
    .filter(line => line.startsWith('{'))
    .map(line => JSON.parse(line))
  t.same(answers[0], { accepted: 1 })
  t.match(answers[1], {
    count: 1,
    logs: [{ log_level: 'error', attributes: { order: '81723', 'customer.plan': 'pro' } }],
  })
  const found = answers.at(-1)
  t.ok(found.count > 0, `${found.count} lines about installed packages`)
  t.ok(found.logs.length <= 3)
  t.match(stdout + stderr, /accepted/i, 'the import tells what it did')
  t.match(stdout, /checkout +error +1/, 'the groups of a query as a table')
  t.match(stdout, /,error,checkout,dev,payment timed out,/, 'a record of an export as CSV')
  t.match(stdout, /backup\/catalog.lmdb: whole\n/, 'a backup, checked')
})

t.test('the README names every setting', async t => {
  for (const { flag } of Object.values(serviceSettings)) {
    t.ok(readme.includes(`\`--${flag}`) || readme.includes(`--${flag}\``), `--${flag}`)
  }
})

t.test('the defaults in the README are the real ones', async t => {
  const config = readConfig([], {})
  t.match(config, { host: '127.0.0.1', port: 7007, dataDir: './data', durability: 'disk' })
  t.match(config, { eventBytesMax: 1 << 20, batchBytesMax: 64 << 20, queryTimeoutMs: 30_000 })
})
