import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { diskUsage } from '../../src/store/disk-usage.ts'

t.test('what is in quarantine is counted, and nothing where nothing was damaged', async t => {
  const dataDir = t.testdir()
  const { freeBytes, totalBytes, quarantine } = await diskUsage(dataDir)
  t.ok(Number.isSafeInteger(freeBytes) && freeBytes > 0, `${freeBytes}`)
  t.ok(totalBytes >= freeBytes, `${totalBytes}`)
  t.same(quarantine, { files: 0, bytes: 0 })
  const directory = join(dataDir, 'quarantine')
  mkdirSync(directory)
  writeFileSync(join(directory, '00000001.log.64'), 'x'.repeat(100))
  writeFileSync(join(directory, '00000042.seg'), 'x'.repeat(11))
  t.same((await diskUsage(dataDir)).quarantine, { files: 2, bytes: 111 })
  rmSync(join(directory, '00000042.seg'))
  t.same((await diskUsage(dataDir)).quarantine, { files: 1, bytes: 100 })
})

t.test('a directory that is not there is an error', async t => {
  await t.rejects(diskUsage(join(t.testdir(), 'none')), { code: 'ENOENT' })
})
