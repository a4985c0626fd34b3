import fs from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { openCatalog } from '../../src/catalog/catalog.ts'
import { lmdbValues } from '../../src/catalog/lmdb-values.ts'
import { Health } from '../../src/health.ts'
import { youngestMeta } from '../../src/lmdb/file.ts'
import { openTestCatalog, testTime } from './catalog-in.ts'
import { damage, makeSample, startOn } from './damage.ts'

/** `npm run catalog-damage` takes as many as one likes. */
const seeds = 40

t.test('no damage to the file is served, or passes without a word', async t => {
  const directory = t.testdir()
  const sample = await makeSample(join(directory, 'sample'))
  const whole = await startOn(join(directory, 'whole'), sample, sample.file)
  t.same(whole, { kind: 'unharmed', violations: [] })
  const kinds = new Set<string>()
  for (let seed = 1; seed <= seeds; seed++) {
    const { what, bytes } = damage(sample.file, seed)
    const { kind, violations } = await startOn(join(directory, 'damaged'), sample, bytes)
    kinds.add(kind)
    if (violations.length > 0) t.fail(`seed ${seed}, ${what}: ${violations.join('; ')}`)
  }
  t.same([...kinds].sort(), ['refused', 'told', 'unharmed'], 'all of it was met')
})

t.test('no other page of the last transaction passes for the root', async t => {
  const directory = t.testdir()
  const sample = await makeSample(join(directory, 'sample'))
  const others = pagesBesideRoot(join(directory, 'sample', 'catalog.lmdb'))
  t.ok(others.length > 1, 'the list of free pages is one of them')
  for (const bytes of others) {
    t.same(await startOn(join(directory, 'damaged'), sample, bytes), {
      kind: 'refused',
      violations: [],
    })
  }
})

/** The file with another page of the last transaction as its main root, under its number: each of them. */
function pagesBesideRoot(path: string): Buffer[] {
  const file = fs.readFileSync(path)
  const fd = fs.openSync(path, 'r')
  const { pageBytes, roots, transaction } = youngestMeta(fd)!
  fs.closeSync(fd)
  const [, root] = roots
  const rootAt = Number(root) * pageBytes
  const places = Array.from({ length: file.length / pageBytes - 2 }, (_, i) => (i + 2) * pageBytes)
  return places
    .filter(at => at !== rootAt && file.readBigUInt64LE(at + 8) === transaction)
    .map(at => {
      const bytes = Buffer.from(file)
      file.copy(bytes, rootAt, at, at + pageBytes)
      bytes.writeBigUInt64LE(root!, rootAt)
      return bytes
    })
}

/** Flips a bit in the value of one entry, behind its checksum or in it; the catalog must be closed. */
function flipIn(dataDir: string, collection: string, key: string, at: number): void {
  const path = join(dataDir, 'catalog.lmdb')
  const file = fs.readFileSync(path)
  for (const entry of lmdbValues(path)) {
    if (entry.database !== collection || entry.key !== key) continue
    // What is left of older states is flipped too, to no harm.
    for (let place = file.indexOf(entry.value); place >= 0; ) {
      file[place + at]! ^= 1
      place = file.indexOf(entry.value, place + 1)
    }
  }
  fs.writeFileSync(path, file)
}

const checksumAt = 2
const payloadAt = 18

async function startWatched(dataDir: string) {
  const health = new Health()
  const said: string[] = []
  const say = (text: string) => said.push(text)
  const catalog = await openCatalog({ dataDir, now: () => testTime, health, say })
  return { catalog, health, said }
}

