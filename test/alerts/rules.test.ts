import { join } from 'node:path'
import t, { type Test } from 'tap'
import { limits } from '../../src/limits.ts'
import { openTestCatalog } from '../catalog/catalog-in.ts'
import { alertsWith } from './alerts-in.ts'

const rule = {
  name: 'Errors',
  query: 'logs{log_level="error"}',
  condition: { op: '>', threshold: 5 },
}

t.test('a rule is kept with all that was left out, and replaced by its id', async t => {
  const dataDir = join(t.testdir(), 'data')
  const { shelf, close, clock } = await openTestCatalog(t, dataDir)
  const now = () => clock.time
  const alerts = alertsWith({ shelf, now })
  const made = await alerts.saveRule({ ...rule, name: ' Errors ' })
  t.match(made, { ...rule, windowMs: 300_000, everyMs: 60_000, forMs: 0, delayMs: 10_000 })
  t.match(made, { enabled: true, noData: 'ok', labels: {}, receivers: [], createdAt: clock.time })
  clock.time += 5
  const changed = await alerts.saveRule({ ...rule, id: made.id, forMs: 1 })
  t.match(changed, { id: made.id, createdAt: clock.time - 5, updatedAt: clock.time, forMs: 1 })
  await alerts.saveRule({ ...rule, id: 'chosen', name: 'A' })
  await alerts.close()
  await close()

  const again = await openTestCatalog(t, dataDir)
  const reopened = alertsWith({ shelf: again.shelf, now })
  t.match(reopened.rules(), [{ id: 'chosen', name: 'A' }, changed], 'by name')
  t.same(reopened.rule(made.id), changed)
  await reopened.deleteRule(made.id)
  t.throws(() => reopened.rule(made.id), { code: 'alert_rule_unknown' })
  await t.rejects(reopened.deleteRule(made.id), { code: 'alert_rule_unknown' })
  await reopened.close()
})

t.test('alertRulesMax', async t => {
  const alerts = alertsWith()
  for (let i = 0; i < limits.alertRulesMax; i++) await alerts.saveRule({ ...rule, id: `r${i}` })
  await t.rejects(alerts.saveRule(rule), { code: 'alert_rules_too_many' })
  await alerts.saveRule({ ...rule, id: 'r7', name: 'replaced' })
  t.equal(alerts.rules().length, limits.alertRulesMax)
  await alerts.close()
})

const refuses = (t: Test, more: object, refusal: { code: string; extras?: object }) =>
  t.rejects(alertsWith().saveRule({ ...rule, ...more }), refusal, JSON.stringify(more).slice(0, 80))
const field = (name: string) => ({ code: 'field_invalid', extras: { field: name } })

t.test('what is no rule is refused by its field', async t => {
  await refuses(t, { name: ' ' }, field('name'))
  await refuses(t, { id: '../x' }, field('id'))
  await refuses(
    t,
    { query: 'logs{' },
    { code: 'query_syntax', extras: { position: { column: 6 } } },
  )
  await refuses(t, { query: 'logs{a=~"("}' }, { code: 'query_regex' })
  await refuses(t, { query: '1 + 1' }, field('query'))
  await refuses(t, { query: 'count(logs | distinct a)' }, field('query'))
  await refuses(t, { query: 'count(logs) + count(logs | distinct a)' }, field('query'))
  await refuses(t, { condition: { op: '=~', threshold: 1 } }, field('condition.op'))
  await refuses(t, { condition: { op: '>' } }, field('condition.threshold'))
  await refuses(t, { windowMs: 999 }, field('windowMs'))
  await refuses(t, { everyMs: 500 }, field('everyMs'))
  await refuses(t, { forMs: -1 }, field('forMs'))
  await refuses(t, { message: '{{nothing}}' }, field('message'))
  await refuses(t, { noData: 'maybe' }, field('noData'))
  await refuses(t, { receivers: ['a', 'a'] }, field('receivers'))
  await refuses(t, { receivers: ['nobody'] }, field('receivers'))
})

t.test('a rule may be so large, and no larger', async t => {
  const { alertLabelsMax, alertLabelLengthMax, alertMessageLengthMax, alertRuleReceiversMax } =
    limits
  const labels = (count: number, length: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`l${i}`, 'x'.repeat(length)]))
  const receivers = (count: number) => Array.from({ length: count }, (_, i) => `r${i}`)
  const alerts = alertsWith()
  for (const id of receivers(alertRuleReceiversMax)) {
    await alerts.saveReceiver({ id, name: id, kind: 'slack', slack: { url: 'https://x.test/a' } })
  }
  await alerts.saveRule({
    ...rule,
    labels: labels(alertLabelsMax, alertLabelLengthMax),
    message: 'x'.repeat(alertMessageLengthMax),
    receivers: receivers(alertRuleReceiversMax),
  })
  await refuses(t, { labels: labels(alertLabelsMax + 1, 1) }, field('labels'))
  await refuses(t, { labels: labels(1, alertLabelLengthMax + 1) }, { code: 'field_invalid' })
  await refuses(t, { labels: { '': 'x' } }, { code: 'field_invalid' })
  await refuses(t, { message: 'x'.repeat(alertMessageLengthMax + 1) }, field('message'))
  await refuses(t, { receivers: receivers(alertRuleReceiversMax + 1) }, field('receivers'))
})
