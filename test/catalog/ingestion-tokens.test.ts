import t from 'tap'
import { limits } from '../../src/limits.ts'
import { openTestCatalog, testTime } from './catalog-in.ts'

const api = { serviceName: 'api', environment: 'prod' }

t.test('a new token is found by its text, and by nothing else', async t => {
  const { ingestionTokens } = await openTestCatalog(t, t.testdir())
  const created = await ingestionTokens.create(api)
  t.match(created, { ...api, id: String, token: /^ing_[0-9a-f]{48}$/, createdAt: testTime })

  const found = ingestionTokens.find(created.token)
  t.equal(found?.id, created.id)
  t.same(found?.stream, { service: 'api', environment: 'prod' })

  const missed = (token: string) => t.equal(ingestionTokens.find(token), undefined)
  missed('')
  missed('ing_')
  missed(created.id)
  missed(created.token.toUpperCase())
  missed(created.token.slice(0, -1))
  missed(`${created.token} `)
  missed('x'.repeat(1_000_000))
  missed('\ud800')
})

t.test('a token and its stream are the same object at every look-up', async t => {
  const { ingestionTokens } = await openTestCatalog(t, t.testdir())
  const { token } = await ingestionTokens.create(api)
  const found = ingestionTokens.find(token)
  t.equal(ingestionTokens.find(token), found)
  t.equal(ingestionTokens.find(token)?.stream, found?.stream)
  t.ok(Object.isFrozen(found?.stream))
})

t.test('a token is found by its id, or by its names, as long as it lives', async t => {
  const { ingestionTokens } = await openTestCatalog(t, t.testdir())
  const first = await ingestionTokens.create(api)
  const second = await ingestionTokens.create(api)
  const ofFirst = ingestionTokens.named('api/prod')
  t.ok([first.id, second.id].includes(ofFirst!.id))
  t.equal(ingestionTokens.named(second.id)?.id, second.id)
  t.equal(ingestionTokens.named('api'), undefined)
  t.equal(ingestionTokens.named(first.token), undefined, 'not by its secret')
  await ingestionTokens.delete(ofFirst!.id)
  t.notOk(ingestionTokens.isLive(ofFirst!))
  const next = ingestionTokens.named('api/prod')
  t.ok(next !== undefined && next.id !== ofFirst!.id && ingestionTokens.isLive(next))
  await ingestionTokens.delete(next!.id)
  t.equal(ingestionTokens.named('api/prod'), undefined)
})

t.test('tokens are all found again after the catalog was closed and opened', async t => {
  const before = await openTestCatalog(t, t.testdir())
  const created = await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      before.ingestionTokens.create({ serviceName: `sérvice-${index} 🦀`, environment: 'prod' }),
    ),
  )
  const { ingestionTokens } = await before.reopen()
  for (const { id, token, serviceName } of created) {
    t.equal(ingestionTokens.find(token)?.id, id)
    t.equal(ingestionTokens.find(token)?.stream.service, serviceName)
    t.equal(ingestionTokens.secret(id), token)
  }
})

t.test('the list shows every token, the oldest first, and never the secret', async t => {
  const { ingestionTokens, clock } = await openTestCatalog(t, t.testdir())
  const first = await ingestionTokens.create(api)
  clock.time += 1
  const second = await ingestionTokens.create({
    ...{ serviceName: 'web', environment: 'test', parse: 'json' },
  })

  const unused = { lastUsedAt: null, eventCount: 0 }
  t.strictSame(ingestionTokens.list(), [
    {
      id: first.id,
      ...api,
      parse: null,
      browser: false,
      createdAt: testTime,
      ...unused,
      hint: first.token.slice(-4),
    },
    {
      id: second.id,
      serviceName: 'web',
      environment: 'test',
      parse: 'json',
      browser: false,
      createdAt: testTime + 1,
      ...unused,
      hint: second.token.slice(-4),
    },
  ])
  const listed = JSON.stringify(ingestionTokens.list())
  t.notOk(listed.includes(first.token))
})

