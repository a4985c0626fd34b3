/** What skip indexes tell of blocks, beside what their records say. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import fc from 'fast-check'
import t from 'tap'
import { countedValuesMax } from '../../../src/columns/column.ts'
import type { Selector } from '../../../src/language/ast.ts'
import { Predicate } from '../../../src/query/predicate.ts'
import type { LogRecord, Stream } from '../../../src/record.ts'
import { FilterRoom, filterPageBytes } from '../../../src/segment/filter-pages.ts'
import { readFooter } from '../../../src/segment/footer.ts'
import { SegmentCorrupt } from '../../../src/segment/segment-error.ts'
import { SegmentFile } from '../../../src/segment/segment-file.ts'
import { runBlocksMax, SkipIndex } from '../../../src/segment/skip/skip-index.ts'
import { type SkipVerdict, verdictOf } from '../../../src/segment/skip/verdict.ts'
import { verifySegment } from '../../../src/segment/verify.ts'
import { forAll } from '../../for-all.ts'
import { longRuns, share } from '../../long-runs.ts'
import { arbitraryExpression } from '../../query/expressions.ts'
import { matchesPlainly } from '../../query/plain.ts'
import { sealRecords } from '../sealed.ts'
import { info } from '../segments.ts'

const stream: Stream = { service: 'sshd', environment: 'prod' }

function record(message: string, attributes: readonly string[] = []): LogRecord {
  return { timestamp: 5, level: 'info', message, attributes: [...attributes] }
}

/** Writes a segment with these blocks and gives the verdict on each. */
function verdictsOn(
  path: string,
  blocks: readonly (readonly LogRecord[])[],
): (selector: Selector) => SkipVerdict[] {
  const lists = blocks.map(records => records.map(one => ({ ...one, stream })))
  const footer = sealRecords(path, 7, lists, info)
  return selector => {
    const file = new SegmentFile(path, 7)
    try {
      const predicate = new Predicate(selector)
      return footer.blocks.map(({ skip }) =>
        verdictOf(
          new SkipIndex(file, skip!.index),
          skip!.block,
          predicate.alternatives[0]!,
          () => file,
        ),
      )
    } finally {
      file.close()
    }
  }
}

const messageParts = [
  'user ',
  'root',
  'Alice',
  ' from 10.0.0.',
  '7',
  '1234',
  ': ',
  'ab',
  'b9',
  'é',
  '',
]
const piece = fc
  .array(fc.constantFrom(...messageParts, 'a', 'b', '0', 'A', ' '), { maxLength: 5 })
  .map(parts => parts.join(''))
const arbitraryRecord = fc
  .tuple(piece, fc.option(fc.constantFrom('root', 'a b', '', 'x9')), fc.boolean())
  .map(([message, user, isUsed]) =>
    record(message, isUsed && user !== null ? ['user', user, 'k', 'v'] : []),
  )
/** Each of them many times, with a number of its own: what templates are made for. */
function varied(records: readonly LogRecord[]): LogRecord[] {
  return Array.from({ length: 40 }, (_, i) =>
    records.map(one => ({ ...one, message: `${one.message} took ${i * 7919} of the time` })),
  ).flat()
}

const filter = fc.oneof(
  fc.record({ operator: fc.constantFrom('|=', '!=' as const), text: piece }),
  fc.record({
    operator: fc.constantFrom('|=', '!=' as const),
    text: fc.constantFrom(
      ...['took', ' of the time', 'of time', 'from 10.', 'session'],
      ...['0.0.7', ' 10.0', '.0.12', 'k 791', '7b9', 'T 0'],
    ),
  }),
  fc.record({ operator: fc.constantFrom('|~', '!~' as const), text: arbitraryExpression }),
  fc.record({
    operator: fc.constantFrom('|~', '!~' as const),
    text: fc.constantFrom('user (root|Alice)', 'root|Ali', '\\d+ from', 'from .*7$', '^user '),
  }),
)
const matcher = fc.record({
  label: fc.constantFrom('user', 'k', 'none'),
  operator: fc.constantFrom('=', '!=', '=~', '!~' as const),
  value: fc.constantFrom('root', 'v', 'a', 'x9', '', 'r.*|x9', '.+'),
})
const arbitrarySelector: fc.Arbitrary<Selector> = fc.record({
  kind: fc.constant('selector' as const),
  matchers: fc.oneof(fc.constant([]), fc.tuple(matcher), fc.tuple(matcher, matcher)),
  filters: fc.array(filter, { maxLength: 2 }),
})

