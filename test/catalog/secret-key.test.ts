import { chmod, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { openTestCatalog } from './catalog-in.ts'

const api = { serviceName: 'api', environment: 'prod' }

t.test('the first opening makes a key of 32 bytes that only its owner may read', async t => {
  const dataDir = join(t.testdir(), 'new', 'data')
  const catalog = await openTestCatalog(t, dataDir)
  const path = join(dataDir, 'secret.key')
  const key = await readFile(path)
  t.equal(key.length, 32)
  t.equal((await stat(path)).mode & 0o777, 0o600)
  t.equal((await stat(join(dataDir, 'catalog.lmdb'))).mode & 0o777, 0o600)
  t.notOk((await readdir(dataDir)).includes('secret.key.tmp'))

  await catalog.reopen()
  t.same(await readFile(path), key, 'later openings keep it')
})

t.test('what a crash left of a key is not taken for one', async t => {
  const dataDir = t.testdir({ 'secret.key.tmp': 'half a key' })
  await openTestCatalog(t, dataDir)
  t.equal((await readFile(join(dataDir, 'secret.key'))).length, 32)
  t.equal((await stat(join(dataDir, 'secret.key'))).mode & 0o777, 0o600)
})

t.test('a key that others may read is closed to them', async t => {
  const catalog = await openTestCatalog(t, t.testdir())
  const path = join(catalog.dataDir, 'secret.key')
  await chmod(path, 0o644)
  await catalog.reopen()
  t.equal((await stat(path)).mode & 0o777, 0o600)
})

t.test('a key of the wrong length is refused', async t => {
  const refuses = (length: number) => {
    const dataDir = t.testdir({ 'secret.key': Buffer.alloc(length) })
    return t.rejects(openTestCatalog(t, dataDir), { message: /must hold 32 bytes.*restore/ })
  }
  await refuses(0)
  await refuses(31)
  await refuses(33)
})

t.test('a missing key is made again, but not while tokens need it', async t => {
  const catalog = await openTestCatalog(t, t.testdir())
  const { dataDir } = catalog
  const path = join(dataDir, 'secret.key')
  await rm(path)
  const remade = await catalog.reopen()
  t.equal((await readFile(path)).length, 32)

  const { id, token } = await remade.ingestionTokens.create(api)
  const key = await readFile(path)
  await rm(path)
  await t.rejects(remade.reopen(), { message: /secret\.key is missing.*restore/ })
  await t.rejects(stat(path), { code: 'ENOENT' }, 'no other key took its place')

  await writeFile(path, key)
  const restored = await openTestCatalog(t, dataDir)
  t.equal(restored.ingestionTokens.secret(id), token)
})

t.test('under another key tokens work, but cannot be shown', async t => {
  const catalog = await openTestCatalog(t, t.testdir())
  const old = await catalog.ingestionTokens.create(api)
  await writeFile(join(catalog.dataDir, 'secret.key'), Buffer.alloc(32, 7))

  const { ingestionTokens } = await catalog.reopen()
  t.equal(ingestionTokens.find(old.token)?.id, old.id)
  t.throws(() => ingestionTokens.secret(old.id), { message: /cannot be decrypted/ })
  t.match(ingestionTokens.list(), [{ id: old.id, hint: '' }])
  const made = await ingestionTokens.create(api)
  t.equal(ingestionTokens.secret(made.id), made.token)
})
