import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { sessionLifeMs } from '../../src/catalog/sessions.ts'
import { limits } from '../../src/limits.ts'
import { openTestCatalog, testTime } from './catalog-in.ts'

t.test('a session has the role of its key, and survives a restart', async t => {
  const catalog = await openTestCatalog(t, t.testdir())
  const { key, id } = await catalog.apiKeys.create({ name: 'me', role: 'editor' })
  const { secret, expiresAt } = await catalog.sessions.create(key)
  t.equal(expiresAt, testTime + sessionLifeMs)
  const expected = { apiKey: { id, name: 'me', role: 'editor' }, expiresAt }
  t.match(catalog.sessions.find(secret), expected)
  t.match((await catalog.reopen()).sessions.find(secret), expected)
})

t.test('only a live API key signs in', async t => {
  const catalog = await openTestCatalog(t, t.testdir())
  const token = await catalog.ingestionTokens.create({ serviceName: 'a', environment: 'b' })
  const expiresAt = testTime + 1_000
  const { key } = await catalog.apiKeys.create({ name: 'short', role: 'admin', expiresAt })
  catalog.clock.time += 1_000
  for (const refused of ['', 'key_unknown', token.token, key]) {
    await t.rejects(catalog.sessions.create(refused), { code: 'credential_invalid' }, refused)
  }
})

t.test('a session ends with its key, at once and for good', async t => {
  const catalog = await openTestCatalog(t, t.testdir())
  const first = await catalog.apiKeys.create({ name: 'first', role: 'viewer' })
  const second = await catalog.apiKeys.create({
    name: 'second',
    role: 'viewer',
    expiresAt: testTime + 5,
  })
  const ofFirst = await catalog.sessions.create(first.key)
  const ofSecond = await catalog.sessions.create(second.key)

  const deleting = catalog.apiKeys.delete(first.id)
  t.equal(catalog.sessions.find(ofFirst.secret), undefined, 'from the call on')
  await deleting
  t.ok(catalog.sessions.find(ofSecond.secret))
  catalog.clock.time += 5
  t.equal(catalog.sessions.find(ofSecond.secret), undefined, 'when the key expires')

  const { sessions } = await catalog.reopen()
  t.equal(sessions.find(ofFirst.secret), undefined)
  t.equal(sessions.find(ofSecond.secret), undefined)
})

t.test('a session ends by itself, and when it is ended', async t => {
  const catalog = await openTestCatalog(t, t.testdir())
  const { key } = await catalog.apiKeys.create({ name: 'me', role: 'viewer' })
  const old = await catalog.sessions.create(key)
  const ended = await catalog.sessions.create(key)
  await catalog.sessions.end(ended.secret)
  t.equal(catalog.sessions.find(ended.secret), undefined)
  t.equal((await catalog.reopen()).sessions.find(ended.secret), undefined)
  catalog.clock.time += sessionLifeMs - 1
  t.ok(catalog.sessions.find(old.secret))
  catalog.clock.time += 1
  t.equal(catalog.sessions.find(old.secret), undefined)
})

t.test('an unknown secret finds nothing and ends nothing', async t => {
  const catalog = await openTestCatalog(t, t.testdir())
  const { key } = await catalog.apiKeys.create({ name: 'me', role: 'viewer' })
  const { secret } = await catalog.sessions.create(key)
  for (const wrong of ['', 'x', `${secret}x`, secret.slice(1), secret.toLowerCase()]) {
    t.equal(catalog.sessions.find(wrong), undefined, wrong)
    await catalog.sessions.end(wrong)
  }
  t.ok(catalog.sessions.find(secret))
})

t.test('a key has so many sessions and no more: the oldest end', async t => {
  const catalog = await openTestCatalog(t, t.testdir())
  const { key } = await catalog.apiKeys.create({ name: 'me', role: 'viewer' })
  const other = await catalog.apiKeys.create({ name: 'other', role: 'viewer' })
  const kept = await catalog.sessions.create(other.key)
  const secrets: string[] = []
  for (let i = 0; i < limits.sessionsPerKeyMax + 2; i++) {
    catalog.clock.time += 1
    secrets.push((await catalog.sessions.create(key)).secret)
  }
  const { sessions } = await catalog.reopen()
  const live = secrets.map(secret => sessions.find(secret) !== undefined)
  t.equal(live.filter(Boolean).length, limits.sessionsPerKeyMax)
  t.same(live.slice(0, 3), [false, false, true])
  t.ok(sessions.find(kept.secret))
})

t.test('the file does not have the secret', async t => {
  const catalog = await openTestCatalog(t, t.testdir())
  const { key } = await catalog.apiKeys.create({ name: 'me', role: 'viewer' })
  const { secret } = await catalog.sessions.create(key)
  t.notOk(readFileSync(join(catalog.dataDir, 'catalog.lmdb')).includes(secret))
})
