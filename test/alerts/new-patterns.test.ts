import t from 'tap'
import { previewOf } from '../../src/alerts/preview.ts'
import { readRule } from '../../src/alerts/rule.ts'
import { samplesAt, seriesOf } from '../../src/alerts/samples.ts'
import { secondMs } from '../../src/time-units.ts'
import { neverAborted, openStoreOf } from '../store/store-in.ts'
import { alertsWith } from './alerts-in.ts'

const begin = 1_700_000_000_000
const stream = { service: 'shop', environment: 'prod' }

const rule = {
  name: 'New',
  query: 'logs{environment="prod"}',
  newPattern: { withinMs: 10 * secondMs },
  windowMs: 2 * secondMs,
  everyMs: secondMs,
  delayMs: 0,
}

/** When messages came, in seconds since the beginning. */
const came: readonly (readonly [at: number, message: (n: number) => string])[] = [
  // All the time.
  ...Array.from({ length: 40 }, (_, i) => [i, (n: number) => `order ${n} was paid`] as const),
  // First at 5; again while it is known, at 14; and when it is forgotten, at 30.
  ...[5, 14, 30].map(at => [at, (n: number) => `disk ${n} is failing`] as const),
  [20, n => `user ${n} has come back`],
]

t.test('a pattern that did not come for a while fires while the window is over it', async t => {
  const store = await openStoreOf(t, t.testdir())
  for (const [i, [at, message]] of came.entries()) {
    const timestamp = begin + at * secondMs
    await store.append({ timestamp, level: 'info', message: message(i), attributes: [] }, stream)
  }
  const { rule: read } = readRule(rule)
  const range = { startTime: begin + 12 * secondMs, endTime: begin + 39 * secondMs }
  const preview = await previewOf(store, read, range, neverAborted)
  const shown = preview.firings.map(({ labels, startedAt, resolvedAt, value }) => [
    labels.pattern_text,
    (startedAt - begin) / secondMs,
    resolvedAt === null ? null : (resolvedAt - begin) / secondMs,
    value,
  ])
  t.same(shown, [
    ['user <*> has come back', 20, 22, 1],
    ['disk <*> is failing', 30, 32, 1],
  ])
  t.match(preview.firings[0]?.labels.pattern, /^p1-[0-9a-f]{16}$/)

  for (let at = 12; at < 40; at++) {
    const moment = { first: begin + at * secondMs, stepMs: secondMs, count: 1 }
    const samples = samplesAt(await seriesOf(store, read, moment, neverAborted), 0)
    const expected = preview.firings.filter(
      ({ startedAt, resolvedAt }) => startedAt <= moment.first && moment.first < resolvedAt!,
    )
    t.same(
      samples.map(({ labels }) => ({ ...labels })),
      expected.map(({ labels }) => labels),
      `at ${at} one moment is as it is among all`,
    )
  }
  for (const [op, fired] of [
    ['<', 0],
    ['==', 2],
  ]) {
    const counted = readRule({ ...rule, condition: { op, threshold: 1 } }).rule
    t.equal((await previewOf(store, counted, range, neverAborted)).fired, fired, `${op} 1 messages`)
  }
  const grouped = readRule({ ...rule, query: 'count by (service.name) (logs)' }).rule
  const { firings } = await previewOf(store, grouped, range, neverAborted)
  t.match(firings[0]?.labels, { 'service.name': 'shop', pattern: /^p1-/, pattern_text: /^user/ })
})

t.test('a rule about new patterns is about records, and has a time', async t => {
  const alerts = alertsWith()
  const made = await alerts.saveRule(rule)
  t.match(made, { condition: { op: '>', threshold: 0 }, newPattern: { withinMs: 10_000 } })
  const refuses = (more: object, field: string) =>
    t.rejects(alerts.saveRule({ ...rule, ...more }), { code: 'field_invalid', extras: { field } })
  await refuses({ query: 'rate(logs)' }, 'query')
  await refuses({ newPattern: { withinMs: 1 } }, 'newPattern.withinMs')
  await refuses({ newPattern: undefined }, 'condition')
})
