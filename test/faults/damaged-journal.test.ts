import fs from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { directoryOfProcess } from '../directory-of-process.ts'
import { type ServiceProcess, startService, startServiceOf } from '../service/service-process.ts'

let left: Promise<string> | undefined

/** What a killed service left that had taken 20 events, each in a frame of its own. */
async function leaveOnce(): Promise<string> {
  const directory = directoryOfProcess('killed')
  const killed = await startService(directory)
  await sendEvents(killed)
  await killed.end('SIGKILL')
  return directory
}

/** A copy of it, and the path of its journal file. */
async function filledDirectory(t: Test): Promise<{ dataDir: string; file: string }> {
  left ??= leaveOnce()
  const dataDir = t.testdir()
  fs.cpSync(await left, dataDir, { recursive: true })
  return { dataDir, file: join(dataDir, 'journal', '00000001.log') }
}

async function sendEvents(service: ServiceProcess): Promise<void> {
  const token = await service.makeToken()
  for (let i = 0; i < 20; i++) {
    const body = { message: `event ${i}`, padding: 'x'.repeat(200) }
    await service.send(token, body)
  }
}

async function serves(t: Test, dataDir: string, count: number, logged: RegExp) {
  const service = await startService(dataDir)
  t.equal((await service.query('count(logs)')).body.count, count)
  t.match(service.output.stderr, logged, 'what was lost is said')
  const token = await service.makeToken('after')
  const body = { message: 'after the damage' }
  await service.send(token, body)
  t.equal((await service.query('count(logs)')).body.count, count + 1)
  t.equal(await service.end(), 0)
}

t.test('a journal cut in its last frame serves the rest and says what was cut', async t => {
  const { dataDir, file } = await filledDirectory(t)
  fs.truncateSync(file, fs.statSync(file).size - 7)
  await serves(t, dataDir, 19, /cut off.*|"file":"00000001.log"/)
  const kept = fs.readdirSync(join(dataDir, 'quarantine'))
  t.match(kept, [/^00000001\.log\.\d+$/], 'the cut frame is kept for a person')
})

t.test('a flipped bit in the middle of a journal costs one frame', async t => {
  const { dataDir, file } = await filledDirectory(t)
  const bytes = fs.readFileSync(file)
  bytes[bytes.length >> 1]! ^= 4
  fs.writeFileSync(file, bytes)
  await serves(t, dataDir, 19, /damaged and its records are lost/)
})

t.test('a bit that flips after the start is found by the query that meets it', async t => {
  const dataDir = t.testdir()
  const service = await startServiceOf(t, dataDir)
  await sendEvents(service)
  const file = join(dataDir, 'journal', '00000001.log')
  const bytes = fs.readFileSync(file)
  bytes[bytes.length >> 1]! ^= 4
  fs.writeFileSync(file, bytes)
  const { body } = await service.query('count(logs{} |= "event")')
  t.equal(body.count, 19)
  t.equal(body.stats.damagedFrames, 1)
})

t.test('a missing or foreign index is built again from the journal', async t => {
  const { dataDir } = await filledDirectory(t)
  fs.rmSync(join(dataDir, 'index.lmdb'))
  await serves(t, dataDir, 20, /recovered/)
  fs.writeFileSync(join(dataDir, 'index.lmdb'), 'a letter to my grandmother\n'.repeat(1_000))
  await serves(t, dataDir, 21, /the index is foreign; building it anew/)
})

t.test('a missing journal file is said, and the rest is served', async t => {
  const { dataDir, file } = await filledDirectory(t)
  fs.rmSync(file)
  await serves(t, dataDir, 0, /00000001\.log is missing and its records are gone/)
})
