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
import { withSegmentFile } from '../../src/segment/segment-file.ts'
import type { BlockToWrite } from '../../src/segment/segment-writer.ts'
import { SkipIndex } from '../../src/segment/skip/skip-index.ts'
import { verifySegment } from '../../src/segment/verify.ts'
import { toFormat1 } from '../segment/other-formats.ts'
import { type StreamRecord, sealRecords } from '../segment/sealed.ts'
import {
  expectedBack,
  info,
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
  /** What the skip indexes tell. */
  readonly told: readonly unknown[]
}

const number = 7

const stream = { service: 'sshd', environment: 'fuzz' }

const records = (count: number, messageOf: (i: number) => string): StreamRecord[] =>
  Array.from({ length: count }, (_, i) => {
    const attributes = ['user', `u${i}`, ...(i % 3 === 0 ? ['host', 'web-1'] : [])]
    return { stream, timestamp: i, level: 'info', message: messageOf(i), attributes }
  })

/** Records of blocks of one run: with templates, without, and with so many that they are compressed. */
export const recordLists: readonly (readonly StreamRecord[])[][] = [
  [records(40, i => `session ${i} opened for user root`)],
  [
    records(40, i => `session ${i} closed; uid=${i * 7}`),
    records(9, i => `${'qrst'.repeat(i)}-${i * 7919}`),
    records(60, i => (i % 2 === 0 ? `user alice${i} came` : `port ${i} from 10.0.0.${i}`)),
  ],
  [records(200, i => `kind ${'abcdefghijklmnopqrst'[i % 20]!.repeat(9)} of the events has ${i}`)],
]

export function makeSegments(): FuzzTarget {
  const directory = fs.mkdtempSync(join(tmpdir(), 'logstrata-fuzz-segments-'))
  const path = segmentPath(directory, '2026-11-20', number)
  const originals = [
    ...[['a'], ['first', 'other'], ['x'.repeat(3_000), 'é', 'b']].map(names =>
      written(path, names.map(smallBlock)),
    ),
    ...recordLists.map(lists => sealed(path, lists)),
    ofFormat1(path, recordLists[1]!),
  ]
  return {
    tryOne(random) {
      const { bytes, footer, expected, told } = random.pick(originals)
      const damaged = mutate(bytes, random, ['LSSEGMNT', 'LSST', '\xff'.repeat(8), '\0'.repeat(24)])
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
        for (const one of toldBy(path, footerRead)) {
          if (one === undefined) continue
          const isRight = told.some(each => isDeepStrictEqual(one, each))
          assert.ok(isRight, 'a skip index was misread')
        }
      }
    },
    end: () => fs.rmSync(directory, { recursive: true }),
  }
}

function written(path: string, blocks: readonly BlockToWrite[]): Written {
  const footer = writeSegment(path, number, blocks)
  return { ...asRead(path, footer), expected: blocks.map(expectedBack) }
}

function sealed(path: string, lists: readonly (readonly StreamRecord[])[]): Written {
  const footer = sealRecords(path, number, lists, info)
  return { ...asRead(path, footer), expected: readBack(path, footer) as ReadBack[] }
}

function ofFormat1(path: string, lists: readonly (readonly StreamRecord[])[]): Written {
  const { expected } = sealed(path, lists)
  toFormat1(path)
  return { ...asRead(path, readFooter(path)), expected }
}

function asRead(path: string, footer: SegmentFooter) {
  const told = toldBy(path, footer)
  assert.ok(!told.includes(undefined), 'every skip index is read')
  return { bytes: fs.readFileSync(path), footer, told }
}

/** What each skip index tells of its blocks; undefined where it is corrupt. */
function toldBy(path: string, { runs }: SegmentFooter): unknown[] {
  return withSegmentFile(path, number, file =>
    runs.map(run =>
      unlessCorrupt(() => {
        const index = new SkipIndex(file, run.index)
        const templates = index.templates(() => file)
        const blocks = Array.from({ length: index.blockCount }, (_, block) => ({
          times: [index.minTimestamp(block), index.maxTimestamp(block)],
          recordCount: index.recordCount(block),
          filter: index.filter(block),
          letters: Buffer.from(index.letters(block)).toString('hex'),
          kinds: [index.messageKind(block), index.attributes(block)],
          templates: Array.from(templates.numbers(block) ?? [], one => templates.texts[one]),
          counts: templates.counts(block),
          values: index.attributes(block).map(([name]) => {
            const values = index.valuesOf(name, () => file)
            return values && [values.texts.texts, values.counts[block]]
          }),
          patterns: index.toldPatterns(block, () => file),
          digits: Buffer.from(index.digits(block, () => file)).toString('hex'),
        }))
        return { blocks, variables: Buffer.from(index.variableLetters).toString('hex') }
      }),
    ),
  )
}
