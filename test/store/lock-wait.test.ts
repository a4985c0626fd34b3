import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { lockDataDir, sayEnding } from '../../src/store/lock.ts'
import { lockWhenFree } from '../../src/store/lock-wait.ts'
import { endWithThisProcess } from '../service/end-with-this-process.ts'

const program = fileURLToPath(new URL('../fixtures/lock-taker.ts', import.meta.url))
const long = 60_000

t.test('a lock whose holder says that it ends is waited for, which is told once', async t => {
  const dataDir = t.testdir()
  const letGo = lockDataDir(dataDir)
  sayEnding(dataDir)
  const told: number[] = []
  const onWait = (pid: number) => {
    told.push(pid)
    setTimeout(letGo, 200) // Longer than it takes to look again.
  }
  const letGoAgain = await lockWhenFree(dataDir, { endingMs: long, noticeMs: 0, onWait })
  t.same(told, [process.pid])
  t.same(fs.readdirSync(dataDir), ['LOCK'])
  letGoAgain()
})

t.test('a holder that stays is not waited for, one that ends for a while', async t => {
  const dataDir = t.testdir()
  const letGo = lockDataDir(dataDir)
  const refuses = (endingMs: number, noticeMs: number, waits: number) => {
    const told: number[] = []
    const onWait = (pid: number) => told.push(pid)
    return t
      .rejects(lockWhenFree(dataDir, { endingMs, noticeMs, onWait }), {
        name: 'DataDirLocked',
        message: /in use by process \d+; stop that one first/,
      })
      .then(() => t.equal(told.length, waits))
  }
  await refuses(long, 0, 0)
  sayEnding(dataDir)
  await refuses(100, 0, 1)
  letGo()
  t.same(fs.readdirSync(dataDir), [])
})

t.test('who says so without having the lock says nothing', async t => {
  const dataDir = t.testdir()
  sayEnding(dataDir)
  t.same(fs.readdirSync(dataDir), [])
  fs.symlinkSync('1-1-another', `${dataDir}/LOCK`)
  sayEnding(dataDir)
  t.same(fs.readdirSync(dataDir), ['LOCK'])
})

t.test('a process that has ended is dead, though nobody has asked how', async t => {
  const dataDir = t.testdir()
  // The shell becomes `sleep`, which never asks for the end of its child.
  const script = '"$0" "$@" <&3 & exec sleep 600 3<&-'
  const parent = spawn('sh', ['-c', script, process.execPath, program, dataDir], {
    stdio: ['ignore', 'pipe', 'inherit', 'pipe'],
  })
  endWithThisProcess(parent)
  t.teardown(() => parent.kill('SIGKILL'))
  await once(parent.stdout!, 'data')
  const input = parent.stdio[3] as unknown as NodeJS.WritableStream
  input.write('0\n')
  t.equal(String((await once(parent.stdout!, 'data'))[0]), 'taken\n')
  const pid = Number(fs.readlinkSync(`${dataDir}/LOCK`).split('-')[0])
  process.kill(pid, 'SIGKILL')
  const letGo = await lockWhenFree(dataDir, { endingMs: long, noticeMs: long, onWait: () => {} })
  t.match(fs.readFileSync(`/proc/${pid}/stat`, 'utf8'), /\) Z /, 'it is still listed')
  letGo()
})
