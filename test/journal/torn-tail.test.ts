/**
 * A journal of more than 64 KiB that a crash cut anywhere: near every boundary between frames at every
 * byte, elsewhere at bytes drawn by a seed. Behind the cut there is nothing, or zeros (a file that grew
 * before its bytes came), or bytes of an older file.
 */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { fileHeaderBytes } from '../../src/journal/files.ts'
import { frameHeaderBytes } from '../../src/journal/frame.ts'
import { recoverFile } from '../../src/journal/recover.ts'
import { journalBytes } from '../segment/sealed.ts'
import { plainRecords } from './records.ts'

const file = 7
/** Records of each frame, and how long their messages are: tiny, usual, larger than all others together. */
const frames = [
  [1, 0],
  [40, 120],
  [1, 1],
  [3, 30_000],
  [200, 90],
  [1, 9],
  [500, 40],
  [2, 9],
] as const

/** Bytes before and behind a boundary at which the file is cut: a frame's header, and more. */
const nearBytes = frameHeaderBytes + 24
const randomCuts = 300

function makeFile(number: number, salt: string): { bytes: Buffer; boundaries: number[] } {
  // A frame's own mark inside of it must mislead nobody.
  const lists = frames.map(([recordCount, messageLength]) =>
    plainRecords(Array(recordCount).fill(`LSFR${salt}`.padEnd(messageLength, salt))),
  )
  return journalBytes(number, lists)
}

const { bytes, boundaries } = makeFile(file, 'a')
const older = makeFile(file - 1, 'b').bytes

/** Every place near a boundary, and some elsewhere; the longest first. */
function cuts(): number[] {
  const chosen = new Set<number>()
  for (const boundary of boundaries) {
    for (let at = boundary - nearBytes; at <= boundary + nearBytes; at++) chosen.add(at)
  }
  let random = 12_345
  for (let i = 0; i < randomCuts; i++) {
    random = (Math.imul(random, 1_103_515_245) + 12_345) >>> 0
    chosen.add(random % bytes.length)
  }
  const inside = [...chosen].filter(at => fileHeaderBytes <= at && at <= bytes.length)
  return inside.sort((a, b) => b - a)
}

/** First sequences of the frames whose bytes are all as they were written. */
function wholeFrames(found: Buffer): number[] {
  let firstSequence = 0
  return frames.flatMap(([recordCount], i) => {
    const [start, end] = [boundaries[i]!, boundaries[i + 1]!]
    const own = firstSequence
    firstSequence += recordCount
    return found.subarray(start, end).equals(bytes.subarray(start, end)) ? [own] : []
  })
}

/** Recovery gives exactly the whole frames, and says that all behind them is torn. */
function givesWholeFrames(path: string, found: Buffer, at: number): void {
  const firstSequences: number[] = []
  let readBytes = fileHeaderBytes
  const { lost } = recoverFile(path, file, 0, frame => {
    firstSequences.push(frame.header.firstSequence)
    readBytes += frame.bytes
  })
  assert.deepEqual(firstSequences, wholeFrames(found), `cut at ${at}`)
  const torn = { offset: readBytes, bytes: found.length - readBytes, kind: 'torn' }
  assert.deepEqual(lost, readBytes === found.length ? [] : [torn], `cut at ${at}`)
}

t.test('a cut journal gives exactly the whole frames before the cut', async t => {
  t.ok(bytes.length > 128 * 1024, `${bytes.length} bytes`)
  const path = join(t.testdir(), 'cut.log')
  fs.writeFileSync(path, bytes)
  for (const at of cuts()) {
    fs.truncateSync(path, at)
    givesWholeFrames(path, bytes.subarray(0, at), at)
  }
  t.equal(fs.statSync(path).size, fileHeaderBytes, 'down to the file header')
})

for (const [name, rest] of [
  ['zeros', Buffer.alloc(bytes.length)],
  ['an older file', older],
] as const) {
  t.test(`a cut journal with ${name} behind gives exactly the whole frames`, async t => {
    const path = join(t.testdir(), 'padded.log')
    fs.writeFileSync(path, bytes)
    const handle = fs.openSync(path, 'r+')
    t.teardown(() => fs.closeSync(handle))
    // From the longest down, so that each time only what came to be behind the cut is written.
    const found = Buffer.from(bytes)
    let end = bytes.length
    for (const at of cuts()) {
      rest.copy(found, at, at, end)
      fs.writeSync(handle, found, at, end - at, at)
      end = at
      givesWholeFrames(path, found, at)
    }
    t.equal(end, fileHeaderBytes)
  })
}
