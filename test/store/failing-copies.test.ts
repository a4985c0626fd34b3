/** Links, copies, snapshots and looks at the disk that fail in ways a test cannot make a real disk fail. */
import fs from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { realDisk } from '../../src/disk/real-disk.ts'
import { diskUsage } from '../../src/store/disk-usage.ts'
import { linkOrCopy } from '../../src/store/maintain/link-file.ts'
import { Snapshots } from '../../src/store/view/snapshots.ts'

const failure = (code: string) => Object.assign(new Error(code), { code })
const rejecting = (code: string) => () => Promise.reject(failure(code))

t.test('only a link that cannot be made is replaced by a copy', async t => {
  const directory = t.testdir({ from: 'text' })
  const does = async (code: string, to: string, expected: 'copied' | 'fails') => {
    const disk = { ...realDisk, link: rejecting(code) }
    const done = linkOrCopy(join(directory, 'from'), join(directory, to), disk)
    if (expected === 'fails') return t.rejects(done, { code })
    t.equal(await done, 'copied', code)
    return t.equal(fs.readFileSync(join(directory, to), 'utf8'), 'text')
  }
  await does('EXDEV', 'a', 'copied')
  await does('EMLINK', 'b', 'copied')
  await does('EIO', 'c', 'fails')
  await does('ENOSPC', 'd', 'fails')
  t.same(fs.readdirSync(directory).sort(), ['a', 'b', 'from'])
})

t.test('a copy that is cut short without an error is one all the same', async t => {
  const directory = t.testdir({ from: 'text' })
  const copy = async (from: string, to: string) =>
    fs.writeFileSync(to, fs.readFileSync(from, 'utf8').slice(1))
  const disk = { ...realDisk, link: rejecting('EXDEV'), copy }
  const done = linkOrCopy(join(directory, 'from'), join(directory, 'to'), disk)
  await t.rejects(done, { message: /copied 3 of 4 bytes/ })
})

t.test('a snapshot that fails leaves nothing behind, and the next one is taken', async t => {
  const dataDir = t.testdir()
  let fails: string | undefined
  const linkInto = async (directory: string) => {
    fs.writeFileSync(join(directory, 'journal', '00000001.log'), 'frames')
    if (fails !== undefined) throw failure(fails)
  }
  const noted: number[] = []
  const lastBackup = { at: undefined, note: async (at: number) => void noted.push(at) }
  const catalog = { copyInto: async () => undefined, lastBackup }
  const snapshots = new Snapshots({ dataDir, store: { linkInto }, catalog })
  const failsWith = async (code: string, expected: string) => {
    fails = code
    await t.rejects(snapshots.take(), { code: expected })
    t.same(fs.readdirSync(join(dataDir, 'snapshots')), [])
  }
  await failsWith('ENOSPC', 'storage_full')
  await failsWith('EDQUOT', 'storage_full')
  await failsWith('EIO', 'EIO')
  t.same(noted, [], 'what failed is no backup')
  fails = undefined
  const snapshot = await snapshots.take()
  t.equal(snapshot.bytes, 6)
  await t.rejects(snapshots.take(), { code: 'backup_under_way' })
  await snapshot.release()
  await (await snapshots.take()).release()
})

t.test('a quarantine that is not there is empty; one that cannot be read is an error', async t => {
  const dataDir = t.testdir({
    none: {},
    some: { quarantine: { a: 'abc', b: '' } },
    no: { quarantine: '' },
  })
  t.match(await diskUsage(join(dataDir, 'none')), { quarantine: { files: 0, bytes: 0 } })
  t.match(await diskUsage(join(dataDir, 'some')), { quarantine: { files: 2, bytes: 3 } })
  await t.rejects(diskUsage(join(dataDir, 'no')), { code: 'ENOTDIR' })
})
