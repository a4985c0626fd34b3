import fc from 'fast-check'
import t from 'tap'
import { matchersOf, matchersText, readMatchers } from '../../../src/web/alerts/matchers.ts'
import { howReached, receiverDraft } from '../../../src/web/alerts/receiver-draft.ts'
import {
  conditionText,
  draftOf,
  newDraft,
  previewText,
  type RuleDraft,
  ruleOf,
} from '../../../src/web/alerts/rule-text.ts'

t.test('conditions on labels are read as they are written', async t => {
  t.same(readMatchers('alertname="Errors", env =~ "dev|test"'), [
    { label: 'alertname', operator: '=', value: 'Errors' },
    { label: 'env', operator: '=~', value: 'dev|test' },
  ])
  t.same(readMatchers('service.name!="a \\"b\\", c=\\\\"'), [
    { label: 'service.name', operator: '!=', value: 'a "b", c=\\' },
  ])
  for (const wrong of ['', 'a', 'a=b', 'a="b" c="d"', 'a="b', 'a="\\x"', ',']) {
    t.equal(readMatchers(wrong), undefined, wrong)
  }
  t.same(matchersOf({ host: 'n1', none: '' }), [{ label: 'host', operator: '=', value: 'n1' }])
})

t.test('whatever the values are, conditions are read as they were written', async () => {
  const matcher = fc.record({
    label: fc.constantFrom('alertname', 'service.name', 'a/b'),
    operator: fc.constantFrom('=', '!=', '=~', '!~'),
    value: fc.string({ unit: 'grapheme' }),
  })
  fc.assert(
    fc.property(fc.array(matcher, { minLength: 1, maxLength: 4 }), matchers => {
      return JSON.stringify(readMatchers(matchersText(matchers))) === JSON.stringify(matchers)
    }),
  )
})

t.test('a rule becomes texts and the same rule again', async t => {
  const read = ruleOf({
    ...newDraft,
    name: ' n ',
    labels: 'severity=page, team = core',
    for: '90s',
  })
  if ('faults' in read) throw new Error(JSON.stringify(read.faults))
  const { rule } = read
  t.match(rule, {
    name: 'n',
    condition: { op: '>', threshold: 10 },
    windowMs: 300_000,
    everyMs: 60_000,
    forMs: 90_000,
    labels: { severity: 'page', team: 'core' },
  })
  t.same(ruleOf(draftOf(rule)), { rule })
  t.equal(conditionText(rule), '> 10 within 5 m, for 1 m 30 s')
  t.equal(conditionText({ ...rule, forMs: 0 }), '> 10 within 5 m')
})

t.test('what is no rule is told at its field', async t => {
  const faultsOf = (change: Partial<RuleDraft>) => {
    const read = ruleOf({ ...newDraft, ...change })
    return 'faults' in read ? Object.keys(read.faults) : []
  }
  t.same(faultsOf({}), [])
  t.same(faultsOf({ for: '0' }), [])
  t.same(faultsOf({ threshold: 'many' }), ['threshold'])
  t.same(faultsOf({ threshold: ' ' }), ['threshold'])
  t.same(faultsOf({ window: 'soon', labels: 'page' }), ['labels', 'window'])
})

t.test('a preview says how often it would have fired', async t => {
  const dayMs = 86_400_000
  const said = (fired: number) =>
    previewText({
      fired,
      firings: [],
      startTime: 60_000,
      endTime: dayMs,
      everyMs: 60_000,
      series: [],
      seriesCount: 0,
    })
  t.equal(said(0), 'Would not have fired in the last 24 h')
  t.equal(said(1), 'Would have fired once in the last 24 h')
  t.equal(said(3), 'Would have fired 3 times in the last 24 h')
})

t.test(
  'a receiver is sent as its kind is reached, without secrets that are not changed',
  async t => {
    const draft = receiverDraft(undefined)
    t.same(howReached({ ...draft, url: 'https://a.example' }), { url: 'https://a.example' })
    t.same(howReached({ ...draft, url: 'u', secret: 's' }), { url: 'u', secret: 's' })
    const manager = { ...draft, kind: 'alertmanager', url: 'u', user: 'me', secret: 's' } as const
    t.same(howReached(manager), { url: 'u', user: 'me', password: 's' })
    const mail = {
      ...draft,
      kind: 'email',
      host: 'mail.example.com',
      from: 'a@b',
      to: 'c@d, e@f,',
    } as const
    t.same(howReached(mail), {
      host: 'mail.example.com',
      port: 587,
      tls: 'starttls',
      from: 'a@b',
      to: ['c@d', 'e@f'],
    })
    t.match(howReached({ ...mail, host: '[::1]:2525', tls: 'none' }), {
      host: '[::1]',
      port: 2_525,
    })
    const shown = {
      id: 'i',
      name: 'n',
      kind: 'slack',
      createdAt: 1,
      target: 'https://x/…',
      secrets: [],
    } as const
    t.match(
      receiverDraft(shown),
      { name: 'n', kind: 'slack', url: '' },
      'what is cut is no address',
    )
  },
)
