import { mock } from 'node:test'
import t from 'tap'
import { CatalogDatabase } from '../../src/catalog/database.ts'
import { openTestCatalog, testTime } from './catalog-in.ts'

const api = { serviceName: 'api', environment: 'prod' }

t.test('use is counted, and kept when the catalog is closed', async t => {
  const catalog = await openTestCatalog(t, t.testdir())
  const { id, token } = await catalog.ingestionTokens.create(api)
  const found = catalog.ingestionTokens.find(token)
  t.ok(found)
  if (found === undefined) return

  catalog.ingestionTokens.noteUse(found, 3, testTime + 500)
  catalog.ingestionTokens.noteUse(found, 1_000, testTime + 400)
  const used = { id, eventCount: 1_003, lastUsedAt: testTime + 500 }
  t.match(catalog.ingestionTokens.list(), [used])

  const { ingestionTokens } = await catalog.reopen()
  t.match(ingestionTokens.list(), [used])
})

t.test('use is saved in the background, and a token deleted meanwhile stays deleted', async t => {
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => mock.timers.reset())
  const dataDir = t.testdir()
  const catalog = await openTestCatalog(t, dataDir)
  const { ingestionTokens } = catalog
  const kept = await ingestionTokens.create(api)
  const deleted = await ingestionTokens.create(api)
  const [keptToken, deletedToken] = [kept, deleted].map(({ token }) => ingestionTokens.find(token))
  if (keptToken === undefined || deletedToken === undefined) return t.fail('tokens are found')

  ingestionTokens.noteUse(keptToken, 5, testTime + 1)
  ingestionTokens.noteUse(deletedToken, 5, testTime + 1)
  await ingestionTokens.delete(deleted.id)
  ingestionTokens.noteUse(deletedToken, 5, testTime + 2)
  mock.timers.tick(60_000)
  ingestionTokens.noteUse(keptToken, 100, testTime + 2) // Not saved: its timer does not run out.

  // A write after the background's own: when it is on disk, so is that one.
  await ingestionTokens.create(api)
  const [usage] = await storedUsage(dataDir)
  t.same(usage, { id: kept.id, eventCount: 5, lastUsedAt: testTime + 1 })
  t.equal((await storedUsage(dataDir)).length, 1)
})

/** What another process would read: lmdb gives a second opening of a file its committed state. */
async function storedUsage(dataDir: string) {
  const database = await CatalogDatabase.open(dataDir)
  const usage = database.collection<object>('ingestion-token-usage', 'msgpack')
  const stored = [...usage.getRange()].map(({ key, value }) => ({ id: key, ...value }))
  await database.close()
  return stored
}
