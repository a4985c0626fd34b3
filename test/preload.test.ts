/** What holds in every test of this directory: see `preload.mjs`. */
import { execFileSync, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { projectRoot } from './built.ts'

t.test('what a test opened is closed before its directory is removed', async t => {
  let directory = ''
  let isThere = false
  await t.test('a test', async t => {
    directory = t.testdir({ file: 'x' })
    t.teardown(() => {
      isThere = fs.existsSync(`${directory}/file`)
    })
  })
  t.ok(isThere)
  t.notOk(fs.existsSync(directory))
})

t.test(
  "a process that a test starts is as it would be outside of tap, without tap's hooks",
  async t => {
    const script =
      'console.log(JSON.stringify([process.env.NODE_OPTIONS ?? null, process.execArgv]))'
    for (const env of [undefined, { PATH: process.env.PATH }]) {
      const output = execFileSync(process.execPath, ['-p', script], { encoding: 'utf8', env })
      t.match(output, /^\[null,/)
      t.notMatch(output, /tapjs/)
    }
  },
)

t.test('threads run what is built of the sources, not the sources', async t => {
  const { threadProgram } = await import('../src/threads/program.ts')
  const { filename } = threadProgram('./scan-worker.ts', import.meta.url)
  t.equal(fileURLToPath(filename), join(projectRoot, 'build/server/scan-worker.js'))
  t.ok(fs.existsSync(new URL(filename)))
})

t.test('a process that stays alive after its tests ends, and says what it has open', async t => {
  const directory = t.testdir({
    'open.mjs': "import t from 'tap'\nt.pass('done')\nsetInterval(() => {}, 1_000)",
  })
  const preload = join(projectRoot, 'test/preload.mjs')
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [`--import=${preload}`, join(directory, 'open.mjs')],
    { encoding: 'utf8', env: { ...process.env, LOGSTRATA_TEST_END_MS: '10' }, timeout: 60_000 },
  )
  t.match({ status, stdout, stderr }, { status: 1, stdout: /ok 1 - done/, stderr: /open.*Timeout/ })
})
