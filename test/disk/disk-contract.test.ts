/** What `disk.ts` says of every disk holds for the real one and for the simulated one alike. */
import t, { type Test } from 'tap'
import { makeRandom } from '../../bench/random.ts'
import type { Disk } from '../../src/disk/disk.ts'
import { realDisk } from '../../src/disk/real-disk.ts'
import { readWhole } from './read-whole.ts'
import { SimulatedDisk } from './simulated-disk.ts'

/** An empty directory on each disk. */
function disksFor(t: Test): [name: string, disk: Disk, directory: string][] {
  const simulated = new SimulatedDisk(makeRandom(1))
  simulated.makeDirectorySync('/data')
  return [
    ['real', realDisk, t.testdir()],
    ['simulated', simulated, '/data'],
  ]
}

function text(disk: Disk, path: string): string {
  return readWhole(disk, path).toString('latin1')
}

function put(disk: Disk, path: string, content: string): void {
  const file = disk.createSync(path)
  file.write(Buffer.from(content, 'latin1'))
  file.close()
}

t.test(
  'a file that is appended to holds what was written where, and what was cut off not',
  async t => {
    for (const [name, disk, directory] of disksFor(t)) {
      const path = `${directory}/journal`
      const file = await disk.create(path)
      t.equal(await file.write([Buffer.from('abc'), Buffer.from('def')], 0), 6, name)
      t.equal(await file.write([Buffer.from('XY')], 2), 2, name)
      t.equal(text(disk, path), 'abXYef', name)
      await file.truncate(3)
      await file.datasync()
      t.equal(text(disk, path), 'abX', name)
      await file.close()
      await t.rejects(disk.create(path), { code: 'EEXIST' }, name)
    }
  },
)

t.test('a file that is made anew is empty first, and grows at its end', async t => {
  for (const [name, disk, directory] of disksFor(t)) {
    const path = `${directory}/segment`
    put(disk, path, 'an older and longer one')
    const file = disk.createSync(path)
    t.equal(disk.sizeSync(path), 0, name)
    t.equal(file.write(Buffer.from('one ')), 4, name)
    t.equal(file.write(Buffer.from('two')), 3, name)
    file.datasync()
    file.close()
    t.equal(text(disk, path), 'one two', name)
  }
})

t.test('reads give what is there and no more, also when the name is gone', async t => {
  for (const [name, disk, directory] of disksFor(t)) {
    const path = `${directory}/file`
    put(disk, path, '0123456789')
    const input = disk.openSync(path)
    disk.removeSync(path)
    const buffer = Buffer.from('........')
    t.equal(input.size(), 10, name)
    t.equal(input.read(buffer, 1, 4, 3), 4, name)
    t.equal(input.read(buffer, 6, 2, 9), 1, name)
    t.equal(input.read(buffer, 7, 1, 10), 0, name)
    t.equal(buffer.toString(), '.3456.9.', name)
    input.close()
    t.throws(() => disk.openSync(path), { code: 'ENOENT' }, name)
  }
})

t.test('names are made, changed, listed and removed', async t => {
  for (const [name, disk, directory] of disksFor(t)) {
    const at = (path: string) => `${directory}/${path}`
    t.equal(disk.makeDirectorySync(at('a/b/c')), at('a'), name)
    t.equal(disk.makeDirectorySync(at('a/b/c')), undefined, name)
    put(disk, at('a/one'), 'one')
    put(disk, at('a/two'), 'two')
    disk.renameSync(at('a/one'), at('a/two'))
    t.same(disk.listSync(at('a')).sort(), ['b', 'two'], name)
    t.equal(text(disk, at('a/two')), 'one', name)
    t.equal(disk.sizeSync(at('a/two')), 3, name)
    t.equal(disk.sizeSync(at('a/one')), undefined, name)
    t.type(disk.sizeSync(at('a')), 'number', name)
    disk.removeSync(at('a/two'))
    disk.removeSync(at('a/two'))
    put(disk, at('a/three'), 'three')
    await disk.removeDurably(at('a/three'))
    await disk.removeDurably(at('a/three'))
    t.same(disk.listSync(at('a')), ['b'], name)
    await t.rejects(disk.remove(at('a/two')), { code: 'ENOENT' }, name)
    t.throws(() => disk.listSync(at('none')), { code: 'ENOENT' }, name)
    t.throws(() => disk.renameSync(at('none'), at('some')), { code: 'ENOENT' }, name)
    await disk.syncDirectory(at('a'))
    disk.syncDirectorySync(at('a'))
  }
})

t.test("a link and a copy hold the same bytes, and take no other file's place", async t => {
  for (const [name, disk, directory] of disksFor(t)) {
    const at = (path: string) => `${directory}/${path}`
    put(disk, at('from'), 'content')
    for (const [to, make] of [
      ['link', disk.link],
      ['copy', disk.copy],
    ] as const) {
      await make.call(disk, at('from'), at(to))
      t.equal(text(disk, at(to)), 'content', name)
      await t.rejects(make.call(disk, at('from'), at(to)), { code: 'EEXIST' }, name)
      await t.rejects(make.call(disk, at('none'), at(`${to}-2`)), { code: 'ENOENT' }, name)
    }
    await disk.remove(at('from'))
    await disk.removeDurably(at('copy'))
    t.equal(text(disk, at('link')), 'content', name)
  }
})
