import fs from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { openCatalog } from '../../src/catalog/catalog.ts'
import { lockDataDir } from '../../src/store/lock.ts'
import { openStoreIn } from './store-in.ts'

type Open = (dataDir: string) => Promise<unknown>

const openCatalogIn: Open = dataDir => openCatalog({ dataDir, now: Date.now })
const places: readonly [place: string, open: Open][] = [
  ['index.lmdb', openStoreIn],
  ['index.lmdb-lock', openStoreIn],
  ['index.open', openStoreIn],
  ['journal/00000001.log', openStoreIn],
  ['segments/2026-11-20/00000001.seg', openStoreIn],
  ['LOCK', async dataDir => lockDataDir(dataDir)],
  ['secret.key', openCatalogIn],
  ['catalog.lmdb-lock', openCatalogIn],
]

t.test('a directory in the place of a file is refused with its path', async t => {
  for (const [place, open] of places) {
    const dataDir = join(t.testdir(), place.replaceAll('/', '-'))
    const path = join(dataDir, place)
    fs.mkdirSync(path, { recursive: true })
    const message = `${path} is a directory, where a file belongs; move it away`
    await t.rejects(open(dataDir), { message })
  }
})

t.test('a file in the place of a directory is refused with its path', async t => {
  for (const place of ['journal', 'segments']) {
    const dataDir = t.testdir({ [place]: 'a file' })
    await t.rejects(openStoreIn(dataDir), new RegExp(`'${join(dataDir, place)}'`))
  }
})
