import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'

const script = fileURLToPath(new URL('../../src/build/install.js', import.meta.url))

/** The package with the pinned Node for this machine. */
const pinned = `node_modules/node-${process.platform}-${process.arch}`

type Packages = Record<string, Record<string, unknown>>

const wanted: Packages = {
  '': { name: 'logstrata' },
  [pinned]: { version: '22.0.0', integrity: 'sha512-a', optional: true },
  'node_modules/lmdb': { version: '1.0.0', integrity: 'sha512-b' },
  'node_modules/@lmdb/elsewhere': { version: '1.0.0', integrity: 'sha512-c', optional: true },
  'node_modules/tap': { version: '1.0.0', integrity: 'sha512-d', dev: true },
}
const { '': _project, 'node_modules/@lmdb/elsewhere': _elsewhere, ...here } = wanted
const { 'node_modules/tap': _tap, ...withoutDev } = here

/** What npm does: notes its call, installs the pinned Node, and writes its lockfile last. */
const goodNpm = `
  mkdir -p ${pinned}/bin && touch ${pinned}/bin/node
  cp wanted.json node_modules/.package-lock.json`

interface Project {
  readonly installed?: Packages | string
  readonly wanted?: Packages | string | undefined
  readonly hasPinnedNode?: boolean
  readonly npm?: string
  readonly argv?: readonly string[]
}

/** Runs install.js in a project of its own, with an npm that notes how it was called. */
function install(t: { testdir(): string }, project: Project) {
  const dir = t.testdir()
  const write = (path: string, content: Packages | string) => {
    mkdirSync(dirname(join(dir, path)), { recursive: true })
    const isText = typeof content === 'string'
    writeFileSync(join(dir, path), isText ? content : JSON.stringify({ packages: content }))
  }
  mkdirSync(join(dir, 'src/build'), { recursive: true })
  copyFileSync(script, join(dir, 'src/build/install.js'))
  write('package.json', '{"type":"module"}')
  write('wanted.json', here)
  if (!('wanted' in project) || project.wanted !== undefined) {
    write('package-lock.json', project.wanted ?? wanted)
  }
  if (project.installed !== undefined) {
    write('node_modules/.package-lock.json', project.installed)
  }
  if (project.hasPinnedNode !== false && project.installed !== undefined) {
    write(`${pinned}/bin/node`, '')
  }
  write(
    'bin/npm',
    `#!/bin/sh\necho "$@" >> calls\necho "$PATH" > path\n${project.npm ?? goodNpm}\n`,
  )
  chmodSync(join(dir, 'bin/npm'), 0o755)

  const run = () =>
    spawnSync(process.execPath, ['src/build/install.js', ...(project.argv ?? [])], {
      cwd: dir,
      encoding: 'utf8',
      env: { PATH: [`${dir}/node_modules/.bin`, `${dir}/bin`, '/usr/bin', '/bin'].join(delimiter) },
    })
  const read = (file: string) =>
    existsSync(join(dir, file)) ? readFileSync(join(dir, file), 'utf8') : ''
  return { dir, run, calls: () => read('calls').split('\n').slice(0, -1), path: () => read('path') }
}

t.test('what is missing, stale or half done is installed, once, with a reason', async t => {
  const installs = (project: Project, reason: RegExp) => {
    const { run, calls } = install(t, project)
    const { status, stdout, stderr } = run()
    t.match({ status, stdout }, { status: 0, stdout: '' })
    t.match(stderr, reason)
    t.equal(calls().length, 1)
    t.match(calls()[0], /^ci /)

    const again = run()
    t.match({ status: again.status, stderr: again.stderr }, { status: 0, stderr: '' })
    t.equal(calls().length, 1, 'the second run finds all in place')
  }
  const changed = { ...here, 'node_modules/lmdb': { version: '0.9.0', integrity: 'sha512-b' } }
  const forged = { ...here, 'node_modules/lmdb': { version: '1.0.0', integrity: 'sha512-x' } }
  const { 'node_modules/lmdb': _lmdb, ...missing } = here
  const extra = { ...here, 'node_modules/left-over': { version: '1.0.0' } }

  installs({}, /first start/)
  installs({ installed: '{"packages":{"node_mod' }, /incomplete/)
  installs({ installed: changed }, /has changed/)
  installs({ installed: forged }, /has changed/)
  installs({ installed: extra }, /has changed/)
  installs({ installed: missing }, /lmdb is missing/)
  installs({ installed: here, hasPinnedNode: false }, /pinned Node is missing/)
  installs({ installed: withoutDev, argv: ['--dev'] }, /tap is missing/)
})

