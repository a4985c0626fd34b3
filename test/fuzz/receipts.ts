/**
 * Files of receipts. A damaged one is refused, or is what was written; and whatever stands under a checksum
 * that holds, as only a mistake of a writer could put it there, a start goes on, and keeps aside what it cannot
 * read.
 */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { crc32 } from 'node:zlib'
import { Packr } from 'msgpackr'
import { pino } from 'pino'
import { makeRandom, type Random } from '../../bench/random.ts'
import { realDisk } from '../../src/disk/real-disk.ts'
import {
  eventKeyBytes,
  type FrameReceipts,
  fingerprintBytes,
  hashBytes,
  packReceipts,
} from '../../src/journal/receipts.ts'
import {
  GatheredReceipts,
  readReceiptFile,
  receiptPath,
} from '../../src/store/receipts/receipt-file.ts'
import { ReceiptFiles } from '../../src/store/receipts/receipt-files.ts'
import { Receipts } from '../../src/store/receipts/receipts.ts'
import { mutate } from './mutate.ts'
import type { FuzzTarget } from './target.ts'

const journal = 7
const headerBytes = 36
const payloadBytesAt = 20
const crcAt = 32
const bounds = { countMax: 64, ageMsMax: 1_000_000, now: () => 1_000_000 }
const logger = pino({ level: 'silent' })
const packr = new Packr({ useRecords: false, moreTypes: false })

export function makeReceipts(): FuzzTarget {
  const directory = fs.mkdtempSync(join(tmpdir(), 'logstrata-fuzz-receipts-'))
  const paths = { receipts: directory, quarantine: join(directory, 'quarantine') }
  const path = receiptPath(directory, journal)
  const originals = Array.from({ length: 16 }, (_, seed) => {
    const random = makeRandom(seed)
    const frames = Array.from({ length: 1 + random.below(4) }, () => frameReceipts(random))
    const gathered = new GatheredReceipts()
    for (const frame of frames) gathered.add(frame)
    gathered.write(directory, journal, realDisk)
    return { frames, whole: fs.readFileSync(path) }
  })
  return {
    tryOne(random) {
      const { frames, whole } = random.pick(originals)
      if (random.below(2) === 0) isSameOrRefused(path, mutate(whole, random), frames)
      else isStartedWith(paths, path, withOtherPayload(whole, frames, random))
    },
    end: () => fs.rmSync(directory, { recursive: true }),
  }
}

function frameReceipts(random: Random): FrameReceipts {
  const bytes = (count: number) => Buffer.from(random.hex(2 * count), 'hex')
  const total = 1 + random.below(5)
  const requests = Array.from({ length: random.below(4) }, () => ({
    ...{ hash: bytes(hashBytes), fingerprint: bytes(fingerprintBytes) },
    ...{ time: random.below(1_000_000), from: 0, to: 1 + random.below(total), total },
    ...{ accepted: total, answer: random.pick(['', '{"rejected":1,"errors":[]}']) },
  }))
  const eventKeys = bytes(eventKeyBytes * random.below(4))
  return { time: random.below(1_000_000), eventKeys, requests }
}

function isSameOrRefused(path: string, damaged: Buffer, frames: readonly FrameReceipts[]): void {
  fs.writeFileSync(path, damaged)
  const read = readReceiptFile(path, realDisk)
  if ('fault' in read) return
  const found = [...read.frames].map(frame => packReceipts(frame))
  const written = frames.map(frame => packReceipts(frame))
  assert.ok(isDeepStrictEqual(found, written), 'they were changed')
}

/** Under a header whose lengths and checksum are right. */
function withOtherPayload(whole: Buffer, frames: readonly FrameReceipts[], random: Random): Buffer {
  const changedFrames = () => packr.pack(frames.map(one => mutate(packReceipts(one), random)))
  const isOutside = random.below(2) === 0
  const payload = isOutside ? mutate(whole.subarray(headerBytes), random) : changedFrames()
  const header = Buffer.from(whole.subarray(0, headerBytes))
  header.writeUInt32LE(payload.length, payloadBytesAt)
  header.writeUInt32LE(crc32(payload, crc32(header.subarray(0, crcAt))), crcAt)
  return Buffer.concat([header, payload])
}

function isStartedWith(
  paths: { readonly receipts: string; readonly quarantine: string },
  path: string,
  bytes: Buffer,
): void {
  fs.writeFileSync(path, bytes)
  const receipts = new Receipts(bounds)
  new ReceiptFiles({ ...bounds, paths, disk: realDisk, logger }).readInto(receipts)
  assert.ok(receipts.count <= bounds.countMax)
  const isKept = fs.existsSync(path)
  assert.ok(isKept !== fs.existsSync(join(paths.quarantine, '00000007.receipts')), 'it is kept')
  fs.rmSync(paths.quarantine, { recursive: true, force: true })
}
