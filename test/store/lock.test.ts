import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { lockDataDir } from '../../src/store/lock.ts'
import { noMounts as skip } from '../faults/small-file-system.ts'

const program = fileURLToPath(new URL('../fixtures/lock-taker.ts', import.meta.url))

interface Taker {
  readonly pid: number
  /** Resolves with what it printed: `taken`, or why not. */
  take(atMs?: number): Promise<string>
  letGo(): Promise<string>
  kill(): Promise<void>
}

/** A process that takes the lock of `dataDir` when told to. */
async function startTaker(t: { teardown(stop: () => void): void }, dataDir: string) {
  const child: ChildProcess = spawn(process.execPath, [program, dataDir], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  t.teardown(() => child.kill('SIGKILL'))
  const exited = new Promise<void>(resolve => child.on('exit', () => resolve()))
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]()
  const ask = async (line: string) => {
    child.stdin!.write(`${line}\n`)
    return String((await lines.next()).value)
  }
  await lines.next()
  const taker: Taker = {
    pid: child.pid!,
    take: (atMs = 0) => ask(String(atMs)),
    letGo: () => ask(''),
    kill: () => {
      child.kill('SIGKILL')
      return exited
    },
  }
  return taker
}

const lockOf = (dataDir: string) => fs.readlinkSync(`${dataDir}/LOCK`)
const isInUse = (pid: number) => new RegExp(`in use by process ${pid}; .*--data-dir`)

/** The name of this process, as a lock holds it: number, start and boot. */
function ownName(): string {
  const dataDir = t.testdir()
  const letGo = lockDataDir(dataDir)
  const name = lockOf(dataDir)
  letGo()
  return name
}

const [pid, startedAt, boot] = ownName().split('-')
/** Of another start, of another boot, of a number that Linux gives to none. */
const deadNames = [`${pid}-1-${boot}`, `${pid}-${startedAt}-0123456789abcdef`, `4194305-1-${boot}`]

t.test('a lock keeps others out until it is let go of', async t => {
  const dataDir = t.testdir()
  const letGo = lockDataDir(dataDir)
  t.ok(Buffer.byteLength(lockOf(dataDir)) <= 59, 'its text needs no data block')
  t.throws(() => lockDataDir(dataDir), { name: 'DataDirLocked', message: isInUse(process.pid) })
  const other = await startTaker(t, dataDir)
  t.match(await other.take(), isInUse(process.pid))
  letGo()
  t.equal(await other.take(), 'taken')
  t.throws(() => lockDataDir(dataDir), { name: 'DataDirLocked', message: isInUse(other.pid) })
  t.equal(await other.letGo(), 'free')
  t.same(fs.readdirSync(dataDir), [])
})

t.test('the lock of a killed process is taken over', async t => {
  const dataDir = t.testdir()
  for (let round = 0; round < 3; round++) {
    const taker = await startTaker(t, dataDir)
    t.equal(await taker.take(), 'taken')
    await taker.kill()
  }
  lockDataDir(dataDir)()
  t.same(fs.readdirSync(dataDir), [])
})

t.test('a lock of nobody who lives is taken over', async t => {
  const takes = (make: (path: string) => void, what: string) => {
    const dataDir = t.testdir()
    make(`${dataDir}/LOCK`)
    const letGo = lockDataDir(dataDir)
    t.same(fs.readdirSync(dataDir), ['LOCK'], what)
    t.equal(Number(lockOf(dataDir).split('-')[0]), process.pid, what)
    letGo()
    t.same(fs.readdirSync(dataDir), [], what)
  }
  const link = (text: string) => takes(path => fs.symlinkSync(text, path), `link to ${text}`)
  const file = (text: string) =>
    takes(path => fs.writeFileSync(path, text), `file of ${JSON.stringify(text)}`)

  for (const name of deadNames) link(name)
  link('nobody')
  link('../elsewhere/LOCK')
  link(`${process.pid}`)
  link(`0-1-`)
  file('')
  file(JSON.stringify({ pid: process.pid, startedAt: '1', boot: 'earlier' }))
  file('\0'.repeat(200))
})

t.test('a successor that died before it held the lock is followed, too', async t => {
  const dataDir = t.testdir()
  const after = (name: string) =>
    `${dataDir}/LOCK.after-${createHash('sha256').update(name).digest('hex').slice(0, 32)}`
  const [first, second, third] = deadNames as [string, string, string]
  fs.symlinkSync(first, `${dataDir}/LOCK`)
  fs.symlinkSync(second, after(first))
  fs.symlinkSync(third, after(second))
  const letGo = lockDataDir(dataDir)
  t.equal(lockOf(dataDir), ownName())
  t.same(fs.readdirSync(dataDir), ['LOCK'])
  letGo()

  fs.symlinkSync(first, `${dataDir}/LOCK`)
  fs.symlinkSync(ownName(), after(first))
  t.throws(() => lockDataDir(dataDir), { message: isInUse(process.pid) }, 'unless it lives')
})

t.test('a lock that is another’s by now is not removed', async t => {
  const dataDir = t.testdir()
  const letGo = lockDataDir(dataDir)
  fs.unlinkSync(`${dataDir}/LOCK`)
  fs.symlinkSync('another', `${dataDir}/LOCK`)
  letGo()
  t.equal(lockOf(dataDir), 'another')
  fs.unlinkSync(`${dataDir}/LOCK`)
  letGo()
})

t.test('of five processes that start at once, exactly one takes the lock', async t => {
  const dataDir = t.testdir()
  const path = `${dataDir}/LOCK`
  const takers = await Promise.all(Array.from({ length: 5 }, () => startTaker(t, dataDir)))
  const winners = new Set<number>()
  for (let round = 0; round < 90; round++) {
    if (round % 3 === 1) fs.writeFileSync(path, '{}')
    if (round % 3 === 2) fs.symlinkSync(`${pid}-${round}-${boot}`, path)
    const at = Date.now() + 5
    const answers = await Promise.all(takers.map(taker => taker.take(at)))
    const taken = takers.filter((_, index) => answers[index] === 'taken')
    if (taken.length !== 1) return t.fail(`round ${round}: ${answers.join(', ')}`)
    if (Number(lockOf(dataDir).split('-')[0]) !== taken[0]!.pid) return t.fail(`round ${round}`)
    winners.add(taken[0]!.pid)
    for (const taker of takers) await taker.letGo()
    if (fs.readdirSync(dataDir).length > 0) return t.fail(`round ${round} left something behind`)
  }
  t.ok(winners.size > 1, `${winners.size} of 5 won at least once`)
})

t.test('a full disk does not keep the lock from being taken', { skip }, async t => {
  const dataDir = t.testdir()
  const script = `
    mount -t tmpfs -o size=64k logstrata "$0" && cd "$0"
    ln -s 1-1-dead LOCK
    cat /dev/zero > fill 2>/dev/null
    echo one > file 2>/dev/null && test -s file && exit 9
    echo 0 | exec "$@" "$0"`
  const argv = ['-rm', 'sh', '-c', script, dataDir, process.execPath, program]
  const { stdout, status } = spawnSync('unshare', argv, { encoding: 'utf8' })
  t.equal(status, 0)
  t.equal(stdout, 'ready\ntaken\n')
})
