import fs from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import t from 'tap'
import { openCatalog } from '../../src/catalog/catalog.ts'
import { readCatalogFile } from '../../src/catalog/catalog-file.ts'
import { listCopies } from '../../src/catalog/copies/copy-files.ts'
import { testTime } from './catalog-in.ts'

const fixture = (name: string) => join(import.meta.dirname, './fixtures', name)
const file = gunzipSync(fs.readFileSync(fixture('v1-catalog.lmdb.gz')))
/** What was made when the file was, with all answers. */
const made = JSON.parse(fs.readFileSync(fixture('v1-catalog.json'), 'utf8'))

function startOnV1(dataDir: string, bytes: Buffer, said: string[] = []) {
  fs.writeFileSync(join(dataDir, 'catalog.lmdb'), bytes)
  fs.writeFileSync(join(dataDir, 'secret.key'), Buffer.from(made.secretKey, 'hex'))
  return openCatalog({ dataDir, now: () => testTime, say: text => said.push(text) })
}

t.test('a catalog without checksums gets them, loses nothing, and is kept as it was', async t => {
  const dataDir = t.testdir()
  const said: string[] = []
  const first = await startOnV1(dataDir, file, said)
  const path = join(dataDir, 'catalog.lmdb')
  const checkAll = (catalog: typeof first) => {
    t.match(catalog.ingestionTokens.list(), made.lists.tokens)
    t.same(catalog.apiKeys.list(), made.lists.keys)
    t.same(catalog.dashboards.list(), made.lists.dashboards)
    t.same(catalog.savedQueries.list(), made.lists.queries)
    for (const { id, token } of made.tokens) {
      t.equal(catalog.ingestionTokens.find(token)?.id, id)
      t.equal(catalog.ingestionTokens.secret(id), token)
    }
    for (const { key, role } of made.keys) t.equal(catalog.apiKeys.find(key)?.role, role)
    t.equal(catalog.sessions.find(made.session)?.apiKey.role, 'admin')
    for (const [id, text] of Object.entries(made.texts))
      t.equal(catalog.dashboards.getText(id), text)
  }
  checkAll(first)
  await first.close()
  t.equal(readCatalogFile(path)?.format, 2)
  const [copy, ...others] = listCopies(dataDir)
  t.same(others, [])
  t.match(copy?.path, /-before-format-2\.lmdb$/)
  t.same(fs.readFileSync(copy!.path), file)
  t.equal(fs.statSync(copy!.path).mode & 0o777, 0o600)
  t.match(said, [/gets format 2; as it was it is kept as .*-before-format-2\.lmdb/])

  const second = await openCatalog({ dataDir, now: () => testTime })
  checkAll(second)
  await second.close()
  t.equal(listCopies(dataDir).length, 1, 'once')
})

t.test('a catalog without checksums is looked through before it gets them', async t => {
  const dataDir = t.testdir()
  const damaged = Buffer.from(file)
  const page = 16 * 4_096 // The root.
  damaged.fill(0xa5, page, page + 64)
  await t.rejects(startOnV1(dataDir, damaged), { message: /catalog\.lmdb: its root/ })
  t.same(fs.readFileSync(join(dataDir, 'catalog.lmdb')), damaged, 'it stays as it is')
  t.same(listCopies(dataDir), [])
})

t.test('what a later version wrote is left to that version', async t => {
  const dataDir = t.testdir()
  const catalog = await startOnV1(dataDir, file)
  await catalog.close()
  const { Contents, contentsPlace } = await import('../../src/catalog/contents.ts')
  const { encodeChecked, payloadOf } = await import('../../src/catalog/checked-value.ts')
  const { Packr } = await import('msgpackr')
  const packr = new Packr({ useRecords: false })
  const record = packr.unpack(payloadOf(new Contents(1).encode(1)))
  const later = encodeChecked(contentsPlace, packr.pack({ ...record, format: 3 }))
  const { openCatalogFile } = await import('../../src/catalog/write-catalog.ts')
  const root = openCatalogFile(join(dataDir, 'catalog.lmdb'))
  const { collection, key } = contentsPlace
  await root.openDB<Buffer, string>({ name: collection, encoding: 'binary' }).put(key, later)
  await root.close()
  await t.rejects(openCatalog({ dataDir, now: () => testTime }), {
    message: /has format 3, known are 1 and 2: a later version/,
  })
})
