import { spawnSync } from 'node:child_process'
import { statSync, truncateSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { openTestCatalog } from './catalog-in.ts'

const program = fileURLToPath(new URL('./fixtures/change-and-die.ts', import.meta.url))

t.test('what was changed is there after kill -9, time and again', async t => {
  const dataDir = t.testdir()
  const rounds = [1, 2, 3]
  const made = rounds.map(round => {
    const child = spawnSync(process.execPath, [program, dataDir], { encoding: 'utf8' })
    t.equal(child.signal, 'SIGKILL', `round ${round}: ${child.stderr}`)
    return JSON.parse(child.stdout)
  })

  const { ingestionTokens, apiKeys, dashboards } = await openTestCatalog(t, dataDir)
  for (const { id, token, key, dashboardId, deletedToken } of made) {
    t.equal(ingestionTokens.find(token)?.id, id)
    t.equal(ingestionTokens.secret(id), token)
    t.equal(apiKeys.find(key)?.role, 'editor')
    t.match(dashboards.get(dashboardId), { content: { title: 'Orders' } })
    t.equal(ingestionTokens.find(deletedToken), undefined)
  }
  t.equal(ingestionTokens.list().length, rounds.length)
})

t.test('a file that is not a catalog is refused, with what to do', async t => {
  const dataDir = t.testdir({ 'catalog.lmdb': 'not LMDB, '.repeat(1_000) })
  await t.rejects(openTestCatalog(t, dataDir), { message: /catalog\.lmdb.*restore/ })
})

t.test('a catalog whose file was cut off is refused, with what to do', async t => {
  const dataDir = t.testdir()
  const { dashboards, close } = await openTestCatalog(t, dataDir)
  for (let i = 0; i < 5; i++) await dashboards.put({ content: { title: 'x'.repeat(50_000) } })
  await close()
  const path = `${dataDir}/catalog.lmdb`
  const { size } = statSync(path)
  for (const bytes of [size - 1, size >> 1, 4_097, 100]) {
    truncateSync(path, bytes)
    await t.rejects(openTestCatalog(t, dataDir), { message: /catalog\.lmdb.*restore/ })
  }
})