t.test('what is all there is left alone, without a word', async t => {
  const leavesAlone = (project: Project) => {
    const { run, calls } = install(t, project)
    const { status, stdout, stderr } = run()
    t.match({ status, stdout, stderr }, { status: 0, stdout: '', stderr: '' })
    t.same(calls(), [])
  }

  leavesAlone({ installed: here })
  leavesAlone({ installed: here, argv: ['--dev'] })
  leavesAlone({ installed: wanted })
  leavesAlone({ installed: withoutDev })
})

t.test('development tools are asked for only where they are needed', async t => {
  const asked = install(t, { argv: ['--dev'] })
  asked.run()
  t.match(asked.calls()[0], /--include=dev/)
  const plain = install(t, {})
  plain.run()
  t.notMatch(plain.calls()[0], /--include/)
  t.match(plain.calls()[0], /--omit=dev/)
})

t.test('npm does not run on the Node that it is about to delete', async t => {
  const { dir, run, path } = install(t, {})
  run()
  t.equal(path().trim(), [`${dir}/bin`, '/usr/bin', '/bin'].join(delimiter))
})

t.test('a failed install ends with one line that says what to do, and is done again', async t => {
  const fails = (project: Project, advice: RegExp) => {
    const { run, calls } = install(t, project)
    const first = run()
    t.equal(first.status, 1)
    t.match(first.stderr.trim().split('\n').at(-1), advice)
    t.equal(run().status, 1)
    return calls().length
  }

  t.equal(fails({ npm: 'echo "npm error network" >&2; exit 1' }, /npm ci failed.*try again/), 2)
  t.equal(fails({ npm: 'exit 1', installed: { ...here, x: {} } }, /npm ci failed/), 2)
  t.equal(fails({ npm: `${goodNpm}; rm ${pinned}/bin/node` }, /npm config delete omit/), 2)
  t.equal(fails({ wanted: undefined }, /package-lock\.json is missing/), 0)
  t.equal(fails({ wanted: '{"packages' }, /package-lock\.json is missing or damaged/), 0)
})

t.test('an install that is cut short is never taken for a whole one', async t => {
  const stale = { ...here, 'node_modules/lmdb': { version: '0.9.0' } }
  const { dir, run } = install(t, { installed: stale, npm: 'kill -9 $$' })
  t.equal(run().status, 1)
  t.notOk(existsSync(join(dir, 'node_modules/.package-lock.json')))
  t.match(run().stderr, /incomplete/)
})

t.test('a machine without npm is told so', async t => {
  const { dir } = install(t, {})
  const { status, stderr } = spawnSync(process.execPath, ['src/build/install.js'], {
    cwd: dir,
    encoding: 'utf8',
    env: { PATH: join(dir, 'nowhere') },
  })
  t.equal(status, 1)
  t.match(stderr, /npm could not be started.*install npm/)
})

t.test("no package's own script is run, and none has to", async t => {
  const { run, calls } = install(t, {})
  run()
  t.match(calls()[0], /--ignore-scripts/)
})

t.test('a machine for which there is no pinned Node does without', async t => {
  const { [pinned]: _pinned, ...others } = here
  const { run } = install(t, { wanted: others, installed: others, hasPinnedNode: false })
  t.match(run(), { status: 0, stderr: '' })
})
