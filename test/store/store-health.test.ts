import { readdirSync } from 'node:fs'
import t from 'tap'
import { Health } from '../../src/health.ts'
import { limits } from '../../src/limits.ts'
import { ProblemError } from '../../src/problems.ts'
import { watchStore } from '../../src/store/store-health.ts'

const mib = 1024 * 1024

/** A journal that says what a test wants it to. */
function standIn(directory: string, eventBytesMax = mib) {
  const journal = {
    refusal: undefined as ProblemError | undefined,
    figures: { pendingBytes: 0, commitCount: 0, writtenBytes: 0, lastCommitMs: 0, refusedBytes: 0 },
    checkRoom() {
      if (this.refusal !== undefined) throw this.refusal
    },
    stats() {
      return this.figures
    },
  }
  const health = new Health()
  watchStore(health, { journal, directory, config: { eventBytesMax } })
  const names = async () => (await health.reasons()).map(({ name }) => name)
  return { journal, health, names }
}

t.test('why an event would not be taken', async t => {
  const { journal, names } = standIn(t.testdir())
  t.same(await names(), [])
  journal.refusal = new ProblemError('ingest_overloaded', 'too much waits')
  t.same(await names(), ['overloaded'])
  journal.refusal = new ProblemError('storage_failed', 'the disk failed')
  t.same(await names(), ['disk_failed'])
  journal.refusal = undefined
  journal.figures = { ...journal.figures, lastCommitMs: limits.slowCommitMs }
  t.same(await names(), ['disk_slow'])
  journal.figures = { ...journal.figures, lastCommitMs: limits.slowCommitMs - 1 }
  t.same(await names(), [])
})

t.test('a disk on which some events have room and others not is nearly full', async t => {
  const { journal, names } = standIn(t.testdir())
  journal.figures = { ...journal.figures, refusedBytes: 100 * mib }
  t.same(await names(), [], 'there is room again')
  journal.figures = { ...journal.figures, refusedBytes: Number.MAX_SAFE_INTEGER }
  t.same(await names(), ['disk_nearly_full'])
})

t.test('room is asked of the directory itself, and nothing stays there', async t => {
  const directory = t.testdir({ here: {} })
  t.same(await standIn(`${directory}/here`).names(), [])
  t.strictSame(readdirSync(`${directory}/here`), [])
  const { health } = standIn(`${directory}/gone`)
  t.match(await health.text('disk_full'), /takes no writes \(ENOENT\)/)
  const { health: large } = standIn(directory, Number.MAX_SAFE_INTEGER)
  t.match(await large.text('disk_full'), /bytes are free, an event may need/)
})