t.test('a verdict is what the records of the block say', async t => {
  const path = `${t.testdir()}/00000007.seg`
  const seen = { pruned: 0, counted: 0, open: 0 }
  const block = fc.array(arbitraryRecord, { minLength: 1, maxLength: 12 })
  const some = fc.array(block, { minLength: 1, maxLength: 3 })
  const selectors = fc.array(arbitrarySelector, { minLength: 10, maxLength: 10 })
  forAll(longRuns(60), some, fc.boolean(), selectors, (blocks, isVaried, asked) => {
    const filled = blocks.map(records => (isVaried ? varied(records) : records))
    const verdicts = verdictsOn(path, filled)
    for (const selector of asked) {
      for (const [i, verdict] of verdicts(selector).entries()) {
        const count = filled[i]!.filter(one => matchesPlainly(selector, one, stream)).length
        if (typeof verdict === 'string') assert.equal(count, 0, verdict)
        else if (verdict !== undefined) assert.equal(verdict.count, count)
        seen[typeof verdict === 'string' ? 'pruned' : verdict ? 'counted' : 'open']++
      }
    }
  })
  for (const [what, count] of Object.entries(seen)) t.ok(count > share(5), `${count} ${what}`)
})

const messages = (make: (i: number) => string) =>
  Array.from({ length: 50 }, (_, i) => record(make(i)))
const contains = (text: string, operator: '|=' | '!=' = '|='): Selector => ({
  kind: 'selector',
  matchers: [],
  filters: [{ operator, text }],
})

t.test('text that is nowhere, or in all messages of a kind, opens no block', async t => {
  const verdicts = verdictsOn(`${t.testdir()}/00000007.seg`, [
    messages(i => `authentication failure; uid=${i} user=root`),
    messages(i => (i < 20 ? `session opened for user u${i}` : `Accepted password, port ${7 * i}`)),
  ])
  t.same(verdicts(contains('authentication fail')), [{ count: 50 }, 'filter'])
  t.same(verdicts(contains('entication')), [{ count: 50 }, 'filter'])
  t.same(verdicts(contains('kubelet')), ['filter', 'filter'])
  t.same(verdicts(contains('; uid')), [{ count: 50 }, 'template'])
  t.same(verdicts(contains('session')), ['filter', { count: 20 }])
  t.same(verdicts(contains('session', '!=')), [{ count: 50 }, { count: 30 }])
  t.same(verdicts(contains('port 2')), ['filter', undefined])
  const has = (label: string, value: string): Selector => ({
    kind: 'selector',
    matchers: [{ label, operator: '=', value }],
    filters: [],
  })
  t.same(verdicts(has('host', 'web-1')), ['filter', 'filter'])
})

t.test('text with digits that is nowhere opens no block', async t => {
  const verdicts = verdictsOn(`${t.testdir()}/00000007.seg`, [
    messages(i => `from 10.25${i % 5}.${i}.7 port ${40_000 + i}`),
    messages(i => `from 110.250.${i}.9 port ${50_000 + 7 * i}`),
    messages(i => `from 10.50.${i % 5}.251 port ${i < 25 ? 22 : 2_200 + i}`),
  ])
  t.same(verdicts(contains('10.251.')), [undefined, 'filter', 'filter'])
  t.same(verdicts(contains('10.250.')), [undefined, undefined, 'filter'])
  t.same(verdicts(contains('m 10.250.')), [undefined, 'filter', 'filter'])
  t.same(verdicts(contains('port 22')), ['filter', 'filter', undefined])
  t.same(verdicts(contains('port 5')), ['filter', undefined, 'filter'])
  const matches = (text: string): Selector => {
    return { kind: 'selector', matchers: [], filters: [{ operator: '|~', text }] }
  }
  t.same(verdicts(matches('port 4000|port 22')), [undefined, 'filter', undefined])
  t.same(verdicts(matches('(?i)PORT 22')), ['filter', 'filter', undefined])
})

