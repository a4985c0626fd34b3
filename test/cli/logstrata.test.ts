import { spawn, spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { fakeService, reply } from './fake-service.ts'

type Test = { teardown(stop: () => void): void }

const program = fileURLToPath(new URL('../../src/cli/logstrata.js', import.meta.url))

/**
 * A project with the real logstrata.js, the given start.js, and as its pinned Node either a shell script
 * or nothing.
 */
function project(t: Test, start: string, pinned: string | undefined) {
  // Not t.testdir(): below this project its own pinned Node would be found.
  const dir = mkdtempSync(join(tmpdir(), 'logstrata-'))
  t.teardown(() => rmSync(dir, { recursive: true }))
  mkdirSync(join(dir, 'src/cli'), { recursive: true })
  writeFileSync(join(dir, 'package.json'), '{"type":"module"}')
  copyFileSync(program, join(dir, 'src/cli/logstrata.js'))
  writeFileSync(join(dir, 'src/start.js'), start)
  if (pinned !== undefined) {
    mkdirSync(join(dir, 'node_modules/node/bin'), { recursive: true })
    writeFileSync(join(dir, 'node_modules/node/bin/node'), pinned, { mode: 0o755 })
  }
  // An older Node: the version is all that the program looks at.
  const older = `Object.defineProperty(process.versions, 'node', { value: '20.0.0' })`
  writeFileSync(join(dir, 'older.cjs'), older)
  symlinkSync('src/cli/logstrata.js', join(dir, 'linked'))
  return dir
}

const run = (dir: string, flags: string[], argv: string[], file = 'src/cli/logstrata.js') =>
  spawnSync(process.execPath, [...flags, file, ...argv], { cwd: dir, encoding: 'utf8' })

const olderNode = ['--require', './older.cjs']

t.test('a Node that fits runs the program itself', async t => {
  const dir = project(t, 'process.exitCode = 7', '#!/bin/sh\nexit 1\n')
  t.equal(run(dir, [], []).status, 7)
  t.equal(run(dir, [], [], 'linked').status, 7, 'also through the link that npm makes')
})

t.test('another Node hands arguments over to the pinned one, and passes its exit code', async t => {
  const dir = project(t, '', '#!/bin/sh\nshift\necho "$@"\nexit 5\n')
  const { status, stdout } = run(dir, olderNode, ['import', 'a b', '--quiet'])
  t.match({ status, stdout }, { status: 5, stdout: 'import a b --quiet\n' })
})

t.test('without the pinned Node one line says what to do', async t => {
  const dir = project(t, '', undefined)
  for (const flags of [[], olderNode]) {
    const { status, stderr } = run(dir, flags, [])
    t.equal(status, 1)
    t.match(stderr, /^logstrata: not installed; run: npm ci .*\n$/)
  }
})

t.test('signals reach the pinned Node, and how it ended is told', async t => {
  const ends = async (pinned: string, signal: NodeJS.Signals, expected: number) => {
    const dir = project(t, '', pinned)
    const child = spawn(process.execPath, [...olderNode, 'src/cli/logstrata.js'], { cwd: dir })
    child.stdout.once('data', () => child.kill(signal))
    const [code] = await new Promise<[number | null]>(resolve =>
      child.once('exit', code => resolve([code])),
    )
    t.equal(code, expected, signal)
  }
  const waiting = (trap: string) =>
    `#!${process.execPath}\n${trap}\nsetInterval(() => {}, 1000)\nconsole.log('up')\n`

  await ends(waiting(`process.on('SIGTERM', () => process.exit(9))`), 'SIGTERM', 9)
  await ends(waiting(`process.on('SIGINT', () => process.exit(8))`), 'SIGINT', 8)
  await ends(waiting(''), 'SIGTERM', 128 + 15)
})

t.test('an interrupt of the real program leaves a summary and exit code 130', async t => {
  const child = { kill: () => {} }
  const service = await fakeService(t, (_, response) => {
    child.kill()
    // Answered a moment later, when the signal has surely come: it must not be lost.
    setTimeout(() => reply(response, 200, { accepted: 1, rejected: 0, errors: [] }), 100)
    return true
  })
  const started = spawn(process.execPath, [program, 'import', '--json'], {
    env: { LOGSTRATA_URL: service.url, LOGSTRATA_TOKEN: 'x' },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  child.kill = () => started.kill('SIGINT')
  started.stdin.on('error', () => {}).write('line\n') // And stays open.
  let printed = ''
  started.stdout.setEncoding('utf8').on('data', part => {
    printed += part
  })
  const code = await new Promise(resolve => started.once('close', resolve))
  t.equal(code, 130)
  t.match(JSON.parse(printed), { ended: 'interrupted', accepted: 1, stoppedAt: { line: 1 } })
})
