import t from 'tap'
import { patternsOf } from '../../../src/http/resources/loki/patterns/pattern-samples.ts'

const entries = (lines: readonly string[], level = 'info') =>
  lines.map((line, i) => ({
    stream: {},
    metadata: { detected_level: level },
    parsed: {},
    time: BigInt(i) * 1_000_000_000n,
    line,
  }))

t.test('what varies is one capture, whatever marks are in it', t => {
  const lines = Array.from(
    { length: 40 },
    (_, i) => `2026-11-20T09:30:${10 + i} GET /users/${i} took ${i * 3} ms from 10.0.0.${i}:80`,
  )
  const [only, ...others] = patternsOf(entries(lines), 10_000)
  t.same(others, [])
  t.equal(only?.pattern, '<_> GET /users/<_> took <_> ms from <_>')
  t.same(only?.samples, [
    [0, 10],
    [10, 10],
    [20, 10],
    [30, 10],
  ])
  t.end()
})

t.test('kinds and levels are told apart, the most frequent first', t => {
  const all = [
    ...entries(['user 1 signed in', 'user 2 signed in', 'user 3 signed in']),
    ...entries(['user 4 signed in'], 'warn'),
    ...entries(['größe 7 überschritten', 'größe 8 überschritten'], 'error'),
  ]
  t.same(
    patternsOf(all, 60_000).map(({ pattern, level }) => [pattern, level]),
    [
      ['user <_> signed in', 'info'],
      ['größe <_> überschritten', 'error'],
      ['user <_> signed in', 'warn'],
    ],
  )
  t.end()
})

t.test('nothing, empty messages and endless ones have patterns, too', t => {
  t.same(patternsOf([], 1_000), [])
  t.equal(patternsOf(entries(['']), 1_000)[0]?.pattern, '')
  const [long] = patternsOf(entries(['word '.repeat(100_000)]), 1_000)
  t.match(long?.pattern, /^(?:word ){100}<_>$/)
  t.end()
})