t.test('a token says for good whether messages are taken apart', async t => {
  const before = await openTestCatalog(t, t.testdir())
  const json = await before.ingestionTokens.create({ ...api, parse: 'json' })
  const page = await before.ingestionTokens.create({ ...api, browser: true })
  t.equal(page.browser, true)
  const plain = await before.ingestionTokens.create({ ...api, parse: null })
  t.match([json, plain], [{ parse: 'json' }, { parse: null }])
  const { ingestionTokens } = await before.reopen()
  t.equal(ingestionTokens.find(json.token)?.parse, 'json')
  t.equal(ingestionTokens.find(plain.token)?.parse, undefined)
  t.match(
    ingestionTokens
      .list()
      .map(({ parse }) => parse)
      .sort(),
    ['json', null, null],
  )
  t.equal(ingestionTokens.find(page.token)?.isForBrowsers, true)
  t.equal(ingestionTokens.find(plain.token)?.isForBrowsers, false)
  t.match(
    ingestionTokens.list().find(({ id }) => id === page.id),
    { browser: true },
  )
  const wrong = ingestionTokens.create({ ...api, parse: 'xml' })
  await t.rejects(wrong, { code: 'field_invalid', extras: { field: 'parse' } })
})

t.test('a deleted token is refused by the very next look-up, and for good', async t => {
  const catalog = await openTestCatalog(t, t.testdir())
  const { ingestionTokens } = catalog
  const kept = await ingestionTokens.create(api)
  const { id, token } = await ingestionTokens.create(api)

  const deleted = ingestionTokens.delete(id)
  t.equal(ingestionTokens.find(token), undefined, 'before the deletion is on disk')
  await deleted
  t.throws(() => ingestionTokens.secret(id), { code: 'token_unknown' })
  t.same(
    ingestionTokens.list().map(listed => listed.id),
    [kept.id],
  )
  await t.rejects(ingestionTokens.delete(id), { code: 'token_unknown' })

  const again = await catalog.reopen()
  t.equal(again.ingestionTokens.find(token), undefined)
  t.throws(() => again.ingestionTokens.secret(id), { code: 'token_unknown' })
  t.equal(again.ingestionTokens.find(kept.token)?.id, kept.id)
})

t.test('names are stored without the white space around them', async t => {
  const { ingestionTokens } = await openTestCatalog(t, t.testdir())
  const stores = async (serviceName: string, expected: string) => {
    const created = await ingestionTokens.create({ serviceName, environment: 'prod' })
    t.equal(created.serviceName, expected)
    t.equal(ingestionTokens.find(created.token)?.stream.service, expected)
  }

  await stores('a', 'a')
  await stores(' checkout api ', 'checkout api')
  await stores('__proto__', '__proto__')
  await stores('Zürich 🦀', 'Zürich 🦀')
  await stores('x'.repeat(limits.nameLengthMax), 'x'.repeat(limits.nameLengthMax))
})

t.test('a token without proper names is refused, with the field named', async t => {
  const { ingestionTokens } = await openTestCatalog(t, t.testdir())
  const refuses = (request: unknown, field: string) =>
    t.rejects(ingestionTokens.create(request), { code: 'field_invalid', extras: { field } })

  await refuses({ environment: 'prod' }, 'serviceName')
  await refuses({ serviceName: 'api' }, 'environment')
  await refuses({ serviceName: 'api', environment: null }, 'environment')
  await refuses({ serviceName: 7, environment: 'prod' }, 'serviceName')
  await refuses({ serviceName: '', environment: 'prod' }, 'serviceName')
  await refuses({ serviceName: 'api', environment: ' \u00a0 ' }, 'environment')
  await refuses({ serviceName: 'a\nb', environment: 'prod' }, 'serviceName')
  await refuses({ serviceName: 'a\u0085', environment: 'prod' }, 'serviceName')
  await refuses({ serviceName: 'a\ud800b', environment: 'prod' }, 'serviceName')
  await refuses({ serviceName: 'x'.repeat(201), environment: 'prod' }, 'serviceName')
  await refuses({ serviceName: `${'x'.repeat(1_000_000)}\n`, environment: 'p' }, 'serviceName')
  await refuses([], 'body')
  await refuses(null, 'body')
  t.same(ingestionTokens.list(), [])
})
