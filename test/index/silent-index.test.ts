import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import t, { type Test } from 'tap'
import { openBlockIndex } from '../../src/index/open-index.ts'
import { endWithThisProcess } from '../service/end-with-this-process.ts'

const answerMs = 1_000
const holdWrites = fileURLToPath(new URL('../catalog/fixtures/hold-writes.ts', import.meta.url))

/** An index whose writes all wait, as after a failure that the thread which writes never got over. */
async function silentIndex(t: Test) {
  const dataDir = t.testdir()
  const { index } = await openBlockIndex(dataDir, pino({ level: 'silent' }), answerMs)
  await index.noteJournal(1, true)
  const holder: ChildProcess = spawn(process.execPath, [holdWrites, join(dataDir, 'index.lmdb')])
  endWithThisProcess(holder)
  t.teardown(() => holder.kill('SIGKILL'))
  await once(holder.stdout!, 'data')
  return index
}

t.test('an index that gives no answer refuses changes, and does not hold up the end', async t => {
  const index = await silentIndex(t)
  await t.rejects(index.noteJournal(2, true), { cause: { name: 'LmdbSilent' } })
  t.same(index.journals(), [1])
  const startedAt = performance.now()
  await index.close()
  t.ok(performance.now() - startedAt < answerMs, 'a change was given up: nothing is waited for')
})

t.test('an index whose silence nobody has met yet holds up the end for no longer', async t => {
  const index = await silentIndex(t)
  const change = t.rejects(index.noteJournal(2, true), { cause: { name: 'LmdbSilent' } })
  await index.close()
  await change
})
