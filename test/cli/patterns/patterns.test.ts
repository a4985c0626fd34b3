import t from 'tap'
import { sparkline } from '../../../src/cli/patterns/sparkline.ts'
import { fakeApi, refuse } from '../fake-api.ts'

const pattern = (more: object = {}) => ({
  pattern: 'p1-0123456789abcdef',
  text: 'took <*> ms',
  count: 1_234,
  share: 0.75,
  buckets: [1, 0, 8, 4],
  ...more,
})

t.test('patterns are lines: share, count, trend and text', async t => {
  const api = await fakeApi(t, () => ({
    count: 1_645,
    patternCount: 2,
    patterns: [pattern(), pattern({ text: 'a\x1b[2J <*>', count: 411, share: 0.25 })],
  }))
  const { code, printed } = await api.run(['patterns'])
  t.equal(code, 0)
  t.same(printed.split('\n'), [
    '1,645 records of 2 patterns',
    'share  count  trend  pattern',
    '75.0%  1,234  ▁ █▄   took <*> ms',
    '25.0%    411  ▁ █▄   a\\x1b[2J <*>',
    '',
  ])
})

t.test('what is asked is what the flags say', async t => {
  const api = await fakeApi(t, () => ({ count: 0, patternCount: 0, patterns: [] }))
  t.match(await api.run(['patterns']), { code: 0, printed: '0 records of 0 patterns\n' })
  const asked = api.asked[0]!
  t.match(asked, { method: 'POST', path: '/api/v1/query/logs/patterns' })
  t.match(asked.body, { query: 'logs', limit: 20, compareWith: undefined })
  t.equal(asked.body.endTime - asked.body.startTime, 3_600_000)

  const argv = ['--since', '15m', '--compare', '1d', '--limit', '3', '--timeout', '2s']
  await api.run(['patterns', 'logs |= "a"', ...argv])
  const { startTime, endTime, compareWith, ...more } = api.asked[1]!.body
  t.match(more, { query: 'logs |= "a"', limit: 3, timeoutMs: 2_000 })
  t.equal(endTime - startTime, 900_000)
  t.same(compareWith, { startTime: startTime - 86_400_000, endTime: endTime - 86_400_000 })
})

t.test('compared, each says what it was before', async t => {
  const change = { kind: 'grown', countBefore: 7, score: 12 }
  const api = await fakeApi(t, () => ({
    ...{ count: 1_645, patternCount: 1, truncated: true },
    patterns: [pattern({ change })],
  }))
  const { printed, complained } = await api.run(['patterns', '--compare', '1d'])
  t.same(printed.split('\n').slice(1, 3), [
    'share  count  before  change  trend  pattern',
    '75.0%  1,234       7  grown   ▁ █▄   took <*> ms',
  ])
  t.match(complained, 'too many patterns')
  const { printed: lines } = await api.run(['patterns', '--json'])
  t.same(JSON.parse(lines), pattern({ change }))
})

t.test('mistakes and strangers are told', async t => {
  const api = await fakeApi(t, ({ body }, response) =>
    body.query === 'logs'
      ? { hello: 'world' }
      : refuse(response, 400, { code: 'query_syntax', detail: 'expected "}"' }),
  )
  t.match(await api.run(['patterns', '--limit', '0']), { code: 2, complained: '--limit' })
  t.match(await api.run(['patterns', 'a', 'b']), { code: 2, complained: 'unexpected argument' })
  t.match(await api.run(['patterns', 'logs{']), { code: 2, complained: 'the query cannot be used' })
  t.match(await api.run(['patterns']), { code: 1, complained: 'is not this service' })
  t.match(await api.run(['patterns', '--help']), { code: 0, printed: /--compare[\s\S]*Examples:/ })
})

t.test('a trend has a block for each number, or for as many as fit', async t => {
  t.equal(sparkline([]), '')
  t.equal(sparkline([0, 0]), '  ')
  t.equal(sparkline([0, 1, 50, 100]), ' ▁▄█')
  t.equal(sparkline(new Array<number>(60).fill(1)), '█'.repeat(30))
})
