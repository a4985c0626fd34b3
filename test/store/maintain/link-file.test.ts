import fs from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { linkOrCopy } from '../../../src/store/maintain/link-file.ts'

/** A directory on another file system than tests are. */
const elsewhere = '/dev/shm'

t.test('on the same file system a file is linked', async t => {
  const directory = t.testdir({ from: 'text' })
  const to = join(directory, 'to')
  t.equal(await linkOrCopy(join(directory, 'from'), to), 'linked')
  t.equal(fs.statSync(to).ino, fs.statSync(join(directory, 'from')).ino)
})

t.test('on another one it is copied, for its owner only', async t => {
  const directory = t.testdir({ from: 'text' })
  const device = fs.statSync(elsewhere, { throwIfNoEntry: false })?.dev
  if (device === undefined || device === fs.statSync(directory).dev) {
    t.pass('there is no other file system')
    return
  }
  const other = fs.mkdtempSync(join(elsewhere, 'logstrata-test-'))
  t.teardown(() => fs.rmSync(other, { recursive: true }))
  fs.chmodSync(join(directory, 'from'), 0o644)
  const to = join(other, 'to')
  t.equal(await linkOrCopy(join(directory, 'from'), to), 'copied')
  t.equal(fs.readFileSync(to, 'utf8'), 'text')
  t.equal(fs.statSync(to).mode & 0o777, 0o600)
  await t.rejects(linkOrCopy(join(directory, 'from'), to), { code: 'EEXIST' })
})

t.test('what exists is not overwritten, and what is missing is an error', async t => {
  const directory = t.testdir({ from: 'text', to: 'mine' })
  const path = (name: string) => join(directory, name)
  await t.rejects(linkOrCopy(path('from'), path('to')), { code: 'EEXIST' })
  await t.rejects(linkOrCopy(path('none'), path('new')), { code: 'ENOENT' })
  t.equal(fs.readFileSync(path('to'), 'utf8'), 'mine')
})
