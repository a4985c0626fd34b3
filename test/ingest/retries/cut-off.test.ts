/** A request that goes to disk in parts, and is cut off between two of them. */
import fs from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { journalPath } from '../../../src/journal/files.ts'
import { type RecoveredFrame, recoverFile } from '../../../src/journal/recover.ts'
import { keyOf, openIngestIn, openIngestOf } from './ingest-on-store.ts'

/** 2 MB of events, of which some cannot be read, the last one too. */
const events = Array.from({ length: 3_000 }, (_, i) =>
  i % 375 === 374 ? `{"message":` : JSON.stringify({ message: `${i}`, load: 'x'.repeat(700) }),
)
const body = events.join('\n')
const good = events.flatMap((_, i) => (i % 375 === 374 ? [] : [`${i}`]))

/** What a process leaves that is killed when it has answered. */
async function killedAfterIt(directory: string) {
  const first = await openIngestIn(join(directory, 'first'))
  const answer = await first.batch(body, keyOf('a'))
  const dataDir = join(directory, 'left')
  fs.cpSync(join(directory, 'first', 'journal'), join(dataDir, 'journal'), { recursive: true })
  await first.close()
  return { dataDir, answer }
}

function framesOf(dataDir: string): RecoveredFrame[] {
  const frames: RecoveredFrame[] = []
  recoverFile(journalPath(join(dataDir, 'journal'), 1), 1, 0, frame => frames.push({ ...frame }))
  return frames
}

t.test('a retry stores what is missing, wherever the first was cut off', async t => {
  const directory = t.testdir()
  const { dataDir, answer } = await killedAfterIt(directory)
  t.match(answer, { accepted: 2_992, rejected: 8 })
  const frames = framesOf(dataDir)
  t.ok(frames.length > 4, `${frames.length} frames`)

  const cuts = [frames[3]!.offset + 100, frames.at(-1)!.offset + 50]
  for (const [i, cut] of [...cuts, frames.at(-1)!.offset + frames.at(-1)!.bytes].entries()) {
    const cutDir = join(directory, `cut-${i}`)
    fs.cpSync(dataDir, cutDir, { recursive: true })
    fs.truncateSync(journalPath(join(cutDir, 'journal'), 1), cut)
    let there = await openIngestIn(cutDir)
    await t.rejects(there.batch(`${body} `, keyOf('a')), { code: 'idempotency_key_reused' })
    t.same(await there.batch(body, keyOf('a')), answer, 'the answer of the first time')
    t.same((await there.messages()).sort(), [...good].sort(), 'each of its events once')
    await there.store.settle()
    await there.close()
    there = await openIngestIn(cutDir)
    t.same(await there.batch(body, keyOf('a')), answer, 'and it is remembered')
    t.equal((await there.messages()).length, good.length)
    await there.close()
  }
})

t.test('a power cut that loses a part in the middle loses no event of the retry', async t => {
  const { dataDir, answer } = await killedAfterIt(t.testdir())
  const lost = framesOf(dataDir)[2]!
  const path = journalPath(join(dataDir, 'journal'), 1)
  const bytes = fs.readFileSync(path)
  bytes.fill(0, lost.offset, lost.offset + lost.bytes)
  fs.writeFileSync(path, bytes)
  const there = await openIngestOf(t, dataDir)
  t.same(await there.batch(body, keyOf('a')), answer)
  t.same((await there.messages()).sort(), [...good].sort())
})

t.test('a disk that fills up on the way is made room on, and the rest is stored', async t => {
  const there = await openIngestOf(t, t.testdir())
  const { appendBatches } = there.store
  there.store.appendBatches = async batches => {
    there.store.appendBatches = appendBatches
    await appendBatches.call(there.store, batches.slice(0, 3))
    throw new Error('only the first were stored')
  }
  await t.rejects(there.batch(body, keyOf('a')), /only the first/)
  const stored = (await there.messages()).length
  t.ok(stored > 0 && stored < good.length)
  t.match(await there.batch(body, keyOf('a')), { accepted: 2_992, rejected: 8 })
  t.same((await there.messages()).sort(), [...good].sort())
})
