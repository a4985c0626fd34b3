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
import { fileHeaderBytes } from '../../src/journal/files.ts'
import { recoverFile } from '../../src/journal/recover.ts'
import { journalBytes, type StreamRecord } from '../segment/sealed.ts'
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
  const lists: StreamRecord[][] = []
  for (let left = 1 + random.below(4); left > 0; left--) {
    const records: StreamRecord[] = []
    for (let count = 1 + random.skewedBelow(8); count > 0; count--) {
      const attributes = [
        'id',
        random.hex(8),
        random.pick(['', 'LSFR', '__proto__']),
        random.hex(4),
      ]
      const message = random.pick(['LSFR', 'took 3 ms', '', random.hex(40)])
      const timestamp = random.below(1_000)
      records.push({ timestamp, level: 'info', message, attributes, stream })
    }
    lists.push(records)
  }
  const { bytes, boundaries } = journalBytes(file, lists)
  const frames = boundaries
    .slice(0, -1)
    .map((offset, i) => [offset, bytes.subarray(offset, boundaries[i + 1])] as const)
  return { bytes, frames: new Map(frames) }
}
