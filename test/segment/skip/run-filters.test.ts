/** What filters by themselves say of blocks, beside what their records say. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import { deserialize, serialize } from 'node:v8'
import fc from 'fast-check'
import t from 'tap'
import type { Selector } from '../../../src/language/ast.ts'
import { Predicate } from '../../../src/query/predicate.ts'
import type { LogRecord, Stream } from '../../../src/record.ts'
import type { SegmentFooter } from '../../../src/segment/footer.ts'
import { SegmentCorrupt } from '../../../src/segment/segment-error.ts'
import { withSegmentFile } from '../../../src/segment/segment-file.ts'
import {
  quickConditionsOf,
  RunFilters,
  readRunFilters,
} from '../../../src/segment/skip/run-filters.ts'
import { SkipIndex } from '../../../src/segment/skip/skip-index.ts'
import { verdictOf } from '../../../src/segment/skip/verdict.ts'
import { forAll } from '../../for-all.ts'
import { longRuns, share } from '../../long-runs.ts'
import { matchesPlainly } from '../../query/plain.ts'
import { sealRecords } from '../sealed.ts'

const stream: Stream = { service: 'sshd', environment: 'prod' }
const number = 7

/** Of an id each record has its own, so that words of it are in the token filter. */
function idOf(block: number, row: number): string {
  return ((block * 65_537 + row + 1) * 2_654_435_761).toString(16).padStart(16, '0').slice(-16)
}

const words = ['login', 'logout', 'denied', 'Root', 'x9', 'é', '']

/** Blocks of messages of these words. */
function madeBlocks(chosen: readonly (readonly string[])[]): LogRecord[][] {
  return chosen.map((texts, block) =>
    Array.from({ length: 30 }, (_, row): LogRecord => {
      const message = `${texts[row % texts.length]} of u${row * 7919} ${texts.join(' ')}`
      const attributes = ['id', idOf(block, row), ...(block % 2 === 0 ? ['host', 'h1'] : [])]
      return { timestamp: row, level: 'info', message, attributes }
    }),
  )
}

function seal(path: string, blocks: readonly (readonly LogRecord[])[]): SegmentFooter {
  const lists = blocks.map(records => records.map(record => ({ ...record, stream })))
  return sealRecords(path, number, lists)
}

function filtersIn(path: string, { blocks }: SegmentFooter) {
  return withSegmentFile(path, number, file => {
    const index = new SkipIndex(file, blocks[0]!.skip!.index)
    return { index, filters: readRunFilters(index, file) }
  })
}

const text = fc.oneof(
  fc.constantFrom(...words, 'login of', ' of u', 'enied', 'nowhere', 'zqxv', 'u7919 ', ' x9 '),
  fc.constantFrom(idOf(0, 3), idOf(1, 4), idOf(2, 29), 'ffffffffffffffff'),
)
const matcher = fc.record({
  label: fc.constantFrom('id', 'host', 'none'),
  operator: fc.constantFrom('=', '!=', '=~' as const),
  value: fc.oneof(text, fc.constant('h1')),
})
const filter = fc.record({ operator: fc.constantFrom('|=', '!=', '|~' as const), text })
const arbitrarySelector: fc.Arbitrary<Selector> = fc.record({
  kind: fc.constant('selector' as const),
  matchers: fc.array(matcher, { maxLength: 2 }),
  filters: fc.array(filter, { maxLength: 2 }),
})
const selectorOfId = fc.record({
  kind: fc.constant('selector' as const),
  matchers: text.map(value => [{ label: 'id', operator: '=' as const, value }]),
  filters: fc.constant([]),
})

t.test(
  'no block is ruled out that has a match, and none that the skip index would not',
  async t => {
    const path = `${t.testdir()}/00000007.seg`
    const texts = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 3 })
    const chosen = fc.array(texts, { minLength: 1, maxLength: 3 })
    const selector = fc.oneof(arbitrarySelector, selectorOfId)
    const selectors = fc.array(selector, { minLength: 20, maxLength: 20 })
    const seen = { ruledOut: 0, filtered: 0, left: 0 }
    forAll(longRuns(50), chosen, selectors, (chosen, asked) => {
      const blocks = madeBlocks(chosen)
      const footer = seal(path, blocks)
      const { filters } = filtersIn(path, footer)
      const kept = new RunFilters(deserialize(serialize(filters)))
      assert.ok(kept.heldBytes > 64 * blocks.length)
      for (const selector of asked) {
        const wanted = new Predicate(selector).alternatives[0]!
        const quick = quickConditionsOf(wanted)
        for (const [block, records] of blocks.entries()) {
          const verdict = withSegmentFile(path, number, file =>
            verdictOf(
              new SkipIndex(file, footer.blocks[0]!.skip!.index),
              block,
              wanted,
              () => file,
            ),
          )
          if (verdict === 'filter') seen.filtered++
          const quickly = quick && kept.verdict(block, quick)
          if (quickly === undefined) continue
          if (quickly === 'some') {
            seen.left++
            assert.equal(verdict, undefined, 'the skip index tells no more')
            continue
          }
          seen.ruledOut++
          assert.ok(!records.some(record => matchesPlainly(selector, record, stream)))
          assert.equal(verdict, 'filter')
        }
      }
    })
    t.ok(seen.ruledOut > share(300), `${seen.ruledOut} blocks were ruled out`)
    t.ok(seen.left > share(100), `of ${seen.left} only columns say more`)
    t.ok(seen.ruledOut > seen.filtered / 2, `of ${seen.filtered} that filters of any kind rule out`)
  },
)

t.test('what is asked for by an expression, or is to be absent, is left to others', async t => {
  const conditionsOf = (parts: Partial<Selector>) =>
    new Predicate({ kind: 'selector', matchers: [], filters: [], ...parts }).alternatives[0]!
  const isQuick = (parts: Partial<Selector>) => quickConditionsOf(conditionsOf(parts)) !== undefined
  t.ok(isQuick({ filters: [{ operator: '|=', text: 'a' }] }))
  t.ok(isQuick({ matchers: [{ label: 'id', operator: '=', value: 'a' }] }))
  t.notOk(isQuick({ filters: [{ operator: '|=', text: 'a b '.repeat(400) }] }), 'it is long')
  t.notOk(isQuick({}))
  t.notOk(isQuick({ filters: [{ operator: '!=', text: 'a' }] }))
  t.notOk(isQuick({ filters: [{ operator: '|~', text: 'a.' }] }))
  t.notOk(isQuick({ matchers: [{ label: 'id', operator: '=', value: '' }] }))
  t.notOk(isQuick({ matchers: [{ label: 'log_level', operator: '=', value: 'info' }] }))
})

t.test('of a damaged page nothing is kept', async t => {
  const path = `${t.testdir()}/00000007.seg`
  const footer = seal(path, madeBlocks([['login'], ['logout']]))
  const { index } = filtersIn(path, footer)
  const bytes = fs.readFileSync(path)
  bytes[index.filter(1)!.offset + 3]! ^= 1
  fs.writeFileSync(path, bytes)
  t.throws(() => filtersIn(path, footer), SegmentCorrupt)
})
