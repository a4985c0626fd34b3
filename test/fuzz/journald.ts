/**
 * A stream of journal entries, damaged: in whatever pieces it comes, the same entries are found, and they are
 * those of the whole body, up to where nobody can tell entries apart.
 */
import assert from 'node:assert/strict'
import { formats } from '../../src/ingest/formats/formats.ts'
import { EntryCutter } from '../../src/ingest/formats/journald/entry-cutter.ts'
import { ProblemError } from '../../src/problems.ts'
import { fuzzedFormats, journalEntry } from './formats.ts'
import { mutate } from './mutate.ts'
import { piecesOf } from './syslog.ts'
import type { FuzzTarget } from './target.ts'

const eventBytesMax = 2_048

export const journaldStream: FuzzTarget = {
  tryOne(random) {
    const entries = Array.from({ length: 1 + random.below(5) }, () => journalEntry(random))
    const whole = Buffer.concat(entries)
    const stream = random.below(4) > 0 ? mutate(whole, random, fuzzedFormats.journald.words) : whole
    const atOnce = found([stream])
    const inPieces = found(piecesOf(stream, random))
    assert.deepEqual(inPieces.messages, atOnce.messages)
    assert.equal(inPieces.failure, atOnce.failure)
    assert.deepEqual(inPieces.messages, messagesOf(stream))
  },
}

function found(pieces: readonly Buffer[]) {
  const cutter = new EntryCutter(eventBytesMax)
  const messages: string[] = []
  for (const piece of pieces) {
    const entries = cutter.push(Buffer.from(piece))
    if (entries !== undefined) messages.push(...messagesOf(entries))
    assert.ok(cutter.heldBytes <= 2 * eventBytesMax)
    if (cutter.failure !== undefined) return { messages, failure: cutter.failure.message }
  }
  try {
    const rest = cutter.end()
    if (rest !== undefined) messages.push(...messagesOf(rest))
    return { messages, failure: undefined }
  } catch (error) {
    return { messages, failure: (error as ProblemError).message }
  }
}

/** Of the entries that can be read. */
function messagesOf(body: Buffer): string[] {
  const context = { receivedAt: 1, timestampField: undefined, eventBytesMax }
  const messages: string[] = []
  try {
    for (const { record } of formats.journald.read(body, context, undefined)) {
      if (record !== undefined) messages.push(record.message)
    }
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error
  }
  return messages
}
