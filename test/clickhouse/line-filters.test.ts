/** Filters of lines by addresses and patterns: SQL finds what ours find, over texts that are nearly such. */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { everyRecord, type LineFilter, type Selector } from '../../src/language/ast.ts'
import type { Stage } from '../../src/language/stage.ts'
import { conditionOfFilter, holds } from '../../src/match/condition.ts'
import { conditionOf } from '../../src/store/clickhouse/sql/condition.ts'
import { longRuns } from '../long-runs.ts'
import { object } from '../query/plain.ts'
import { sameBothWays } from './both-ways.ts'
import { engineMissing } from './installed-engine.ts'
import { sharedEngine } from './shared-engine.ts'
import { makeTable, rowsOf, type Stored } from './table.ts'

const skip = engineMissing ?? false
const some = <T>(...values: T[]) => fc.constantFrom(...values)

const joined = (parts: fc.Arbitrary<string>, maxLength: number) =>
  fc.array(parts, { maxLength }).map(all => all.join(''))

/** What addresses are made of, and what may stand beside them and be taken for a part of one. */
const ofAddresses = some(
  ...['1', '2', '9', '0', '10', '255', '256', '007', '.', '.', '.', ':', ':', '::', 'a', 'f', 'F'],
  ...['g', ' ', ' ', '😀', 'é', '\n', '-', '1.2.3.4', '10.0.0.1', '::1', '12:30:45.678', 'fe80::'],
  ...['1:2:3:4:5:6:7:8', '::ffff:10.0.0.1', '1:2:3:4:5:6:1.2.3.4', '::01.2.3.4', '1:2:3:4:5:6:7::'],
)
const addressed = joined(ofAddresses, 9)
const addresses = some(
  ...['0.0.0.0/0', '10.0.0.0/8', '1.2.3.4', '1.2.3.4-10.0.0.1', '2.0.0.0/7', '192.168.0.0/16'],
  ...['::/0', '::1', 'fe80::/10', '::ffff:0:0/96', '1::-a::', '1:2::/16'],
)
const shapeParts = some('a', 'b', 'ab', ' ', 'é', '😀', 'aa', '<_>', '<_>', '<_>')
const shaped = joined(some('a', 'b', 'ab', ' ', 'é', '😀', 'c', 'aa', '\n'), 8)

const filter: fc.Arbitrary<LineFilter> = fc.oneof(
  object({
    operator: some('|=' as const, '!=' as const),
    text: addresses,
    isAddress: some(true as const),
  }),
  object({
    operator: some('|>' as const, '!>' as const),
    text: joined(shapeParts, 7),
    others: fc.array(joined(shapeParts, 30), { maxLength: 1 }),
  }),
)

const stored: fc.Arbitrary<Stored> = fc.oneof(addressed, addressed, shaped).map(message => {
  const record = { timestamp: 0, level: 'info', message, attributes: ['a', message] }
  return { record, stream: { service: 'api', environment: 'prod' } }
})

t.test('addresses and patterns in lines', { skip }, async t => {
  const engine = await sharedEngine(t)
  const all = fc.sample(stored, { numRuns: 3_000, seed: 22 })
  await makeTable(engine, all)
  const seen = { exact: 0, asked: 0, found: 0 }
  await fc.assert(
    fc.asyncProperty(filter, async filter => {
      const selector: Selector = { ...everyRecord, filters: [filter] }
      const { sql, params, isExact } = conditionOf(selector, false)
      const query = `SELECT Sequence AS at FROM otel_logs WHERE ${sql} ORDER BY Sequence`
      const rows = await rowsOf<{ at: number | string }>(engine, query, params)
      const inSql = new Set(rows.map(({ at }) => Number(at)))
      const condition = conditionOfFilter(filter)
      for (const [at, { record }] of all.entries()) {
        const isMatching = holds(condition, record.message)
        const isRight = isMatching ? inSql.has(at) : !isExact || !inSql.has(at)
        assert.ok(isRight, JSON.stringify({ message: record.message, isMatching, sql, params }))
        if (isMatching) seen.found++
      }
      seen.asked++
      if (isExact) seen.exact++
    }),
    longRuns(200),
  )
  t.ok(seen.exact > 0.8 * seen.asked && seen.found > 0, JSON.stringify(seen))
})

t.test('the same behind stages, of lines and labels', { skip }, async t => {
  const engine = await sharedEngine(t)
  const all = fc.sample(stored, { numRuns: 1_000, seed: 23 })
  await makeTable(engine, all)
  const request = { kind: 'groups', by: ['a'] } as const
  const everything = { every: 1, first: 0 }
  const ofLabel = object({ operator: some('=' as const, '!=' as const), value: addresses }).map(
    (asked): Stage => ({ kind: 'filter', condition: { kind: 'address', label: 'a', ...asked } }),
  )
  const ofLine = filter.map((filter): Stage => ({ kind: 'line', filter }))
  await fc.assert(
    fc.asyncProperty(fc.oneof(ofLabel, ofLine), async stage => {
      const stages: Stage[] = [{ kind: 'decolorize' }, stage]
      const selector: Selector = { ...everyRecord, stages }
      const found = await sameBothWays(engine, all, request, everything, selector)
      assert.equal(found?.left, 0)
    }),
    longRuns(60),
  )
  t.pass()
})
