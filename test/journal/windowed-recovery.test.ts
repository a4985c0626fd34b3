/**
 * Recovery reads a file in windows; a plain reader has all of it in memory, and tries every offset. On
 * any file both find the same frames and the same lost parts, however the windows lie on it.
 */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { ReadWindow } from '../../src/disk/read-window.ts'
import { realDisk } from '../../src/disk/real-disk.ts'
import { fileHeaderBytes } from '../../src/journal/files.ts'
import { frameHeaderBytes, readFrame } from '../../src/journal/frame.ts'
import { type LostPart, recoverFile } from '../../src/journal/recover.ts'
import { fileOf } from '../disk/memory-file.ts'
import { forAll } from '../for-all.ts'
import { longRuns } from '../long-runs.ts'
import { journalBytes } from '../segment/sealed.ts'
import { plainRecords } from './records.ts'

const file = 5

interface Found {
  /** Offset, first sequence and payload of each frame. */
  readonly frames: [number, number, string][]
  readonly lost: LostPart[]
}

function plainly(bytes: Buffer): Found {
  const found: Found = { frames: [], lost: [] }
  const wholeAt = (offset: number) => {
    const frame = readFrame(bytes, offset, file, 0)
    return typeof frame === 'object' ? frame : undefined
  }
  for (let offset = fileHeaderBytes; offset < bytes.length; ) {
    const frame = wholeAt(offset)
    if (frame !== undefined) {
      found.frames.push([offset, frame.header.firstSequence, frame.payload.toString('base64')])
      offset += frameHeaderBytes + frame.payload.length
      continue
    }
    let next = offset + 1
    while (next < bytes.length && wholeAt(next) === undefined) next++
    const kind = next === bytes.length ? 'torn' : 'damaged'
    found.lost.push({ offset, bytes: next - offset, kind })
    offset = next
  }
  return found
}

function inWindows(bytes: Buffer, windowBytes: number, bytesPerRead: number): Found {
  const frames: Found['frames'] = []
  const disk = { ...realDisk, openSync: () => fileOf(bytes, bytesPerRead) }
  const { lost } = recoverFile(
    'in memory',
    file,
    0,
    ({ offset, header, payload }) => {
      frames.push([offset, header.firstSequence, payload.toString('base64')])
    },
    disk,
    new ReadWindow(windowBytes),
  )
  return { frames, lost: [...lost] }
}

/** A journal file; each frame has one record with such a message. */
function journalOf(messages: readonly string[]): Buffer {
  const lists = messages.map(message => plainRecords([message]))
  return journalBytes(file, lists).bytes
}

/** Texts with marks of frames in them, and headers of frames that claim some length. */
const misleading = fc.oneof(
  fc.string({ maxLength: 20 }),
  fc.constantFrom('LSFR', 'LLSFR', 'LSF', 'LSFRLSFR', 'LSFR\x09\0\0\0', 'LSFR\xff\xff\xff\xff'),
  fc.nat({ max: 400 }).map(length => 'x'.repeat(length)),
)

const journal = fc.array(misleading, { minLength: 1, maxLength: 8 }).map(journalOf)

/** What may have happened at a place of a file. */
type Damage = (bytes: Buffer, at: number) => Buffer

const flip = fc.nat({ max: 7 }).map(
  (bit): Damage =>
    (bytes, at) => {
      bytes[at]! ^= 1 << bit
      return bytes
    },
)
const cut = fc.constant<Damage>((bytes, at) => bytes.subarray(0, at))
const overwrite = misleading.map(
  (text): Damage =>
    (bytes, at) => {
      bytes.write(text, at, 'latin1')
      return bytes
    },
)

const damages = fc.array(fc.tuple(fc.oneof(flip, cut, overwrite), fc.nat()), { maxLength: 4 })

function damaged(whole: Buffer, all: readonly [Damage, number][]): Buffer {
  let bytes: Buffer = Buffer.from(whole)
  for (const [damage, place] of all) {
    const framesBytes = bytes.length - fileHeaderBytes
    if (framesBytes > 0) bytes = damage(bytes, fileHeaderBytes + (place % framesBytes))
  }
  return bytes
}

t.test('windows of any size find what a plain reader finds', async () => {
  forAll(
    longRuns(1_000),
    journal,
    damages,
    fc.integer({ min: 1, max: 600 }),
    fc.integer({ min: 1, max: 600 }),
    (whole, all, windowBytes, bytesPerRead) => {
      const bytes = damaged(whole, all)
      assert.deepEqual(inWindows(bytes, windowBytes, bytesPerRead), plainly(bytes))
    },
  )
})

t.test('a mark or a frame across the border of two windows is found, wherever it lies', async t => {
  const whole = journalOf(['one', 'LSFR two', 'three'.repeat(40), 'four'])
  const first = readFrame(whole, fileHeaderBytes, file, 0)
  if (typeof first !== 'object') throw new Error('the first frame cannot be read')
  const hurt = Buffer.from(whole)
  hurt[fileHeaderBytes + frameHeaderBytes]! ^= 1
  const [expected, expectedHurt] = [plainly(whole), plainly(hurt)]
  t.equal(expected.frames.length, 4)
  t.match(expectedHurt, { frames: { length: 3 }, lost: [{ kind: 'damaged' }] })
  for (let windowBytes = 1; windowBytes <= whole.length + 1; windowBytes++) {
    assert.deepEqual(inWindows(whole, windowBytes, whole.length), expected, `${windowBytes}`)
    assert.deepEqual(inWindows(hurt, windowBytes, whole.length), expectedHurt, `${windowBytes}`)
  }
})
