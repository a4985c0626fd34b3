import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import type { TextColumn } from '../../../src/columns/column.ts'
import { encodeSplit } from '../../../src/columns/template/encode.ts'
import { openTemplate, type TemplateColumn } from '../../../src/columns/template/open.ts'
import { splitTexts } from '../../../src/columns/template/split.ts'
import type { Stage } from '../../../src/language/stage.ts'
import { StagedColumns } from '../../../src/query/stages/staged-columns.ts'
import { StagedRun, Staging } from '../../../src/query/stages/staged-run.ts'
import { BlockColumns } from '../../../src/segment/block-columns.ts'
import type { BlockReader } from '../../../src/segment/block-reader.ts'
import { forAll } from '../../for-all.ts'
import { longRuns, seed } from '../../long-runs.ts'
import { type StreamRecord, sealedBlocks } from '../../segment/sealed.ts'
import { labels, oneByOne, pipeline, records, some } from './line-forms.ts'

/** A block whose messages are templates, however little that saves. */
class TemplatedBlock extends BlockColumns {
  readonly #message = templatesOf(super.message.toTextColumn())

  override get message(): TemplateColumn {
    return this.#message
  }
}

function templatesOf(texts: TextColumn): TemplateColumn {
  const { meta, chunks } = encodeSplit(texts, splitTexts(texts, 1)!)!
  return openTemplate(meta, texts.offsets.length - 1, index => chunks[index]!)
}

function blockOf(list: readonly StreamRecord[], directory: string, number: number): BlockColumns {
  const [reader] = sealedBlocks(directory, [list], number).readers as [BlockReader]
  return new TemplatedBlock(reader.directory, () => reader)
}

/** Compares labels of records run together with what they are alone. Returns how many ran together. */
function compare(columns: BlockColumns, stages: readonly Stage[]): number {
  const selected = new Uint8Array(columns.recordCount).fill(1)
  const staging = new Staging(stages)
  const run = new StagedRun(columns, staging, selected)
  const expected = oneByOne(stages, columns)
  const lines = () => JSON.stringify(expected.map((_, i) => columns.message.textAt(i)).slice(0, 9))
  assert.deepEqual(
    [...selected],
    expected.map(row => (row === undefined ? 0 : 1)),
    lines(),
  )
  const staged = new StagedColumns(columns, { staging, run, wanted: labels }, selected)
  for (const name of labels) {
    const attribute = staged.attribute(name)
    const texts = new Map<number, string>()
    for (let i = 0; i < (attribute?.column.valueCount ?? 0); i++) {
      const row = attribute!.rows?.[i] ?? i
      if (selected[row] === 1) texts.set(row, attribute!.column.textAt(i))
    }
    expected.forEach((row, number) => {
      if (row === undefined) return
      assert.equal(texts.get(number) ?? '', row.label(name), `${name} of ${lines()}`)
    })
  }
  return run.isAlone.filter(isAlone => isAlone === 0).length
}

t.test('records that are taken together become what each becomes alone', async t => {
  const directory = t.testdir()
  const blocks = fc
    .sample(records, { numRuns: 40, seed })
    .map((list, i) => blockOf(list, directory, i + 1))
  let together = 0
  let asked = 0
  forAll(longRuns(1500), some(...blocks), pipeline, (columns, stages) => {
    together += compare(columns, stages)
    asked += columns.recordCount
  })
  t.ok(together > asked / 8, `${together} of ${asked} records were taken together`)
})

t.test('odd templates, and how many of 80 records are taken together', async t => {
  const json: Stage = { kind: 'json', extractions: [] }
  const words = ['x7', 'y2', 'w3', 'z4']
  type Case = readonly [why: string, message: (word: string, i: number) => string, Stage, number]
  const cases: readonly Case[] = [
    ['digits of a pattern', word => `on ${word} k8 end`, { kind: 'pattern', text: '<a>9<p>' }, 0],
    [
      'digits after a text',
      word => `on ${word}, k8, end`,
      { kind: 'pattern', text: '<a>1, <p>' },
      0,
    ],
    [
      'words of a pattern',
      word => `on ${word} HTTP/1.1 x`,
      { kind: 'pattern', text: '<a> HTTP/1.1 <p>' },
      80,
    ],
    ['a name with digits', word => `{"ip4":"${word}","a":1.5}`, json, 80],
    ['a name that varies', word => `{"${word}":5}`, json, 0],
    ['numbers and words', (_, i) => `{"a":${i % 2 === 0 ? 'true' : 'false'},"n":${i}}`, json, 80],
    ['a number that is none', (_, i) => `{"a":${i % 2 === 0 ? '07' : '08'}}`, json, 0],
    ['a constant power', (_, i) => `{"a":1e5,"n":${i}.5e3}`, json, 80],
    ['no object', word => `took ${word} ms`, json, 80],
  ]
  const directory = t.testdir()
  for (const [number, [why, message, stage, together]] of cases.entries()) {
    const list = Array.from({ length: 80 }, (_, i) => ({
      timestamp: i,
      level: 'info',
      message: message(words[i % words.length]!, i),
      attributes: [],
      stream: { service: 'api', environment: 'prod' },
    }))
    t.equal(compare(blockOf(list, directory, number + 1), [stage]), together, why)
  }
})
