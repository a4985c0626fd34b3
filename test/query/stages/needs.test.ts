import assert from 'node:assert/strict'
import { join } from 'node:path'
import fc from 'fast-check'
import t from 'tap'
import { parseSingle } from '../../../src/language/grammar.ts'
import type { Stage } from '../../../src/language/stage.ts'
import { Predicate } from '../../../src/query/predicate.ts'
import { pruneBlock } from '../../../src/query/prune.ts'
import type { ScanSource } from '../../../src/query/scan-task.ts'
import { SourceReader } from '../../../src/query/source-reader.ts'
import { forAll } from '../../for-all.ts'
import { longRuns, seed } from '../../long-runs.ts'
import { type StreamRecord, sealRecords } from '../../segment/sealed.ts'
import { oneByOne, pipeline, records, some } from './line-forms.ts'

/** A block for each list. */
function blocksOf(directory: string, number: number, lists: StreamRecord[][]): ScanSource[] {
  const path = join(directory, `${number}.seg`)
  const { blocks } = sealRecords(path, number, lists)
  return blocks.map(({ directory: place, blockBytes: bytes, skip }, i) => ({
    ...{ number: i, path, isCounted: false },
    source: { kind: 'block', segment: number, directory: place, bytes, skip },
  }))
}

const predicateOf = (stages: readonly Stage[]) =>
  new Predicate({ kind: 'selector', matchers: [], filters: [], stages })

/** What leaves a block out: its skip index, the block itself, both, or neither. */
function leftOutBy(
  source: ScanSource,
  predicate: Predicate,
  reader: SourceReader,
): { skip: boolean; block: boolean } {
  const verdict = reader.skip(source, predicate)?.verdict
  const block = pruneBlock(reader.block(source), predicate)
  return { skip: typeof verdict === 'string', block: block !== undefined }
}

t.test('no block is left out of which a record comes through the stages', async t => {
  const directory = t.testdir()
  const sources = fc.sample(records, { numRuns: 60, seed }).flatMap((list, i) => {
    const lists = [0, 1, 4, 10, 40].map((from, j) => list.slice(from, [1, 4, 10, 40, 80][j]))
    return blocksOf(directory, i + 1, lists)
  })
  const reader = new SourceReader(1e9)
  let leftOut = 0
  let without = 0
  forAll(longRuns(6000), some(...sources), pipeline, (source, stages) => {
    const columns = reader.block(source)
    const isAny = oneByOne(stages, columns).some(row => row !== undefined)
    const { skip, block } = leftOutBy(source, predicateOf(stages), reader)
    if (isAny) {
      const lines = Array.from({ length: columns.recordCount }, (_, i) => columns.message.textAt(i))
      assert.deepEqual({ skip, block }, { skip: false, block: false }, JSON.stringify(lines))
      return
    }
    without++
    if (skip || block) leftOut++
  })
  t.ok(leftOut > without / 4, `${leftOut} of ${without} blocks without a record were left out`)
})

/** One record with this message; attributes by name and value. */
const recordOf = (message: string, attributes: string[] = []): StreamRecord => ({
  ...{ timestamp: 1, level: 'info', message, attributes },
  stream: { service: 'api', environment: 'prod' },
})

/** How a block is read of 40 records that are alike but for a number. */
function told(
  directory: string,
  number: number,
  query: string,
  message: string,
  attributes: string[] = [],
): string {
  const list = Array.from({ length: 40 }, (_, i) =>
    recordOf(message.replace('?', String(i)), attributes),
  )
  const [source] = blocksOf(directory, number, [list])
  const { skip, block } = leftOutBy(
    source!,
    new Predicate(parseSingle(query).selector),
    new SourceReader(1e6),
  )
  return skip || block ? 'left out' : 'read'
}

const line = '{"n":?,"trace":"00fa12","took":"5 ms","path":"/a/b"}'

t.test('blocks are left out by what stages ask of labels', async t => {
  const directory = t.testdir()
  const cases: readonly (readonly [query: string, message: string, ...own: string[]])[] = [
    ['{} | json | trace="00fa13"', line],
    ['{} | json | trace="00fa1"', line], // A part of a word.
    ['{} | json | n="40"', line],
    ['{} | json | took > 1ms and trace="00fa13"', line],
    ['{} | json | trace="00fa13" or trace_extracted="77"', line],
    ['{} | json | trace=~"zebra.*|giraffe"', line],
    ['{} | json | trace="00fa13"', line, 'trace', '00fa14', 'other', '00fa13'],
    ['{} | json |= "00fa13"', line],
    ['{} | json != "trace"', line],
    ['{} | json t="trace" | drop n | t="00fa13"', line],
    ['{} | logfmt | trace="00fa13"', 'n=? trace=00fa12'],
    ['{} | logfmt | label_format other=n | trace="00fa13"', 'n=? trace=00fa12'],
    ['{} | pattern "<n> <trace> <_>" | trace="00fa1"', '? 00fa12 ok'],
    ['{} | regexp "(?P<t>[0-9a-f]+)$" | t="fazz"', '? 00fa12'],
    ['{} | trace="00fa13"', line],
    ['{} | trace="00fa13"', line, 'trace', '00fa12'],
  ]
  cases.forEach(([query, message, ...own], i) => {
    t.equal(told(directory, i + 1, query, message, own), 'left out', query)
  })
})

t.test('blocks are read whose records may come through', async t => {
  const directory = t.testdir()
  const cases: readonly (readonly [query: string, message: string, ...own: string[]])[] = [
    ['{} | json | trace="00fa12"', line],
    ['{} | json | n="7"', line],
    ['{} | json | trace="00fa13"', '{"n":?,"trace":"00fa1\\u0033"}'],
    ['{} | json | path="/a/c"', '{"n":?,"path":"\\/a\\/c"}'],
    ['{} | json | trace=~"00fb.*"', '{"n":?,"trace":"\\u0030\\u0030fb"}'],
    ['{} | logfmt | trace="00fa13"', 'n=? trace="00fa1\\u0033"'],
    ['{} | json | trace="00fa13"', line, 'trace', '00fa13'],
    ['{} | json | trace_id="00fa13"', line, 'trace.id', '00fa13'],
    ['{} | json | trace!="00fa13"', line],
    ['{} | json | not trace="00fa13"', line],
    ['{} | json | trace="00fa13" or n > 3', line],
    ['{} | json | trace=~"00fa13|"', line],
    ['{} | json | n == 1e1', line],
    ['{} | json | service_name="none"', line],
    ['{} | json | __error__="JSONParserErr"', line],
    ['{} | json | line_format "{{.n}}x" | pattern "<x>x" | x="1"', line],
    ['{} | json | line_format "00{{.n}}" |= "001"', line],
    ['{} | json | label_format trace="z{{.n}}" | trace="z1"', line],
    ['{} | json | distinct trace | trace="00fa13"', line],
    ['{} | pattern "<n>a<t>" | t="1199"', '?a1199'],
    ['{} | regexp "(?P<t>...)$" | t="999"', '?999'],
  ]
  cases.forEach(([query, message, ...own], i) => {
    t.equal(told(directory, i + 1, query, message, own), 'read', query)
  })
})
