import fs from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { openCatalog } from '../../../src/catalog/catalog.ts'
import { inspect } from './run-inspect.ts'

/** A catalog with something in every collection; large enough to have several pages. */
async function catalogIn(t: Test) {
  const dataDir = t.testdir()
  const catalog = await openCatalog({ dataDir, now: Date.now })
  const { key } = await catalog.apiKeys.create({ name: 'an admin', role: 'admin' })
  await catalog.sessions.create(key)
  for (let i = 0; i < 60; i++) {
    await catalog.ingestionTokens.create({ serviceName: `service-${i}`, environment: 'test' })
  }
  await catalog.dashboards.put({ dashboard: { content: { title: 'x'.repeat(20_000) } } })
  await catalog.close()
  fs.rmSync(join(dataDir, 'catalog.lmdb-lock'))
  return { dataDir, path: join(dataDir, 'catalog.lmdb') }
}

t.test('a catalog that is whole is said to be, and nothing is written beside it', async t => {
  const { dataDir, path } = await catalogIn(t)
  t.match(await inspect('--verify', path), { code: 0, printed: `${path}: whole\n` })
  t.match(await inspect(dataDir), { code: 0, printed: `${path}: whole\n` })
  t.match(JSON.parse((await inspect('--json', path)).printed), { kind: 'catalog', faults: [] })
  t.same(fs.readdirSync(dataDir).sort(), ['catalog.lmdb', 'secret.key'])
})

t.test('a catalog that was cut, or is none, is found', async t => {
  const { path } = await catalogIn(t)
  const whole = fs.readFileSync(path)
  const finds = async (bytes: Uint8Array, expected: RegExp) => {
    fs.writeFileSync(path, bytes)
    t.match(await inspect('--verify', path), { code: 1, printed: expected })
  }
  await finds(whole.subarray(0, 5 * 4_096), /the end of the file is missing/)
  await finds(Buffer.alloc(0), /the file is empty/)
  await finds(Buffer.alloc(20_000, 'x'), /is not one of LMDB/)
})

t.test('a page that is another than it should be is found, wherever it is in use', async t => {
  const { path } = await catalogIn(t)
  const whole = fs.readFileSync(path)
  const pageBytes = 4096
  let found = 0
  for (let page = 2; page < whole.length / pageBytes; page++) {
    const bytes = Buffer.from(whole)
    bytes.fill(0xa5, page * pageBytes, page * pageBytes + 64)
    fs.writeFileSync(path, bytes)
    const { code } = await inspect('--verify', path)
    if (code === 1) found++
  }
  // The others are free, or inside of a large value.
  t.ok(found >= 5, `${found} of ${whole.length / pageBytes - 2} pages`)
})

t.test('a bit that changed in a value is found, and said of which', async t => {
  const { path } = await catalogIn(t)
  const bytes = fs.readFileSync(path)
  for (let at = bytes.indexOf('service-7'); at >= 0; at = bytes.indexOf('service-7', at)) {
    bytes[at]! ^= 1
  }
  fs.writeFileSync(path, bytes)
  const printed = /offset 0: the value ingestion-tokens\/[-0-9a-f]{36} is damaged\n$/
  t.match(await inspect('--verify', path), { code: 1, printed })
  const bits = fs.readFileSync(path)
  // Their roots: to a page that there is not. That of an earlier change would be a catalog that is whole.
  for (const meta of [0, 1]) bits[meta * 4_096 + 24 + 24 + 48 + 40 + 1]! ^= 0x40
  fs.writeFileSync(path, bits)
  t.match(await inspect('--verify', path), { code: 1, printed: /a page|its root/ })
})

t.test('a key that is missing or another one is found', async t => {
  const { dataDir } = await catalogIn(t)
  const key = join(dataDir, 'secret.key')
  fs.writeFileSync(key, Buffer.alloc(32, 1))
  const other = await inspect(dataDir)
  t.equal(other.code, 1)
  t.equal(other.printed.match(/does not decrypt with secret.key/g)?.length, 60)
  fs.writeFileSync(key, Buffer.alloc(31, 1))
  t.match(await inspect(dataDir), { code: 1, printed: /cannot be opened: .*must hold 32 bytes/ })
  fs.rmSync(key)
  t.match(await inspect(dataDir), { code: 1, printed: /cannot be opened: .*is missing/ })
})

t.test('a database has no records to print', async t => {
  const { dataDir, path } = await catalogIn(t)
  t.match(await inspect('--records', path), { code: 1, complained: /holds no records/ })
  t.match(await inspect('--records', dataDir), { code: 0 })
})
