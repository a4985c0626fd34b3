import t, { type Test } from 'tap'
import { limits } from '../../src/limits.ts'
import { alertsToHere } from './alerts-in.ts'
import { hookOf, hookServer } from './hook-server.ts'
import { plainStore, recordsOf } from './plain-store.ts'
import { memoryShelf } from './shelf-in-memory.ts'
import { soon } from './soon.ts'

const begin = 1_700_000_000_000
const matchers = [{ label: 'group', operator: '=', value: 'a' }]

function world(t: Test, shelf = memoryShelf()) {
  const clock = { time: begin }
  const store = plainStore(recordsOf(begin, 'a', 'b'))
  const alerts = alertsToHere(t, { shelf, store, now: () => clock.time })
  return { alerts, clock, shelf }
}

t.test('silences are kept until they are over, and can be ended', async t => {
  const { alerts, clock, shelf } = world(t)
  const made = await alerts.saveSilence({ matchers, until: begin + 100, comment: 'why' }, 'Ada')
  t.match(made, { matchers, until: begin + 100, comment: 'why', by: 'Ada', createdAt: begin })
  const later = await alerts.saveSilence({ matchers, until: begin + 900, by: ' Bob ' }, 'Ada')
  t.same(alerts.silences(), [made, later])
  t.same(world(t, shelf).alerts.silences(), [made, later], 'after a restart')
  clock.time = begin + 100
  t.same(alerts.silences(), [later])
  await t.rejects(alerts.endSilence(made.id), { code: 'alert_silence_unknown' })
  await alerts.endSilence(later.id)
  t.same(alerts.silences(), [])
  await t.rejects(alerts.endSilence(later.id), { code: 'alert_silence_unknown' })
})

t.test('what is no silence is refused by its field', async t => {
  const { alerts } = world(t)
  const good = { matchers, until: begin + 1 }
  const refuses = (more: object, refusal: { code: string; extras?: object }) =>
    t.rejects(
      alerts.saveSilence({ ...good, ...more }, ''),
      refusal,
      JSON.stringify(more).slice(0, 80),
    )
  const field = (name: string) => ({ code: 'field_invalid', extras: { field: name } })
  await refuses({ until: begin }, field('until'))
  await refuses({ matchers: [] }, field('matchers'))
  await refuses({ matchers: [{ ...matchers[0], operator: '>' }] }, field('matchers[0].operator'))
  await refuses({ matchers: [{ label: 'a', operator: '=', value: '' }] }, field('matchers'))
  await refuses({ matchers: [{ label: 'a', operator: '=~', value: '.*' }] }, field('matchers'))
  await refuses({ matchers: [{ label: 'a', operator: '=~', value: '(' }] }, { code: 'query_regex' })
  const many = Array.from({ length: limits.alertSilenceMatchersMax + 1 }, () => matchers[0])
  await refuses({ matchers: many }, field('matchers'))
  await alerts.saveSilence({ ...good, matchers: many.slice(1) }, '')
})

t.test('alertSilencesMax', async t => {
  const { alerts, clock } = world(t)
  const silence = { matchers, until: begin + 5 }
  for (let i = 0; i < limits.alertSilencesMax; i++) await alerts.saveSilence(silence, '')
  await t.rejects(alerts.saveSilence(silence, ''), { code: 'alert_silences_too_many' })
  clock.time = begin + 5
  await alerts.saveSilence({ ...silence, until: begin + 9 }, '')
})

async function told(t: Test) {
  const here = world(t)
  const server = await hookServer(t)
  await here.alerts.saveReceiver(hookOf(server))
  here.alerts.start('')
  const deliveries = () =>
    server.requests.map(({ body }) =>
      JSON.parse(body).alerts.map(
        ({ status, labels }: { status: string; labels: { group: string } }) =>
          `${status} ${labels.group}`,
      ),
    )
  const rule = {
    id: 'r',
    name: 'R',
    query: 'count by (group) (logs)',
    condition: { op: '>', threshold: 0 },
    everyMs: 1_000,
    delayMs: 0,
    windowMs: 60_000,
    receivers: ['hook'],
  }
  /** The rule is evaluated at a time. */
  const evaluateAt = async (time: number) => {
    here.clock.time = time
    await here.alerts.saveRule(rule)
    await soon(() => here.alerts.states()[0]?.evaluatedAt === time)
  }
  return { ...here, evaluateAt, deliveries, server }
}

t.test('who is silenced fires without a word, and is told of when the silence is over', async t => {
  const { alerts, evaluateAt, deliveries } = await told(t)
  await alerts.saveSilence({ matchers, until: begin + 2_500 }, '')
  await evaluateAt(begin)
  await soon(() => deliveries().length === 1)
  t.same(deliveries(), [['firing b']])
  const [state] = alerts.states()
  t.match(
    state?.alerts.map(({ labels, silenced }) => [labels.group, silenced]),
    [
      ['a', true],
      ['b', false],
    ],
  )
  await evaluateAt(begin + 2_000)
  await evaluateAt(begin + 3_000)
  await soon(() => deliveries().length === 2)
  t.same(deliveries()[1], ['firing a'])
  await evaluateAt(begin + 61_000)
  await soon(() => deliveries().length === 3)
  t.same(deliveries()[2], ['resolved a', 'resolved b'])
})

t.test('of what nobody was told that it fires nobody is told that it ends', async t => {
  const { alerts, evaluateAt, deliveries } = await told(t)
  await alerts.saveSilence({ matchers, until: begin + 1e9 }, '')
  await evaluateAt(begin)
  await soon(() => deliveries().length === 1)
  await evaluateAt(begin + 61_000)
  await soon(() => deliveries().length === 2)
  t.same(deliveries(), [['firing b'], ['resolved b']])
  const kinds = alerts.history(100).map(({ kind }) => kind)
  t.equal(kinds.filter(kind => kind === 'fired').length, 2, 'the history has both')
})

t.test('who was told before it was silenced is told of the end', async t => {
  const { alerts, evaluateAt, deliveries } = await told(t)
  await evaluateAt(begin)
  await soon(() => deliveries().length === 1)
  await alerts.saveSilence({ matchers, until: begin + 1e9 }, '')
  await evaluateAt(begin + 61_000)
  await soon(() => deliveries().length === 2)
  t.same(deliveries()[1], ['resolved a', 'resolved b'])
})
