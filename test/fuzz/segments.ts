/**
 * Damaged segments. Whatever is read of one is what was written, or is refused as corrupt; any
 * difference in the file is found by verifying it.
 */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { segmentPath } from '../../src/segment/files.ts'
import { readFooter, type SegmentFooter } from '../../src/segment/footer.ts'
import { rescueFooter } from '../../src/segment/rescue.ts'
import { unlessCorrupt } from '../../src/segment/segment-error.ts'
import type { BlockToWrite } from '../../src/segment/segment-writer.ts'
import { verifySegment } from '../../src/segment/verify.ts'
import {
  expectedBack,
  type ReadBack,
  readBack,
  smallBlock,
  writeSegment,
} from '../segment/segments.ts'
import { mutate } from './mutate.ts'
import type { FuzzTarget } from './target.ts'

interface Written {
  readonly bytes: Buffer
  readonly footer: SegmentFooter
  readonly expected: readonly ReadBack[]
}

const number = 7

export function makeSegments(): FuzzTarget {
  const directory = fs.mkdtempSync(join(tmpdir(), 'logstrata-fuzz-segments-'))
  const path = segmentPath(directory, '2026-11-20', number)
  const originals = [['a'], ['first', 'other'], ['x'.repeat(3_000), 'é', 'b']].map(names =>
    written(path, names.map(smallBlock)),
  )
  return {
    tryOne(random) {
      const { bytes, footer, expected } = random.pick(originals)
      const damaged = mutate(bytes, random, ['LSSEGMNT', 'LSFR', '\xff'.repeat(8), '\0'.repeat(24)])
      fs.writeFileSync(path, damaged)
      if (!damaged.equals(bytes)) {
        assert.ok(verifySegment(path, number).length > 0, 'damage was verified as whole')
      }
      const read = unlessCorrupt(() => readFooter(path, number))
      assert.ok(read === undefined || isDeepStrictEqual(read, footer), 'the footer is another')
      const rescued = unlessCorrupt(() => rescueFooter(path, number))?.footer
      for (const footerRead of [footer, read, rescued]) {
        if (footerRead === undefined) continue
        for (const block of readBack(path, footerRead, unlessCorrupt)) {
          if (block === undefined) continue
          const isRight = expected.some(each => isDeepStrictEqual(block, each))
          assert.ok(isRight, 'a block was misread')
        }
      }
    },
    end: () => fs.rmSync(directory, { recursive: true }),
  }
}

function written(path: string, blocks: readonly BlockToWrite[]): Written {
  const footer = writeSegment(path, number, blocks)
  return { bytes: fs.readFileSync(path), footer, expected: blocks.map(expectedBack) }
}
