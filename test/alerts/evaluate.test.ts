import t from 'tap'
import { type Alert, holds, step } from '../../src/alerts/evaluate.ts'
import type { Rule } from '../../src/alerts/rule.ts'

const rule = { condition: { op: '>', threshold: 5 }, forMs: 0, noData: 'ok' } as const
const sample = (value: number, host = '') => ({ labels: host === '' ? {} : { host }, value })
const seen = (alerts: readonly Alert[]) => alerts.map(({ state, value }) => [state, value])

/** The alerts after each of some moments, a second apart, with the changes on the way. */
function live(samples: readonly (readonly (readonly [string, number])[])[], watched: object = {}) {
  let alerts: readonly Alert[] = []
  return samples.map((groups, i) => {
    const next = step(
      { ...rule, ...watched },
      alerts,
      groups.map(([host, value]) => sample(value, host)),
      i * 1_000,
    )
    alerts = next.alerts
    const changes = next.changes.map(({ kind, alert }) => `${kind} ${alert.labels.host ?? ''}`)
    return [seen(alerts), changes] as const
  })
}

t.test('an alert fires at once without `for`, once, and is resolved once', async t => {
  t.same(live([[['', 5]], [['', 6]], [['', 7]], [['', 5]], [['', 5]]]), [
    [[], []],
    [[['firing', 6]], ['fired ']],
    [[['firing', 7]], []],
    [[], ['resolved ']],
    [[], []],
  ])
})

t.test('with `for` it is pending first, and nothing is said when that ends', async t => {
  const high = [['', 9]] as const
  const low = [['', 1]] as const
  t.same(live([high, high, low, high, high, high], { forMs: 2_000 }), [
    [[['pending', 9]], []],
    [[['pending', 9]], []],
    [[], []],
    [[['pending', 9]], []],
    [[['pending', 9]], []],
    [[['firing', 9]], ['fired ']],
  ])
})

t.test('each group is an alert of its own', async t => {
  const both = [
    ['a', 9],
    ['b', 9],
  ] as const
  t.same(
    live([[['a', 9]], both, [['b', 9]]]).map(([, changes]) => changes),
    [['fired a'], ['fired b'], ['resolved a']],
  )
})

t.test('without a value an alert ends, stays, or begins, as the rule says', async t => {
  const one = [['a', 9]] as const
  const changesOf = (noData: Rule['noData'], samples: Parameters<typeof live>[0]) =>
    live(samples, { noData }).map(([, changes]) => changes)
  t.same(changesOf('ok', [one, [], one]), [['fired a'], ['resolved a'], ['fired a']])
  t.same(changesOf('keep', [one, [], one]), [['fired a'], [], []])
  t.same(changesOf('alert', [one, [], one]), [
    ['fired a'],
    ['fired ', 'resolved a'],
    ['fired a', 'resolved '],
  ])
  const other = [['b', 1]] as const
  t.same(changesOf('alert', [one, other]), [['fired a'], ['resolved a']], 'not every group is gone')
  t.same(changesOf('keep', [one, other, [['a', 1]]]), [['fired a'], [], ['resolved a']])
})

t.test('an alert that waits is not hastened by moments without a value', async t => {
  const states = live([[['', 9]], [], [], [['', 9]]], { noData: 'keep', forMs: 2_000 })
  t.same(
    states.map(([alerts]) => alerts[0]?.[0]),
    ['pending', 'pending', 'pending', 'firing'],
  )
})

t.test('every operator compares, and nothing but != holds of NaN', async t => {
  const table = [
    ['>', 6, true],
    ['>', 5, false],
    ['>=', 5, true],
    ['<', 5, false],
    ['<=', 5, true],
    ['==', 5, true],
    ['==', 6, false],
    ['!=', 6, true],
    ['!=', 5, false],
  ] as const
  for (const [op, value, expected] of table) {
    t.equal(holds({ op, threshold: 5 }, value), expected, `${value} ${op} 5`)
    t.equal(holds({ op, threshold: 5 }, Number.NaN), op === '!=', `NaN ${op} 5`)
  }
})

t.test('a label without a value is no label of an alert', async t => {
  const { alerts } = step(rule, [], [{ labels: { host: '', zone: 'a' }, value: 9 }], 0)
  t.same(alerts[0]?.labels, { zone: 'a' })
})
