/**
 * Damaged journal files. Recovery gives frames that were written, at the places where they were written,
 * and no others; each frame whose bytes are still there is found; what is lost is told, and is all
 * the rest of the file.
 */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Random } from '../../bench/random.ts'
import { BatchWriter } from '../../src/journal/batch-writer.ts'
import { encodeFileHeader, fileHeaderBytes } from '../../src/journal/files.ts'
import { encodeFrameHeader } from '../../src/journal/frame.ts'
import { recoverFile } from '../../src/journal/recover.ts'
import { mutate } from './mutate.ts'
import type { FuzzTarget } from './target.ts'

const stream = { service: 'fuzz', environment: 'test' }
const file = 3

interface Written {
  readonly bytes: Buffer
  /** Bytes of each frame, by its offset. */
  readonly frames: ReadonlyMap<number, Buffer>
}

export function makeFrames(): FuzzTarget {
  const directory = fs.mkdtempSync(join(tmpdir(), 'logstrata-fuzz-frames-'))
  const path = join(directory, 'damaged.log')
  return {
    tryOne(random) {
      const { bytes, frames } = journalFile(random)
      const damaged = mutate(bytes, random, ['LSFR', 'LSJOURNL', 'LSFR\xff\xff\xff\xff'])
      fs.writeFileSync(path, damaged)
      const found = new Set<number>()
      let whole = 0
      const { lost, fileBytes } = recoverFile(
        path,
        file,
        0,
        ({ offset, bytes: length, header }) => {
          const expected = frames.get(offset)
          assert.ok(expected !== undefined, `a frame at ${offset} that was never written`)
          assert.ok(damaged.subarray(offset, offset + length).equals(expected), 'it was changed')
          assert.equal(header.payloadBytes, length - 40)
          found.add(offset)
          whole += length
        },
      )
      for (const [offset, expected] of frames) {
        const isThere = damaged.subarray(offset, offset + expected.length).equals(expected)
        assert.equal(found.has(offset), isThere, `the frame at ${offset}`)
      }
      const lostBytes = lost.reduce((sum, part) => sum + part.bytes, 0)
      assert.equal(fileBytes, damaged.length)
      assert.equal(lostBytes + whole, Math.max(0, fileBytes - fileHeaderBytes))
    },
    end: () => fs.rmSync(directory, { recursive: true }),
  }
}

function journalFile(random: Random): Written {
  const parts = [encodeFileHeader(file)]
  const frames = new Map<number, Buffer>()
  let offset = fileHeaderBytes
  let firstSequence = 0
  for (let left = 1 + random.below(4); left > 0; left--) {
    const writer = new BatchWriter()
    for (let records = 1 + random.skewedBelow(8); records > 0; records--) {
      const attributes = [
        'id',
        random.hex(8),
        random.pick(['', 'LSFR', '__proto__']),
        random.hex(4),
      ]
      const message = random.pick(['LSFR', 'took 3 ms', '', random.hex(40)])
      writer.add({ timestamp: random.below(1_000), level: 'info', message, attributes }, stream)
    }
    const { payload, recordCount, minTimestamp, maxTimestamp } = writer.encode()
    const payloadBytes = payload.length
    const header = { payloadBytes, recordCount, firstSequence, minTimestamp, maxTimestamp }
    const frame = Buffer.concat([encodeFrameHeader(header, payload, { file, offset }), payload])
    frames.set(offset, frame)
    parts.push(frame)
    offset += frame.length
    firstSequence += recordCount
  }
  return { bytes: Buffer.concat(parts), frames }
}
