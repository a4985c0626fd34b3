import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { runCommand } from '../../src/cli/commands.ts'
import { builtProgram } from '../built.ts'
import { fakeTerminal } from '../cli/fake-terminal.ts'
import { checkRead } from '../http/conforms.ts'
import { adminKey, type ServiceProcess, startServiceOf } from '../service/service-process.ts'
import { EventsOracle } from './events-oracle.ts'
import { inSmallFileSystem, noMounts as skip } from './small-file-system.ts'

const nobody = 'http://127.0.0.1:9'
const main = await builtProgram()
const isRoot = process.getuid?.() === 0

async function startWithEvents(t: Test) {
  const directory = t.testdir({ data: {} })
  const dataDir = join(directory, 'data')
  const service = await startServiceOf(t, dataDir)
  const oracle = new EventsOracle()
  await oracle.send(service, await service.makeToken(), ['a', 'b', 'c'])
  const backUp = async (target: string, url = service.url, key = adminKey, from = dataDir) => {
    const terminal = fakeTerminal()
    const flags = ['--url', url, ...(key === '' ? [] : ['--key', key]), '--data-dir', from]
    const code = await runCommand(['backup', ...flags, target], terminal)
    return { code, stderr: terminal.complained() }
  }
  return { directory, dataDir, service, oracle, backUp }
}

