import { spawnSync } from 'node:child_process'
import { createSecretKey, randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { ApiKeys } from '../../src/catalog/api-keys.ts'
import { CatalogDatabase } from '../../src/catalog/database.ts'
import { IngestionTokens } from '../../src/catalog/ingestion-tokens.ts'
import { ProblemError } from '../../src/problems.ts'
import { inSmallFileSystem, noMounts as skip } from '../faults/small-file-system.ts'
import { openTestCatalog, testTime } from './catalog-in.ts'

const api = { serviceName: 'api', environment: 'prod' }
const fillDisk = fileURLToPath(new URL('./fixtures/fill-disk.ts', import.meta.url))
const changeOnFullDisk = fileURLToPath(
  new URL('./fixtures/change-on-full-disk.ts', import.meta.url),
)

t.test('a change that finds no space is refused as a whole, and the rest goes on', async t => {
  const dataDir = t.testdir()
  // A limit on file size fails a write as a full disk does, and needs no disk to be filled.
  const command = `ulimit -f 1000 && exec "${process.execPath}" "${fillDisk}" "${dataDir}"`
  const child = spawnSync('sh', ['-c', command], { encoding: 'utf8' })
  t.equal(child.status, 0, child.stderr)
  const { code, stored, listed, small } = JSON.parse(child.stdout)
  t.equal(code, 'catalog_failed')
  t.ok(stored.length > 0)
  t.same(listed.sort(), stored.sort(), 'what was refused is not listed')

  const { dashboards } = await openTestCatalog(t, dataDir)
  t.same(
    dashboards
      .list()
      .map(({ id }) => id)
      .sort(),
    [...stored, small].sort(),
  )
  t.match(dashboards.get(small), { content: { title: 'small' } })
})

t.test('small changes are taken on a full disk, large ones refused', { skip }, async t => {
  const dataDir = t.testdir()
  const program = [process.execPath, changeOnFullDisk, dataDir]
  const [command, ...argv] = inSmallFileSystem('4m', dataDir)
  const { status, signal, stdout, stderr } = spawnSync(command, [...argv, ...program], {
    encoding: 'utf8',
  })
  t.match({ status, signal }, { status: 0, signal: null }, stderr)
  t.same(JSON.parse(stdout), { small: 100, large: 0 })
})

/** A database whose writes fail while `isFailing`. */
async function failingDatabase(dataDir: string) {
  const database = await CatalogDatabase.open(dataDir)
  const state = { isFailing: false }
  const write = database.write.bind(database)
  database.write = async change => {
    if (state.isFailing) throw new ProblemError('catalog_failed', 'no space')
    await write(change)
  }
  return { database, state }
}

t.test(
  'a token whose deletion could not be saved is refused, and can be deleted again',
  async t => {
    const { database, state } = await failingDatabase(t.testdir())
    t.teardown(() => database.close())
    const tokens = new IngestionTokens(database, createSecretKey(randomBytes(32)), () => testTime)
    const { id, token } = await tokens.create(api)
    state.isFailing = true
    await t.rejects(tokens.create(api), { code: 'catalog_failed' })
    await t.rejects(tokens.delete(id), { code: 'catalog_failed' })
    t.equal(tokens.find(token), undefined)
    t.match(tokens.list(), [{ id }])
    state.isFailing = false
    await tokens.delete(id)
    t.same(tokens.list(), [])
  },
)

t.test('an API key whose deletion could not be saved is refused, likewise', async t => {
  const { database, state } = await failingDatabase(t.testdir())
  t.teardown(() => database.close())
  const apiKeys = new ApiKeys(database, () => testTime)
  const { id, key } = await apiKeys.create({ name: 'CI', role: 'viewer' })
  state.isFailing = true
  await t.rejects(apiKeys.create({ name: 'other', role: 'viewer' }), { code: 'catalog_failed' })
  await t.rejects(apiKeys.delete(id), { code: 'catalog_failed' })
  t.equal(apiKeys.find(key), undefined)
  t.match(apiKeys.list(), [{ id }])
  state.isFailing = false
  await apiKeys.delete(id)
  t.same(apiKeys.list(), [])
})

t.test('usage that could not be saved goes with the next save', async t => {
  const dataDir = t.testdir()
  const { database, state } = await failingDatabase(dataDir)
  const secretKey = createSecretKey(randomBytes(32))
  const tokens = new IngestionTokens(database, secretKey, () => testTime)
  const { token } = await tokens.create(api)
  const found = tokens.find(token)
  if (found === undefined) return t.fail('the token is found')
  tokens.noteUse(found, 7, testTime)
  state.isFailing = true
  await t.rejects(tokens.close(), { code: 'catalog_failed' })
  state.isFailing = false
  await tokens.close()

  const again = new IngestionTokens(database, secretKey, () => testTime)
  t.match(again.list(), [{ eventCount: 7 }])
  await database.close()
})