t.test(
  'records are counted by attributes that have few values, without a look at blocks',
  async t => {
    const path = `${t.testdir()}/00000007.seg`
    const statuses = ['200', '404', '500']
    const made = (i: number) =>
      record(`request ${i} done`, [
        ...['id', `${i * 7919}-${i}`],
        ...(i % 10 === 0 ? [] : ['status', statuses[i % 3]!]),
        ...['size', `${i % 5}`],
        ...['user', i < 50 ? `u${i % 4}` : 'root'],
      ])
    const blocks = [0, 50].map(first => Array.from({ length: 50 }, (_, i) => made(first + i)))
    const verdicts = verdictsOn(path, blocks)
    const asked = (...matchers: Selector['matchers']): Selector => {
      return { kind: 'selector', matchers, filters: [] }
    }
    const status = (operator: '=' | '!=' | '=~', value: string) =>
      ({ label: 'status', operator, value }) as const
    t.same(verdicts(asked(status('=', '500'))), [{ count: 15 }, { count: 15 }])
    t.same(verdicts(asked(status('=', '501'))), ['filter', 'filter'])
    t.same(verdicts(asked(status('!=', '500'))), [{ count: 35 }, { count: 35 }])
    t.same(verdicts(asked(status('=', ''))), [{ count: 5 }, { count: 5 }])
    t.same(verdicts(asked(status('=~', '[45].*'))), [{ count: 30 }, { count: 30 }])
    t.same(verdicts(asked(status('=~', '.*'))), [{ count: 50 }, { count: 50 }])
    const by = (value: string) => asked(status('=', '500'), { label: 'user', operator: '=', value })
    t.same(verdicts(by('root')), ['filter', { count: 15 }], 'all of the second block are')
    t.same(verdicts(by('u1')), [undefined, 'filter'], 'some of the first block are')
    t.same(
      verdicts({ ...asked(status('=', '500')), filters: [{ operator: '|=', text: 'done' }] }),
      [{ count: 15 }, { count: 15 }],
    )
    const size = (value: string) => asked({ label: 'size', operator: '=', value })
    t.same(verdicts(size('3')), [{ count: 10 }, { count: 10 }], 'integers')
    t.same(verdicts(size('03')), ['filter', 'filter'])
    t.same(verdicts(asked({ label: 'id', operator: '!=', value: 'x' })), [undefined, undefined])
  },
)

t.test('attributes with many values are not told, and cost nothing', async t => {
  const path = `${t.testdir()}/00000007.seg`
  const valued = (count: number) =>
    Array.from({ length: 600 }, (_, i) => ({ ...record('done', ['of', `v${i % count}`]), stream }))
  for (const [count, isTold] of [
    [countedValuesMax, true],
    [countedValuesMax + 1, false],
  ] as const) {
    const { runs } = sealRecords(path, 7, [valued(count), valued(3)], info)
    const file = new SegmentFile(path, 7)
    const index = new SkipIndex(file, runs[0]!.index)
    t.equal(index.valuesOf('of', () => file) !== undefined, isTold, `${count}`)
    t.equal(
      index.valuesOf('other', () => file),
      undefined,
    )
    file.close()
    t.same(verifySegment(path), [])
  }
})

