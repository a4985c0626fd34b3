import fs from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { readCatalogFile } from '../../src/catalog/catalog-file.ts'
import { copiesDirectory, listCopies } from '../../src/catalog/copies/copy-files.ts'
import { DailyCopies } from '../../src/catalog/copies/daily-copies.ts'
import { Health } from '../../src/health.ts'
import { dayMs } from '../../src/time-units.ts'
import { openTestCatalog } from './catalog-in.ts'

async function copiesIn(t: Test) {
  const dataDir = t.testdir()
  const catalog = await openTestCatalog(t, dataDir)
  const health = new Health()
  const { clock } = catalog
  const copies = new DailyCopies({ dataDir, catalog, now: () => clock.time, health })
  t.teardown(() => copies.close())
  await copies.makeIfDue()
  return { dataDir, catalog, health, copies, clock }
}

t.test('a copy is made each day, and a few are kept', async t => {
  const { dataDir, catalog, copies, clock } = await copiesIn(t)
  t.equal(listCopies(dataDir).length, 1)
  const older = join(copiesDirectory(dataDir), 'catalog-20200101T000000Z-before-format-2.lmdb')
  fs.writeFileSync(older, '')
  clock.time += dayMs - 1
  await copies.makeIfDue()
  t.equal(listCopies(dataDir).length, 2, 'not before a day is over')
  await catalog.apiKeys.create({ name: 'CI', role: 'viewer' })
  for (let day = 0; day < 9; day++) {
    clock.time += dayMs
    await copies.makeIfDue()
  }
  const all = listCopies(dataDir)
  t.same(
    all.map(({ isDaily }) => isDaily),
    [...Array(7).fill(true), false],
    'one before a change of format goes with its own kind',
  )
  t.equal(all[0]?.madeAt, Math.floor(clock.time / 1_000) * 1_000)
  const { values, damaged } = readCatalogFile(all[0]!.path)!
  t.same(damaged, [])
  t.ok(values.some(({ collection }) => collection === 'api-keys'))
  for (const { path } of all.slice(0, 7)) t.equal(fs.statSync(path).mode & 0o777, 0o600)
  t.equal(fs.statSync(copiesDirectory(dataDir)).mode & 0o777, 0o700)
})

t.test('a clock that was set back keeps no copy from being made', async t => {
  const { dataDir, copies, clock } = await copiesIn(t)
  clock.time -= 365 * dayMs
  await copies.makeIfDue()
  t.equal(listCopies(dataDir).length, 2)
})

t.test('a copy that cannot be made is told, and made when it can be', async t => {
  const { dataDir, health, copies, clock } = await copiesIn(t)
  const directory = copiesDirectory(dataDir)
  fs.rmSync(directory, { recursive: true })
  fs.writeFileSync(directory, 'in the way')
  clock.time += dayMs
  await copies.makeIfDue()
  t.match(await health.text('catalog_copy_failing'), /EEXIST/)
  fs.rmSync(directory)
  await copies.makeIfDue()
  t.equal(await health.text('catalog_copy_failing'), undefined)
  t.equal(listCopies(dataDir).length, 1)
})

t.test('a catalog that is gone is not begun anew while there are copies', async t => {
  const { dataDir, catalog, copies } = await copiesIn(t)
  const [copy] = listCopies(dataDir)
  await copies.close()
  await catalog.close()
  const path = join(dataDir, 'catalog.lmdb')
  for (const take of [() => fs.rmSync(path), () => fs.writeFileSync(path, '')]) {
    take()
    const message = await openTestCatalog(t, dataDir).then(
      () => 'it was opened',
      (error: Error) => error.message,
    )
    t.match(message, /catalog\.lmdb: it is missing or empty/)
    t.match(message, `its newest copy that is whole is ${copy?.path}; to restore it: `)
    t.match(message, `logstrata.js restore-catalog --data-dir ${dataDir}`)
  }
})
