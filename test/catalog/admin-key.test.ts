import t from 'tap'
import { limits } from '../../src/limits.ts'
import { openTestCatalog, testTime } from './catalog-in.ts'

const chosen = 'correct-horse-battery-staple'
const otherChosen = 'incorrect-horse-battery-staple'

t.test('the first start makes an admin key; later ones leave it', async t => {
  const catalog = await openTestCatalog(t, t.testdir())
  const made = await catalog.apiKeys.ensureAdmin(undefined)
  t.match(made, { key: /^key_/, isNew: true })
  t.equal(catalog.apiKeys.find(made?.key ?? '')?.role, 'admin')

  const { apiKeys } = await catalog.reopen()
  t.equal(await apiKeys.ensureAdmin(undefined), undefined)
  t.equal(apiKeys.find(made?.key ?? '')?.role, 'admin')
  t.equal(apiKeys.list().length, 1)
})

t.test('a start that finds only expired admin keys makes a new one', async t => {
  const { apiKeys, clock } = await openTestCatalog(t, t.testdir())
  await apiKeys.create({ name: 'short', role: 'admin', expiresAt: testTime + 1 })
  await apiKeys.create({ name: 'viewer', role: 'viewer' })
  t.equal(await apiKeys.ensureAdmin(undefined), undefined)
  clock.time += 1
  t.match(await apiKeys.ensureAdmin(undefined), { isNew: true })
})

t.test('a chosen key is an admin key, made once', async t => {
  const catalog = await openTestCatalog(t, t.testdir())
  t.same(await catalog.apiKeys.ensureAdmin(chosen), { key: chosen, isNew: true })
  t.match(catalog.apiKeys.find(chosen), { name: 'admin (from the settings)', role: 'admin' })

  const { apiKeys } = await catalog.reopen()
  t.same(await apiKeys.ensureAdmin(chosen), { key: chosen, isNew: false })
  t.equal(apiKeys.list().length, 1)
})

t.test('another chosen key takes the place of the earlier one, for good', async t => {
  const catalog = await openTestCatalog(t, t.testdir())
  const first = await catalog.apiKeys.ensureAdmin(undefined)
  await catalog.apiKeys.ensureAdmin(chosen)
  t.same(await catalog.apiKeys.ensureAdmin(otherChosen), { key: otherChosen, isNew: true })
  t.equal(catalog.apiKeys.find(chosen), undefined)

  const { apiKeys } = await catalog.reopen()
  t.equal(apiKeys.find(chosen), undefined)
  t.equal(apiKeys.find(otherChosen)?.role, 'admin')
  t.equal(apiKeys.find(first?.key ?? '')?.role, 'admin', 'keys that were not chosen stay')
})

t.test('a chosen key stays when a later start gives none, until it is deleted', async t => {
  const { apiKeys } = await openTestCatalog(t, t.testdir())
  await apiKeys.ensureAdmin(chosen)
  t.equal(await apiKeys.ensureAdmin(undefined), undefined)
  const id = apiKeys.find(chosen)?.id ?? ''

  await t.rejects(apiKeys.delete(id), { code: 'api_key_last_admin' })
  await apiKeys.create({ name: 'other', role: 'admin' })
  await apiKeys.delete(id)
  t.equal(apiKeys.find(chosen), undefined)
  t.match(await apiKeys.ensureAdmin(chosen), { isNew: true }, 'choosing it makes it again')
})

t.test('choosing the key that the first start made changes nothing', async t => {
  const { apiKeys } = await openTestCatalog(t, t.testdir())
  const first = await apiKeys.ensureAdmin(undefined)
  const key = first?.key ?? ''
  t.same(await apiKeys.ensureAdmin(key), { key, isNew: false })
  t.equal(apiKeys.list().length, 1)

  await apiKeys.ensureAdmin(chosen)
  await apiKeys.ensureAdmin(key)
  t.equal(apiKeys.find(chosen), undefined, 'it takes the place of a key chosen before')
  t.equal(apiKeys.find(key)?.role, 'admin')
})

t.test('the catalog takes every admin key that the settings allow', async t => {
  const { apiKeys } = await openTestCatalog(t, t.testdir())
  for (const length of [limits.adminKeyLengthMin, 512]) {
    t.match(await apiKeys.ensureAdmin('~'.repeat(length)), { isNew: true })
  }
})

t.test('a value that cannot be the admin key is refused', async t => {
  const { apiKeys } = await openTestCatalog(t, t.testdir())
  const refuses = (value: string, reason: RegExp) =>
    t.rejects(apiKeys.ensureAdmin(value), { message: reason })

  await refuses('', /at least 16 characters/)
  await refuses('x'.repeat(15), /at least 16 characters/)
  await refuses('sixteen characters', /no white space/)
  await refuses('sixteen-characters\n', /no white space/)
  await refuses('sechzehn-zeichen-ä', /ASCII/)
  await refuses('x'.repeat(limits.adminKeyLengthMin - 1), /at least/)
  const { key } = await apiKeys.create({ name: 'viewer', role: 'viewer' })
  await refuses(key, /already the API key "viewer"/)
  const expiresAt = testTime + 1_000
  const expiring = await apiKeys.create({ name: 'short', role: 'admin', expiresAt })
  await refuses(expiring.key, /already the API key "short"/)
  t.equal(apiKeys.find(key)?.role, 'viewer')
})
