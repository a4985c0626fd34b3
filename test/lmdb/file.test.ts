import { spawn, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { open } from 'lmdb'
import t from 'tap'
import { commitCause, lmdbFileAt, lmdbIsWhole } from '../../src/lmdb/file.ts'

const program = (name: string) => fileURLToPath(new URL(`../fixtures/${name}.ts`, import.meta.url))

function openFile(path: string, options: { overlappingSync: boolean }) {
  const root = open({ path, noSubdir: true, eventTurnBatching: false, ...options })
  const db = root.openDB<Buffer, string>({ name: 'values', encoding: 'binary' })
  /** What LMDB itself says the file's size should be. */
  const expectedBytes = () => {
    const stats = root.getStats() as { pageSize: number; lastPageNumber: number }
    return (stats.lastPageNumber + 1) * stats.pageSize
  }
  return { root, db, expectedBytes }
}

/** Whether a process of its own can read all of the file and write to it. */
function isUsable(path: string): boolean {
  const { status } = spawnSync(process.execPath, [program('lmdb-reader'), path])
  return status === 0
}

/** A copy of the first `bytes` of a file. */
function cut(path: string, bytes: number): string {
  const copy = `${path}.cut`
  fs.rmSync(`${copy}-lock`, { force: true })
  fs.copyFileSync(path, copy)
  fs.truncateSync(copy, bytes)
  return copy
}

t.test('nothing, an LMDB file and anything else are told apart', async t => {
  const dir = t.testdir({
    empty: '',
    short: 'LMDB',
    text: 'not LMDB, '.repeat(1_000),
    zeros: '\0'.repeat(20_000),
  })
  const { root } = openFile(`${dir}/fresh`, { overlappingSync: false })
  await root.close()
  const another = fs.readFileSync(`${dir}/fresh`)
  another.writeUInt32LE(1, 28)
  fs.writeFileSync(`${dir}/another-version`, another)
  const tells = (name: string, expected: string) => t.equal(lmdbFileAt(`${dir}/${name}`), expected)

  tells('none', 'nothing')
  tells('empty', 'nothing')
  tells('fresh', 'lmdb')
  tells('short', 'foreign')
  tells('text', 'foreign')
  tells('zeros', 'foreign')
  tells('another-version', 'foreign')
})

t.test('a healthy file is not taken for a cut one, even when it lacks its last pages', async t => {
  for (const overlappingSync of [false, true]) {
    const path = `${t.testdir()}/file`
    let lackingCount = 0
    for (let opening = 0; opening < 3; opening++) {
      const { root, db, expectedBytes } = openFile(path, { overlappingSync })
      for (let i = 0; i < 40; i++) {
        await root.batch(() => {
          for (let j = 0; j < 20; j++) db.put(`small ${(i * 7 + j) % 300}`, Buffer.alloc(i * 40))
          db.put(`large ${i % 5}`, Buffer.alloc((i * 9_973) % 200_000))
          db.put('passing', Buffer.alloc(20_000 * i))
          db.remove('passing')
        })
        lackingCount += fs.statSync(path).size < expectedBytes() ? 1 : 0
        if (lmdbFileAt(path) !== 'lmdb') t.fail(`transaction ${i} of opening ${opening}`)
      }
      await root.close()
      t.equal(lmdbFileAt(path), 'lmdb')
    }
    t.ok(lackingCount > 0, `${lackingCount} of 120 times the last page was not in the file`)
  }
})

t.test('a file is cut as soon as a page is missing that it needs', async t => {
  const path = `${t.testdir()}/file`
  const { root, db } = openFile(path, { overlappingSync: false })
  for (let i = 0; i < 500; i++) db.put(`small ${i}`, Buffer.alloc(200))
  await db.put('large', Buffer.alloc(100_000, 'x'))
  await db.put('at the end', Buffer.alloc(500_000))
  await db.remove('at the end')
  for (let i = 0; i < 5; i++) await db.put('later', Buffer.alloc(i))
  await root.close()

  const pageCount = fs.statSync(path).size / 4_096
  const said = Array.from({ length: pageCount }, (_, pages) => lmdbFileAt(cut(path, pages * 4_096)))
  const neededCount = said.indexOf('lmdb')
  t.ok(neededCount > 0 && neededCount < pageCount - 50, `${neededCount} of ${pageCount} pages`)
  t.same(new Set(said.slice(1, neededCount)), new Set(['cut']))
  t.same(new Set(said.slice(neededCount)), new Set(['lmdb']))
  t.equal(lmdbFileAt(cut(path, neededCount * 4_096 - 1)), 'cut')
  t.ok(isUsable(cut(path, neededCount * 4_096)), 'LMDB reads all that is left, and goes on')
})

t.test('a file whose pages were lost inside as well is cut, not read for ever', async t => {
  const path = `${t.testdir()}/file`
  const { root, db } = openFile(path, { overlappingSync: false })
  for (let i = 0; i < 2_000; i++) db.put(`small ${i}`, Buffer.alloc(100))
  await db.put('large', Buffer.alloc(100_000, 'x'))
  await root.close()
  t.ok(lmdbIsWhole(path))
  const bytes = fs.readFileSync(path)
  const tells = (change: (page: Buffer) => void) => {
    const damaged = Buffer.from(bytes)
    for (let at = 2 * 4_096; at < damaged.length; at += 4_096) {
      change(damaged.subarray(at, at + 4_096))
    }
    fs.writeFileSync(path, damaged)
    t.equal(lmdbIsWhole(path), damaged.equals(bytes)) // Wherever the root is.
    fs.writeFileSync(path, damaged.subarray(0, -4_096))
    t.equal(lmdbFileAt(path), 'cut')
  }

  tells(() => {})
  tells(page => page.fill(0))
  tells(page => page.fill(0xff, 18))
  tells(page => page.writeUInt16LE(0xffff, 24)) // The first pointer.
  tells(page => page.writeUInt16LE(0xffff, 20)) // The size of the pointers.
})

t.test('a file is whole after kill -9 of its writer, time and again', async t => {
  const path = `${t.testdir()}/file`
  for (const transactionCount of [1, 10, 60, 25]) {
    const child = spawn(process.execPath, [program('lmdb-writer'), path])
    const exited = new Promise(resolve => child.on('exit', resolve))
    let left = transactionCount
    for await (const _ of createInterface({ input: child.stdout })) {
      left -= 1
      if (left === 0) child.kill('SIGKILL')
    }
    await exited
    t.equal(lmdbFileAt(path), 'lmdb')
  }
  t.ok(isUsable(path))
})

t.test('the cause of a failed commit is found, and its promise is not left alone', async t => {
  const cause = new Error('no space')
  const general = Object.assign(new Error('commit failed'), { commitError: Promise.reject(cause) })
  t.equal(await commitCause(general), cause)
  t.equal(await commitCause(cause), cause)
})