t.test('a value that is damaged is neither served nor believed, and can be replaced', async t => {
  const dataDir = t.testdir()
  const { apiKeys, ingestionTokens, dashboards, close } = await openTestCatalog(t, dataDir)
  const { id: keyId, key } = await apiKeys.create({ name: 'CI', role: 'viewer' })
  const { id: tokenId, token } = await ingestionTokens.create({
    serviceName: 'api',
    environment: 'prod',
  })
  const { id } = await dashboards.put({ content: { title: 'Orders' } })
  const { id: other } = await dashboards.put({ content: { title: 'Other' } })
  await close()
  flipIn(dataDir, 'api-keys', keyId, payloadAt + 60)
  flipIn(dataDir, 'ingestion-tokens', tokenId, payloadAt + 20)
  flipIn(dataDir, 'dashboard-texts', id, payloadAt + 3)

  const { catalog, health, said } = await startWatched(dataDir)
  t.teardown(() => catalog.close())
  t.equal(catalog.apiKeys.find(key), undefined)
  t.same(catalog.apiKeys.list(), [])
  t.equal(catalog.ingestionTokens.find(token), undefined)
  t.throws(() => catalog.dashboards.getStored(id), { code: 'data_damaged', message: /damaged/ })
  t.match(catalog.dashboards.get(other), { content: { title: 'Other' } })
  t.match(said, [
    new RegExp(`api-keys/${keyId} .* is damaged.*restore it from a backup`),
    new RegExp(`dashboard-texts/${id} `),
    new RegExp(`ingestion-tokens/${tokenId} `),
  ])
  t.match(await health.text('catalog_damaged'), /^3 of the values of catalog\.lmdb/)

  await catalog.dashboards.put({ metadata: { id }, content: { title: 'Again' } })
  t.match(catalog.dashboards.get(id), { content: { title: 'Again' } })
  t.match(await health.text('catalog_damaged'), /^2 of/)
})

t.test('a damaged dashboard can be deleted', async t => {
  const dataDir = t.testdir()
  const { dashboards, close } = await openTestCatalog(t, dataDir)
  const { id } = await dashboards.put({ content: { title: 'Orders' } })
  await close()
  flipIn(dataDir, 'dashboards', id, payloadAt + 2)
  flipIn(dataDir, 'dashboard-texts', id, payloadAt + 2)
  const { catalog, health } = await startWatched(dataDir)
  t.teardown(() => catalog.close())
  t.same(catalog.dashboards.list(), [])
  await catalog.dashboards.delete(id)
  t.equal(await health.text('catalog_damaged'), undefined)
})

t.test('a value of which only the checksum is damaged is served', async t => {
  const dataDir = t.testdir()
  const { apiKeys, close } = await openTestCatalog(t, dataDir)
  const { id, key } = await apiKeys.create({ name: 'CI', role: 'editor' })
  await close()
  flipIn(dataDir, 'api-keys', id, checksumAt + 7)
  const { catalog, said } = await startWatched(dataDir)
  t.teardown(() => catalog.close())
  t.equal(catalog.apiKeys.find(key)?.role, 'editor')
  t.same(said, [])
})

t.test('a value that was moved to another key is not taken for its own', async t => {
  const dataDir = t.testdir()
  const { apiKeys, close } = await openTestCatalog(t, dataDir)
  const viewer = await apiKeys.create({ name: 'same', role: 'viewer' })
  const editor = await apiKeys.create({ name: 'same', role: 'editor' })
  await close()
  const path = join(dataDir, 'catalog.lmdb')
  const file = fs.readFileSync(path, 'latin1')
  const swapped = file
    .replaceAll(viewer.id, 'placeholder')
    .replaceAll(editor.id, viewer.id)
    .replaceAll('placeholder', editor.id)
  fs.writeFileSync(path, swapped, 'latin1')
  const { catalog, said } = await startWatched(dataDir)
  t.teardown(() => catalog.close())
  t.same(catalog.apiKeys.list(), [])
  t.equal(said.length, 2)
})

t.test('a directory in the place of a file is named', async t => {
  const first = t.testdir({ 'catalog.lmdb': {} })
  await t.rejects(openTestCatalog(t, first), { message: `open ${first}/catalog.lmdb: it is a dir` })
  const second = t.testdir({ 'secret.key': {} })
  await t.rejects(openTestCatalog(t, second), { message: `${second}/secret.key is a directory` })
})
