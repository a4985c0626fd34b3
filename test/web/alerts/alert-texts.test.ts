import fc from 'fast-check'
import t from 'tap'
import { dayMs } from '../../../src/time-units.ts'
import { matchersOf, matchersText, readMatchers } from '../../../src/web/alerts/matchers.ts'
import {
  howReached,
  isKept,
  type ReceiverDraft,
  readHeaders,
  receiverDraft,
} from '../../../src/web/alerts/receiver-draft.ts'
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
  const ofKinds = { ...draftOf(rule), subject: 'newPattern', within: '7d', threshold: '0' } as const
  const kinds = ruleOf(ofKinds)
  if ('faults' in kinds) throw new Error(JSON.stringify(kinds.faults))
  t.match(kinds.rule, { newPattern: { withinMs: 604_800_000 } })
  t.same(ruleOf(draftOf(kinds.rule)), kinds, 'also of new kinds of messages')
  t.match(conditionText(kinds.rule), 'new kinds, none for 7 d: > 0 within 5 m')
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
  t.same(faultsOf({ within: 'ever' }), [])
  t.same(faultsOf({ subject: 'newPattern', within: 'ever' }), ['within'])
})

t.test('a preview says how often it would have fired', async t => {
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

t.test('a receiver is sent as its kind is reached', async t => {
  const first = receiverDraft(undefined)
  const sent = (change: Partial<ReceiverDraft>) => howReached({ ...first, ...change }, first)
  const url = 'https://a.example'
  t.same(sent({ url, secret: 's', headers: 'X-Team: shop\n\n Authorization:Bearer a:b ' }), {
    url,
    secret: 's',
    headers: { 'X-Team': 'shop', Authorization: 'Bearer a:b' },
  })
  t.same(sent({ kind: 'slack', url }), { url })
  const manager = { kind: 'alertmanager', url, user: 'me', password: 'p', token: 't' } as const
  t.same(sent(manager), { url, password: '', token: '' })
  t.same(sent({ ...manager, credentials: 'basic' }), {
    url,
    user: 'me',
    password: 'p',
    token: '',
  })
  t.same(sent({ ...manager, credentials: 'bearer' }), { url, password: '', token: 't' })
  const mail = { kind: 'email', host: 'mail.example.com', from: 'a@b', to: 'c@d, e@f,' } as const
  t.same(sent(mail), {
    host: 'mail.example.com',
    port: 587,
    tls: 'starttls',
    from: 'a@b',
    to: ['c@d', 'e@f'],
    password: '',
  })
  t.match(sent({ ...mail, host: '[::1]:2525', tls: 'none' }), { host: '[::1]', port: 2_525 })
  t.equal(readHeaders('a: b\nno header'), undefined)
})

t.test('what is kept of a receiver is not sent, unless it moves elsewhere', async t => {
  const shown = { id: 'i', name: 'n', createdAt: 1, target: '' }
  const reach = { url: 'https://a.example/hook?…' }
  const hook = { ...shown, kind: 'webhook', reach, secrets: ['secret', 'headers'] } as const
  const first = receiverDraft(hook)
  t.same(howReached(first, first), { url: reach.url })
  t.same(howReached({ ...first, url: 'https://a.example/other' }, first), {
    url: 'https://a.example/other',
  })
  t.same(howReached({ ...first, kept: ['secret'] }, first), { url: reach.url, headers: {} })
  const moved = { ...first, url: 'https://b.example/hook' }
  t.equal(isKept(moved, first, 'secret'), false)
  t.same(howReached(moved, first), { url: moved.url, secret: '', headers: {} })
  const server = { host: 'm', port: 465, tls: 'tls', user: 'u', from: 'a@b', to: ['c@d', 'e@f'] }
  const mail = { ...shown, kind: 'email', reach: server, secrets: ['password'] } as never
  const written = receiverDraft(mail)
  t.same(howReached(written, written), server)
})
