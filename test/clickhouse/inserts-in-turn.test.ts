/** Inserts of a file that are under way together, and made in the same memory, are what each is alone. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import fc from 'fast-check'
import t from 'tap'
import type { Disk } from '../../src/disk/disk.ts'
import { realDisk } from '../../src/disk/real-disk.ts'
import { fileHeaderBytes, journalPath } from '../../src/journal/files.ts'
import type { Connection, Statement } from '../../src/store/clickhouse/connection.ts'
import { shipFile } from '../../src/store/clickhouse/ship.ts'
import { days, writeLargeJournal } from './journal-of-days.ts'

/** What the bytes of each insert are, by its token (their hash: a report of megabytes takes gigabytes). */
interface Sent {
  readonly bodies: Map<string, string>
  readonly failure: string | undefined
}

/** `pauses`: how long each insert waits before it asks for its next chunk, in turns of the event loop. */
async function sent(directory: string, disk: Disk, pauses?: readonly number[]): Promise<Sent> {
  const bodies = new Map<string, string>()
  let asked = 0
  const insert = async ({ settings }: Statement, body: Iterable<Buffer>) => {
    const token = String(settings!.insert_deduplication_token)
    const hash = createHash('sha256')
    for (const chunk of body) {
      hash.update(chunk)
      const pause = pauses === undefined ? 0 : pauses[asked++ % pauses.length]!
      for (let i = 0; i < pause; i++) await turn()
    }
    bodies.set(token, hash.digest('hex'))
  }
  const connection: Pick<Connection, 'insert' | 'rows'> = {
    insert,
    rows: async () => assert.fail('nobody asks what is there'),
  }
  const journal = { path: journalPath(directory, 1), file: 1 }
  const task = { url: '', cluster: undefined, journal, frontEnd: 'one', mayBeThere: false }
  const receiptsDirectory = directory
  const failure = await shipFile({ ...task, receiptsDirectory }, connection, disk).then(
    () => undefined,
    error => String(error.message),
  )
  return { bodies, failure }
}

t.test('whichever of them asks for its next chunk first', async t => {
  const directory = join(t.testdir({ journal: {} }), 'journal')
  await writeLargeJournal(t, directory)
  const alone = await sent(directory, realDisk)
  assert.equal(alone.bodies.size, days)
  const pauses = fc.array(fc.nat(3), { minLength: 1, maxLength: 20 })
  await fc.assert(
    fc.asyncProperty(pauses, async pauses => {
      assert.deepEqual(await sent(directory, realDisk, pauses), alone)
    }),
    { numRuns: 30 },
  )
})

t.test('what one that fails has begun goes with no other', async t => {
  const directory = join(t.testdir({ journal: {} }), 'journal')
  await writeLargeJournal(t, directory)
  const alone = await sent(directory, realDisk)
  await fc.assert(
    fc.asyncProperty(fc.nat(24), fc.array(fc.nat(3), { minLength: 1 }), async (reads, pauses) => {
      const { bodies, failure } = await sent(directory, failingOnce(reads), pauses)
      if (failure === undefined) assert.equal(bodies.size, days)
      else assert.equal(failure, 'the disk fails')
      for (const [token, body] of bodies) assert.equal(body, alone.bodies.get(token), token)
    }),
    { numRuns: 30 },
  )
})

/** Reads of frames fail once, after so many that do not. */
function failingOnce(reads: number): Disk {
  let left = reads
  return {
    ...realDisk,
    openSync(path) {
      const file = realDisk.openSync(path)
      return {
        size: () => file.size(),
        close: () => file.close(),
        read(...asked) {
          const [, , , offset] = asked
          if (offset >= fileHeaderBytes && left-- === 0) throw new Error('the disk fails')
          return file.read(...asked)
        },
      }
    },
  }
}