/** What begins the holding of a snapshot, and gives its first line. */
async function hold(service: ServiceProcess) {
  const stop = new AbortController()
  const response = await fetch(`${service.url}/api/v1/settings/backup`, {
    method: 'POST',
    headers: { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' },
    body: '{}',
    signal: stop.signal,
  })
  const { value } = await response.body!.getReader().read()
  const line = String(Buffer.from(value!))
  checkRead(response, line)
  return { stop: () => stop.abort(), held: JSON.parse(line) }
}

async function becomesEmpty(directory: string): Promise<void> {
  const giveUpAt = Date.now() + 20_000
  while (fs.readdirSync(directory).length > 0) {
    if (Date.now() > giveUpAt) throw new Error(`${directory} stayed full`)
    await sleep(10)
  }
}

t.test('a backup that cannot be, of a service that goes on', async t => {
  const shared = await startWithEvents(t)

  await t.test('a target that exists is left alone, and so is one that was cut', async t => {
    const { directory, backUp } = shared
    for (const [name, target] of [
      ['file', 'file'],
      ['folder', 'folder'],
      ['cut.unfinished', 'cut'],
    ] as const) {
      if (name === 'file') fs.writeFileSync(join(directory, name), 'mine')
      else fs.mkdirSync(join(directory, name))
      const { code, stderr } = await backUp(join(directory, target))
      t.equal(code, 2, stderr)
      t.match(stderr, name === 'cut.unfinished' ? /a backup that was cut/ : /exists already/)
    }
    t.same(fs.readdirSync(directory).sort(), ['cut.unfinished', 'data', 'file', 'folder'])
  })

  await t.test('a backup lies apart from the data, by whatever way it is named', async t => {
    const { directory, dataDir, backUp } = shared
    fs.symlinkSync(dataDir, join(directory, 'link'))
    fs.mkdirSync(join(directory, 'around'))
    fs.symlinkSync(directory, join(directory, 'around', 'up'))
    const before = fs.readdirSync(dataDir).sort()
    const refuses = async (target: string, from: string, ...named: string[]) => {
      const { code, stderr } = await backUp(target, nobody, '', from)
      t.equal(code, 2, stderr)
      for (const part of named) t.match(stderr, part)
    }
    const inside = `the data directory "${dataDir}"`
    for (const target of [
      join(dataDir, 'backup'),
      join(dataDir, 'segments', 'no', 'such', 'place'),
      `${directory}/link/backup`,
      `${directory}/around/../data/backup`,
      `${directory}/around/up/data/backup`,
    ]) {
      await refuses(target, dataDir, `the backup "${target}" would lie in`, inside)
    }
    const above = join(directory, 'above')
    const within = join(above, 'data')
    await refuses(
      above,
      within,
      `the data directory "${within}" would lie in the backup "${above}"`,
    )
    t.same(fs.readdirSync(dataDir).sort(), before)
  })

  await t.test('a backup needs the right directory, an admin, and a place', async t => {
    const { directory, dataDir, service, backUp } = shared
    const target = join(directory, 'copy')
    const fails = async (expected: RegExp, code: number, ...asked: Parameters<typeof backUp>) => {
      const answer = await backUp(...asked)
      t.match(answer.stderr, expected)
      t.equal(answer.code, code, answer.stderr)
      t.notOk(fs.existsSync(target) || fs.existsSync(`${target}.unfinished`), 'nothing is left')
    }
    const editor = await service.makeKey('editor')
    await fails(/403 role_insufficient/, 1, target, service.url, editor)
    await fails(/401 credential_invalid/, 1, target, service.url, 'key_wrong')
    await fails(/no data directory/, 2, target, service.url, adminKey, join(directory, 'nothing'))
    await fails(/cannot make the backup .*ENOENT/, 1, join(directory, 'no', 'such', 'place'))
    await fails(/no service answers/, 1, target, nobody)
    await fails(/give an admin key/, 2, target, nobody, '')

    const other = join(directory, 'other')
    fs.cpSync(dataDir, other, { recursive: true, verbatimSymlinks: true })
    await fails(/is not the data directory of the service/, 2, target, service.url, adminKey, other)
    // The service lets go of a snapshot when it notices that nobody reads its answer any more.
    const snapshots = () => fs.readdirSync(join(dataDir, 'snapshots'))
    const giveUpAt = Date.now() + 15_000
    while (snapshots().length > 0 && Date.now() < giveUpAt) await sleep(50)
    t.same(snapshots(), [], 'no snapshot is left')
  })

  await t.test('whoever may not read the data, or write the backup, is told so', async t => {
    const { directory, dataDir, service, backUp } = shared
    const closed = join(directory, 'closed')
    fs.mkdirSync(closed, { mode: 0o500 })
    if (!isRoot) {
      const { code, stderr } = await backUp(join(closed, 'copy'))
      t.match({ code, stderr }, { code: 1, stderr: /cannot make the backup .*EACCES/ })
      return
    }
    // Root may do anything: somebody else tries.
    const asNobody = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups']
    const fails = (from: string, target: string, expected: RegExp) => {
      const argv = [process.execPath, main, 'backup', '--data-dir', from, target]
      const env = { PATH: process.env.PATH, LOGSTRATA_URL: service.url, LOGSTRATA_KEY: adminKey }
      const [command, ...rest] = [...asNobody, ...argv]
      const { status, stderr } = spawnSync(command!, rest, { encoding: 'utf8', env })
      t.match({ status, stderr }, { status: 1, stderr: expected })
    }
    const open = join(directory, 'open')
    fs.mkdirSync(open)
    fs.chmodSync(open, 0o777)
    fs.chmodSync(dataDir, 0o700)
    fails(dataDir, join(closed, 'copy'), /cannot make the backup .*EACCES/)
    fails(dataDir, join(open, 'copy'), /cannot read .*EACCES.*as the user of the service/)
    t.same(fs.readdirSync(open), [])
  })

  await t.test('an interrupted backup leaves nothing', async t => {
    const { directory, dataDir, service } = shared
    const before = fs.readdirSync(directory)
    const terminal = fakeTerminal()
    terminal.interrupt.abort()
    const argv = ['--url', service.url, '--key', adminKey, '--data-dir', dataDir]
    t.equal(await runCommand(['backup', ...argv, join(directory, 'copy')], terminal), 130)
    t.same(fs.readdirSync(directory), before)
    await becomesEmpty(join(dataDir, 'snapshots'))
  })
})

t.test('one snapshot at a time, and none stays when its holder goes', async t => {
  const { dataDir, service, backUp, directory } = await startWithEvents(t)
  const snapshots = join(dataDir, 'snapshots')
  const { held, stop } = await hold(service)
  t.match(held, { snapshot: /^[0-9a-f]{24}$/, files: 3, bytes: Number })
  t.same(fs.readdirSync(snapshots), [held.snapshot])
  const second = await service.call('POST', '/api/v1/settings/backup', { body: {} })
  t.match(second, { status: 409, body: { code: 'backup_under_way' } })
  t.match(await backUp(join(directory, 'copy')), { code: 1, stderr: /409 backup_under_way/ })
  stop()
  await becomesEmpty(snapshots)
  t.equal((await backUp(join(directory, 'copy'))).code, 0)

  await hold(service)
  await service.end('SIGKILL')
  t.equal(fs.readdirSync(snapshots).length, 1)
  const again = await startServiceOf(t, dataDir)
  t.notOk(fs.existsSync(snapshots), 'what a crash left goes with the next start')
  const last = await hold(again)
  t.equal(await again.end(), 0, 'whoever holds one keeps nobody from stopping')
  t.same(fs.readdirSync(snapshots), [])
  last.stop()
})

/** A small file system at `$0/small`, in a mount namespace that ends with the command. */
const mount = 'mount -t tmpfs -o size=2m backup "$0/small" && exec "$@"'

t.test('a full disk leaves nothing, and no doubt', { skip }, async t => {
  const directory = t.testdir({ data: {}, small: {} })
  const dataDir = join(directory, 'data')
  const service = await startServiceOf(t, dataDir)
  const token = await service.makeToken()
  const message = 'x'.repeat(500_000)
  for (let i = 0; i < 8; i++) {
    const sent = { token, body: { i, message } }
    t.equal((await service.call('POST', '/api/v1/webhook/event/log', sent)).status, 200)
  }
  const backUp = [
    process.execPath,
    main,
    'backup',
    '--data-dir',
    dataDir,
    `${directory}/small/copy`,
  ]
  const look = 'shift; "$@"; echo "exit $?"; ls "$0/small"'
  const child = spawn(
    'unshare',
    ['-rm', 'sh', '-c', mount, directory, 'sh', '-c', look, directory, '--', ...backUp],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env.PATH, LOGSTRATA_URL: service.url, LOGSTRATA_KEY: adminKey },
    },
  )
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', chunk => (stdout += chunk))
  child.stderr.on('data', chunk => (stderr += chunk))
  await once(child, 'close')
  t.equal(stdout, 'exit 1\n', 'neither the backup nor a part of it is there')
  t.match(stderr, /cannot make the backup .*ENOSPC.*: there is no space left/)
  await becomesEmpty(join(dataDir, 'snapshots'))
  t.equal((await service.query('logs')).body.count, 8)
})

t.test('a snapshot that does not fit is refused, and the service goes on', { skip }, async t => {
  const dataDir = t.testdir()
  const service = await startServiceOf(t, dataDir, { through: inSmallFileSystem('8m', dataDir) })
  const token = await service.makeToken()
  const path = '/api/v1/webhook/event/log'
  let accepted = 0
  for (const size of [40_000, 4_000, 400]) {
    for (let status = 200; status === 200; ) {
      const body = { padding: 'x'.repeat(size) }
      status = (await service.call('POST', path, { token, body })).status
      if (status === 200) accepted++
    }
  }
  const refused = await service.call('POST', '/api/v1/settings/backup', { body: {} })
  t.match(refused, { status: 503, body: { code: 'storage_full' } })
  t.equal((await service.query('logs')).body.count, accepted, 'reads go on')
  const again = await service.call('POST', '/api/v1/settings/backup', { body: {} })
  t.equal(again.body.code, 'storage_full', 'and nothing is left under way')
})