t.test('a skip index tells of so many blocks of one stream, and templates stand once', async t => {
  const path = `${t.testdir()}/00000007.seg`
  const blocks = Array.from({ length: 2 * runBlocksMax + 3 }, () =>
    messages(i => `request ${i} done`),
  )
  sealRecords(
    path,
    7,
    blocks.map(list => list.map(one => ({ ...one, stream }))),
    info,
  )
  const { runs, blocks: summaries } = readFooter(path)
  t.same(
    runs.map(({ blockCount }) => blockCount),
    [runBlocksMax, runBlocksMax, 3],
  )
  t.same(summaries.at(-1)?.skip, { index: runs[2]!.index, block: 2 })
  const file = new SegmentFile(path, 7)
  t.teardown(() => file.close())
  const index = new SkipIndex(file, runs[0]!.index)
  t.same(index.templates(() => file).texts, ['request 0 done'])
  t.same([...index.templates(() => file).counts(4)!], [50])
})

t.test('token filters are kept when they are asked again, counted, and given back', async t => {
  const path = `${t.testdir()}/00000007.seg`
  const idOf = (i: number) => `a${(7919 * i).toString(36)}b`
  const lists = [0, 1].map(block => messages(i => `request ${idOf(100 * block + i)} done`))
  sealRecords(
    path,
    7,
    lists.map(list => list.map(one => ({ ...one, stream }))),
    info,
  )
  const { runs } = readFooter(path)
  const file = new SegmentFile(path, 7)
  t.teardown(() => file.close())
  const room = new FilterRoom(1e6)
  const index = new SkipIndex(file, runs[0]!.index, room)
  const pages = index.filter(0)!.pageCount + index.filter(1)!.pageCount
  const verdicts = (id: string) => {
    const { alternatives } = new Predicate(contains(` ${id} `))
    return [0, 1].map(block => verdictOf(index, block, alternatives[0]!, () => file))
  }
  const first = verdicts(idOf(7))
  t.same(first, [undefined, 'filter'])
  t.ok(room.has(1e6))
  const heldBefore = index.heldBytes
  t.same(verdicts(idOf(107)), ['filter', undefined])
  t.same(verdicts(idOf(7)), first)
  const kept = index.heldBytes - heldBefore
  t.equal(kept, pages * (filterPageBytes + 1))
  t.same(verdicts(idOf(7)), first)
  t.notOk(room.has(1e6 - kept + 1))
  index.releaseFilters()
  t.ok(room.has(1e6))
  t.equal(index.heldBytes, heldBefore)
  t.same(verdicts(idOf(7)), first)
})

t.test('a damaged skip index is found, and tells nothing wrong', async t => {
  const path = `${t.testdir()}/00000007.seg`
  const blocks = [messages(i => `user u${i} came`), messages(i => `${i}: gone`)]
  sealRecords(
    path,
    7,
    blocks.map(list => list.map(one => ({ ...one, stream }))),
    info,
  )
  const { runs } = readFooter(path)
  const bytes = fs.readFileSync(path)
  const [{ index, laterBytes }] = runs as [(typeof runs)[0]]
  const predicate = new Predicate(contains('came'))
  const read = () => {
    const file = new SegmentFile(path, 7)
    try {
      const skip = new SkipIndex(file, index)
      skip.toldPatterns(0, () => file) // Parts that this text is not looked for in.
      skip.digits(0, () => file)
      return [0, 1].map(block => verdictOf(skip, block, predicate.alternatives[0]!, () => file))
    } catch (error) {
      if (!(error instanceof SegmentCorrupt)) throw error
      return 'damaged'
    } finally {
      file.close()
    }
  }
  const right = read()
  t.same(right, [{ count: 50 }, 'filter'])
  const wrong: string[] = []
  for (let at = index.offset; at < index.offset + index.bytes + laterBytes; at++) {
    for (const bit of [0, 3, 7]) {
      bytes[at]! ^= 1 << bit
      fs.writeFileSync(path, bytes)
      if (verifySegment(path).length === 0) wrong.push(`${at}: verified as whole`)
      const found = read()
      if (found !== 'damaged') wrong.push(`${at}: ${JSON.stringify(found)}`)
      bytes[at]! ^= 1 << bit
    }
  }
  t.same(wrong, [])
})
