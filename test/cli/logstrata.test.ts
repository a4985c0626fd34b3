import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { machineMemoryBytes, startFlags } from '../../src/memory-policy.js'
import { builtProgram } from '../built.ts'
import { fakeService, reply } from './fake-service.ts'

type Test = { teardown(stop: () => void): void }

const sources = fileURLToPath(new URL('../../src', import.meta.url))
const launcher = join(sources, 'cli/logstrata.js')
const pinnedPackage = `node_modules/node-${process.platform}-${process.arch}`

/**
 * A project with the real launcher, this as its built program, and as its pinned Node either a shell
 * script or nothing.
 */
function project(t: Test, built: string | undefined, pinned: string | undefined) {
  // Not t.testdir(): below this project its own pinned Node would be found.
  const dir = mkdtempSync(join(tmpdir(), 'logstrata-'))
  t.teardown(() => rmSync(dir, { recursive: true }))
  const write = (path: string, content: string, mode = 0o644) => {
    mkdirSync(dirname(join(dir, path)), { recursive: true })
    writeFileSync(join(dir, path), content, { mode })
  }
  write('package.json', '{"type":"module"}')
  for (const file of ['cli/logstrata.js', 'memory-policy.js']) {
    write(`src/${file}`, readFileSync(join(sources, file), 'utf8'))
  }
  if (built !== undefined) write('build/server/main.js', built)
  if (pinned !== undefined) write(`${pinnedPackage}/bin/node`, pinned, 0o755)
  // An older Node: its version is all that the launcher looks at, and it cannot become another program.
  write(
    'older.cjs',
    `Object.defineProperty(process.versions, 'node', { value: '20.0.0' })
    process.execve = undefined`,
  )
  symlinkSync('src/cli/logstrata.js', join(dir, 'linked'))
  return dir
}

const run = (dir: string, flags: string[], argv: string[], file = 'src/cli/logstrata.js') =>
  spawnSync(process.execPath, [...flags, file, ...argv], { cwd: dir, encoding: 'utf8' })

const olderNode = ['--require', './older.cjs']

t.test('a Node that fits runs a command itself', async t => {
  const dir = project(t, 'process.exitCode = 7', '#!/bin/sh\nexit 1\n')
  t.equal(run(dir, [], ['query']).status, 7)
  t.equal(run(dir, [], ['query'], 'linked').status, 7, 'also through the link that npm makes')
})

t.test(
  'the service is the launcher itself, with the memory policy, however it is started',
  async t => {
    const tells = `console.log(JSON.stringify({ pid: process.pid, flags: process.execArgv,
    arenas: process.env.MALLOC_ARENA_MAX, argv: process.argv.slice(2) }))`
    const dir = project(t, tells, undefined)
    for (const argv of [[], ['serve'], ['serve', '--port', '0'], ['--port', '0']]) {
      const { pid, stdout } = run(dir, [], argv)
      t.same(JSON.parse(stdout), {
        pid,
        flags: startFlags(availableParallelism(), machineMemoryBytes),
        arenas: '2',
        argv,
      })
    }
    const chosen = spawnSync(process.execPath, ['src/cli/logstrata.js', 'serve'], {
      cwd: dir,
      encoding: 'utf8',
      env: { ...process.env, MALLOC_ARENA_MAX: '5' },
    })
    t.match(JSON.parse(chosen.stdout), { arenas: '5' }, 'what is set already stays')
  },
)

t.test('another Node hands arguments over to the pinned one, and passes its exit code', async t => {
  const dir = project(t, '', '#!/bin/sh\nshift\necho "$@"\nexit 5\n')
  const { status, stdout } = run(dir, olderNode, ['import', 'a b', '--quiet'])
  t.match({ status, stdout }, { status: 5, stdout: 'import a b --quiet\n' })
})

t.test('without a Node that fits, or before it is built, one line says what to do', async t => {
  const says = (dir: string, expected: RegExp) => {
    const { status, stderr } = run(dir, olderNode, [])
    t.equal(status, 1)
    t.match(stderr, expected)
  }
  says(
    project(t, '', undefined),
    /^logstrata: needs Node 22\.18 .* this is 20\.0\.0: .*npm ci .*\n$/,
  )
  says(project(t, undefined, '#!/bin/sh\n'), /^logstrata: not built; run: npm run build .*\n$/)
})

t.test('signals reach the pinned Node, and how it ended is told', async t => {
  const ends = async (pinned: string, signal: NodeJS.Signals, expected: number) => {
    const dir = project(t, '', pinned)
    const child = spawn(process.execPath, [...olderNode, 'src/cli/logstrata.js', 'tail'], {
      cwd: dir,
    })
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
  await builtProgram()
  const started = spawn(process.execPath, [launcher, 'import', '--json'], {
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
