import t from 'tap'
import { roleAtLeast } from '../../src/catalog/roles.ts'
import { openTestCatalog, testTime } from './catalog-in.ts'

t.test('each role may all that a lesser one may', async t => {
  t.ok(roleAtLeast('viewer', 'viewer'))
  t.notOk(roleAtLeast('viewer', 'editor'))
  t.notOk(roleAtLeast('viewer', 'admin'))
  t.ok(roleAtLeast('editor', 'viewer'))
  t.ok(roleAtLeast('editor', 'editor'))
  t.notOk(roleAtLeast('editor', 'admin'))
  t.ok(roleAtLeast('admin', 'viewer'))
  t.ok(roleAtLeast('admin', 'editor'))
  t.ok(roleAtLeast('admin', 'admin'))
})

t.test('a new key is shown once and found again, also after a restart', async t => {
  const catalog = await openTestCatalog(t, t.testdir())
  const created = await catalog.apiKeys.create({ name: ' Grafana ', role: 'viewer' })
  const { key, ...apiKey } = created
  t.match(key, /^key_[0-9a-f]{48}$/)
  t.match(apiKey, { name: 'Grafana', role: 'viewer', createdAt: testTime, expiresAt: null })
  t.strictSame(catalog.apiKeys.find(key), apiKey)
  t.strictSame(catalog.apiKeys.list(), [apiKey], 'listed without its text')

  const { apiKeys } = await catalog.reopen()
  t.strictSame(apiKeys.find(key), apiKey)
  t.equal(apiKeys.find(apiKey.id), undefined)
  t.equal(apiKeys.find(''), undefined)
})

t.test('a key is refused from the millisecond at which it expires', async t => {
  const { apiKeys, clock } = await openTestCatalog(t, t.testdir())
  const expiresAt = testTime + 1_000
  const { key, id } = await apiKeys.create({ name: 'CI', role: 'editor', expiresAt })
  t.equal(apiKeys.find(key)?.expiresAt, expiresAt)
  clock.time = expiresAt - 1
  t.ok(apiKeys.find(key))
  clock.time = expiresAt
  t.equal(apiKeys.find(key), undefined)
  t.match(apiKeys.list(), [{ id }], 'it stays listed')
})

t.test('a deleted key is refused by the very next look-up, and for good', async t => {
  const catalog = await openTestCatalog(t, t.testdir())
  const { key, id } = await catalog.apiKeys.create({ name: 'CI', role: 'editor' })
  const deleted = catalog.apiKeys.delete(id)
  t.equal(catalog.apiKeys.find(key), undefined)
  await deleted
  await t.rejects(catalog.apiKeys.delete(id), { code: 'api_key_unknown' })
  const { apiKeys } = await catalog.reopen()
  t.equal(apiKeys.find(key), undefined)
  t.same(apiKeys.list(), [])
})

t.test('the last admin key that has not expired cannot be deleted', async t => {
  const { apiKeys, clock } = await openTestCatalog(t, t.testdir())
  const refuses = (id: string) => t.rejects(apiKeys.delete(id), { code: 'api_key_last_admin' })

  const first = await apiKeys.create({ name: 'first', role: 'admin' })
  await apiKeys.create({ name: 'viewer', role: 'viewer' })
  await refuses(first.id)

  const expiresAt = testTime + 1_000
  const expiring = await apiKeys.create({ name: 'second', role: 'admin', expiresAt })
  clock.time = expiresAt
  await refuses(first.id)
  await apiKeys.delete(expiring.id)

  const third = await apiKeys.create({ name: 'third', role: 'admin' })
  const both = await Promise.allSettled([apiKeys.delete(first.id), apiKeys.delete(third.id)])
  t.match(both, [{ status: 'fulfilled' }, { reason: { code: 'api_key_last_admin' } }])
  t.ok(apiKeys.find(third.key))
})

t.test('a key that is not properly described is refused, with the field named', async t => {
  const { apiKeys } = await openTestCatalog(t, t.testdir())
  const refuses = (request: unknown, field: string) =>
    t.rejects(apiKeys.create(request), { code: 'field_invalid', extras: { field } })

  await refuses({ role: 'viewer' }, 'name')
  await refuses({ name: ' ', role: 'viewer' }, 'name')
  await refuses({ name: 'a' }, 'role')
  await refuses({ name: 'a', role: 'root' }, 'role')
  await refuses({ name: 'a', role: 'Admin' }, 'role')
  await refuses({ name: 'a', role: ['admin'] }, 'role')
  await refuses({ name: 'a', role: 'viewer', expiresAt: testTime }, 'expiresAt')
  await refuses({ name: 'a', role: 'viewer', expiresAt: testTime - 1 }, 'expiresAt')
  await refuses({ name: 'a', role: 'viewer', expiresAt: testTime + 0.5 }, 'expiresAt')
  await refuses({ name: 'a', role: 'viewer', expiresAt: -1 }, 'expiresAt')
  await refuses({ name: 'a', role: 'viewer', expiresAt: 1e17 }, 'expiresAt')
  await refuses({ name: 'a', role: 'viewer', expiresAt: '2030-01-01T00:00:00Z' }, 'expiresAt')
  await refuses('viewer', 'body')
  t.same(apiKeys.list(), [])
  const lasting = await apiKeys.create({ name: 'a', role: 'viewer', expiresAt: null })
  t.equal(lasting.expiresAt, null, 'null is as if absent')
})
