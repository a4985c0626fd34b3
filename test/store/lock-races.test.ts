/** What the lock does when other processes, or the system, come between two of its steps. */
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import t, { type Test } from 'tap'
import { lockDataDir } from '../../src/store/lock.ts'

/** Puts `stand` in the place of a function of `fs` until the test ends. */
function standIn<K extends 'symlinkSync' | 'unlinkSync' | 'readFileSync'>(
  t: Test,
  name: K,
  stand: (real: (typeof fs)[K]) => unknown,
): void {
  const real = fs[name]
  fs[name] = stand(real) as (typeof fs)[K]
  t.teardown(() => {
    fs[name] = real
  })
}

/** Fails calls of `symlinkSync`, as long as there are codes left; before each `before` is called. */
function failingLinks(t: Test, codes: string[], before = (_path: string) => {}): void {
  standIn(t, 'symlinkSync', real => (text: string, path: string) => {
    const code = codes.shift()
    before(path)
    if (code !== undefined) throw Object.assign(new Error(code), { code })
    real(text, path)
  })
}

const ownName = (() => {
  const dataDir = t.testdir()
  const letGo = lockDataDir(dataDir)
  const name = fs.readlinkSync(`${dataDir}/LOCK`)
  letGo()
  return name
})()
const [pid, , boot] = ownName.split('-')
const deadName = (start: number) => `${pid}-${start}-${boot}`

function holdAs(dataDir: string, name: string): void {
  fs.rmSync(`${dataDir}/LOCK`, { force: true })
  fs.symlinkSync(name, `${dataDir}/LOCK`)
}

const claimAfter = (name: string) =>
  `LOCK.after-${createHash('sha256').update(name).digest('hex').slice(0, 32)}`

const isOurs = (t: Test, dataDir: string) => {
  t.equal(fs.readlinkSync(`${dataDir}/LOCK`), ownName)
  t.same(fs.readdirSync(dataDir), ['LOCK'], 'no claim is left')
}

t.test('who was overtaken gives up its claim, and looks again', async t => {
  const dataDir = t.testdir()
  holdAs(dataDir, deadName(1))
  let isOvertaken = false
  failingLinks(t, [], path => {
    if (isOvertaken || !path.includes('after')) return
    isOvertaken = true
    holdAs(dataDir, deadName(2)) // Another one took the lock, and died.
  })
  lockDataDir(dataDir)
  isOurs(t, dataDir)
})

t.test('a successor that lives but came too late keeps nobody out', async t => {
  const dataDir = t.testdir()
  const claim = claimAfter(deadName(1))
  holdAs(dataDir, deadName(1))
  fs.symlinkSync(ownName, `${dataDir}/${claim}`)
  let isOvertaken = false
  failingLinks(t, [], path => {
    if (isOvertaken || !path.includes(claim)) return
    isOvertaken = true
    holdAs(dataDir, deadName(2))
  })
  lockDataDir(dataDir)
  isOurs(t, dataDir)
})

t.test('a claim that is gone when it is looked at is tried again', async t => {
  const dataDir = t.testdir()
  holdAs(dataDir, deadName(1))
  failingLinks(t, ['EEXIST'])
  lockDataDir(dataDir)
  isOurs(t, dataDir)
})

t.test('who is overtaken every time says so in the end', async t => {
  const dataDir = t.testdir()
  failingLinks(
    t,
    Array.from({ length: 10_000 }, () => 'EEXIST'),
  )
  t.throws(() => lockDataDir(dataDir), { name: 'DataDirLocked', message: /cannot be taken/ })
})

t.test('where links are not allowed the error says so, other errors stay as they are', async t => {
  const throws = (code: string, message: RegExp) => {
    failingLinks(t, [code])
    t.throws(() => lockDataDir(t.testdir()), { message })
  }
  throws('EPERM', /symbolic links.*--data-dir/)
  throws('ENOTSUP', /symbolic links/)
  throws('EROFS', /^EROFS$/)
  const file = `${t.testdir({ file: '' })}/file`
  t.throws(() => lockDataDir(file), { code: 'ENOTDIR' })
})

t.test('a lock that goes while it is let go of is no trouble, other errors are', async t => {
  const letGoFailing = (code: string) => {
    const letGo = lockDataDir(t.testdir())
    standIn(t, 'unlinkSync', () => () => {
      throw Object.assign(new Error(code), { code })
    })
    letGo()
  }
  letGoFailing('ENOENT')
  t.throws(() => letGoFailing('EIO'), { code: 'EIO' })
})

t.test('without /proc the number alone says who lives', async t => {
  const real = fs.readFileSync
  standIn(t, 'readFileSync', () => (path: string, encoding: 'utf8') => {
    if (path.startsWith('/proc/')) throw Object.assign(new Error('ENOENT'), { code: 'ENOENT' })
    return real(path, encoding)
  })
  const dataDir = t.testdir()
  const letGo = lockDataDir(dataDir)
  t.equal(fs.readlinkSync(`${dataDir}/LOCK`), `${pid}--`)
  t.throws(() => lockDataDir(dataDir), { name: 'DataDirLocked' })
  letGo()
  holdAs(dataDir, '4194305--') // Linux gives this number to none.
  lockDataDir(dataDir)()
})

t.test('a process of somebody else that lives holds its lock', async t => {
  const dataDir = t.testdir()
  const { kill } = process
  t.teardown(() => {
    process.kill = kill
  })
  process.kill = () => {
    throw Object.assign(new Error('EPERM'), { code: 'EPERM' })
  }
  holdAs(dataDir, ownName)
  t.throws(() => lockDataDir(dataDir), { name: 'DataDirLocked' })
})
