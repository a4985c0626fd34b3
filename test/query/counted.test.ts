import t from 'tap'
import type { Selector } from '../../src/language/ast.ts'
import { parseQuery } from '../../src/language/grammar.ts'
import { Predicate } from '../../src/query/predicate.ts'
import { scanSources } from '../../src/query/scan.ts'
import type { ScanQuery, ScanSource } from '../../src/query/scan-task.ts'
import { SourceReader } from '../../src/query/source-reader.ts'
import { type StreamRecord, sealedBlocks } from '../segment/sealed.ts'
import { matchesPlainly } from './plain.ts'

const stream = { service: 'api', environment: 'prod' }

/** Two blocks; a fifth of the records have no `ms`. */
const records = Array.from({ length: 6_000 }, (_, i): StreamRecord => {
  const hasNone = i % 5 === 0
  const attributes = hasNone ? ['id', String(i)] : ['id', String(i), 'ms', String((i * 7919) % 999)]
  return { timestamp: i, level: 'info', message: `request ${i}`, attributes, stream }
})

const selectors = [
  ...['ms > 500', 'ms < 3', 'ms >= 0', 'ms = 7', 'ms != 7', 'ms != 2.5', 'ms > 997.5'],
  ...['ms="7"', 'ms!="7"', 'ms="x"', 'ms!=""', 'id > 4000', 'id <= 2999', 'none > 1', 'none!="1"'],
  ...['ms > 500, id < 3', 'ms > 500, log_level="error"', 'service.name="other", ms > 5'],
  ...['ms > 500} |= "1', 'ms > 998} or logs{ms < 3'],
]

function selectorOf(text: string): Selector {
  const query = parseQuery(text.includes('|=') ? `logs{${text}"` : `logs{${text}}`)
  if (query.kind !== 'selector') throw new TypeError(text)
  return query
}

t.test('what one column of numbers decides is counted as it would be marked', async t => {
  const halves = [records.slice(0, 3_000), records.slice(3_000)]
  const { path, blocks, columns } = sealedBlocks(t.testdir(), halves)
  const sources = blocks.map(({ directory, blockBytes: bytes }, number): ScanSource => {
    const source = { kind: 'block', segment: 1, directory, bytes, skip: undefined } as const
    return { number, path, source, isCounted: false }
  })
  const cancelled = new Int32Array(1)
  const turn = { turnMs: 1e9, longMs: 1e9, cancelled, taskCount: new Int32Array(1) }
  const task = { sources, rebuildsRecords: false, bound: undefined, turn }
  const asked: Omit<ScanQuery, 'selector' | 'startTime' | 'endTime'> = {
    ...{ limit: 0, order: 'asc', after: undefined, collector: undefined },
  }
  let counted = 0
  for (const text of selectors) {
    const selector = selectorOf(text)
    for (const [startTime, endTime] of [
      [0, 6_000],
      [10, 5_000],
    ] as const) {
      const reader = new SourceReader(2 ** 20)
      for (const limit of [0, 2]) {
        const query = { ...asked, selector, startTime, endTime, limit }
        const { count, candidates } = scanSources({ query, ...task }, reader)
        const expected = records.filter(
          record =>
            startTime <= record.timestamp &&
            record.timestamp <= endTime &&
            matchesPlainly(selector, record, stream),
        )
        const first = expected.slice(0, limit).map(({ timestamp }) => timestamp)
        t.equal(count, expected.length, `${text} from ${startTime}, limit ${limit}: ${count}`)
        t.same(
          candidates.map(({ timestamp }) => timestamp),
          first,
        )
      }
      reader.trim()
    }
    if (new Predicate(selector).count(columns[0]!) !== undefined) counted++
  }
  t.equal(counted, 15, 'conditions on one column alone need no marks')
})
