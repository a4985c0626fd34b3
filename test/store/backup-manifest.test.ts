import fs from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { missingParts, removeManifest, writeManifest } from '../../src/store/backup-manifest.ts'
import { noticeRestored } from '../../src/store/restored.ts'
import { listDataFiles } from '../../src/store/view/data-files.ts'

const data = {
  LOCK: 'x',
  'catalog.lmdb': 'catalog',
  'catalog.lmdb-lock': 'x',
  'index.lmdb': 'x',
  'secret.key': 'key',
  journal: { '00000007.log': 'journal', 'other.log': 'x' },
  segments: { '2026-11-20': { '00000042.seg': 'segment', '00000043.seg.tmp': 'x' }, other: {} },
  quarantine: { '00000001.log.20': 'x' },
}

t.test('content is catalog, key, journal and segments, and nothing else', async t => {
  t.same(listDataFiles(t.testdir(data)), [
    { path: 'catalog.lmdb', bytes: 7, isFinal: false },
    { path: 'secret.key', bytes: 3, isFinal: false },
    { path: 'journal/00000007.log', bytes: 7, isFinal: true },
    { path: 'segments/2026-11-20/00000042.seg', bytes: 7, isFinal: true },
  ])
  t.same(listDataFiles(t.testdir({})), [])
})

t.test('what is missing or cut shows, and a directory without a list is no backup', async t => {
  const directory = t.testdir(data)
  t.equal(missingParts(directory), undefined)
  writeManifest(directory, { createdAt: 0, version: '1.2.3', files: listDataFiles(directory) })
  t.same(missingParts(directory), [])
  t.throws(() => writeManifest(directory, { createdAt: 0, version: '1', files: [] }), {
    code: 'EEXIST',
  })
  fs.truncateSync(join(directory, 'journal/00000007.log'), 3)
  fs.rmSync(join(directory, 'segments/2026-11-20/00000042.seg'))
  t.same(missingParts(directory), [
    { path: 'journal/00000007.log', what: 'has 3 bytes, had 7' },
    { path: 'segments/2026-11-20/00000042.seg', what: 'is missing' },
  ])
  for (const text of ['', '{', '[]', '{"format":2,"files":[]}', '{"format":1,"files":[{}]}']) {
    fs.writeFileSync(join(directory, 'backup.json'), text)
    t.match(missingParts(directory), [{ path: 'backup.json' }], text)
  }
  removeManifest(directory)
  t.equal(missingParts(directory), undefined)
})

t.test('the first start says what is missing, the second nothing', async t => {
  const directory = t.testdir(data)
  const said: object[] = []
  const logger = {
    info: (fields: object) => said.push(fields),
    error: (fields: object) => said.push(fields),
  }
  writeManifest(directory, { createdAt: 0, version: '1', files: listDataFiles(directory) })
  fs.rmSync(join(directory, 'secret.key'))
  noticeRestored(directory, logger)
  t.same(said, [{ file: 'secret.key' }, { missing: 1 }])
  noticeRestored(directory, logger)
  t.equal(said.length, 2)
})
