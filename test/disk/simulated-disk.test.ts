/** The simulated disk forgets what a real one may forget, all of it in some seed, and nothing else. */
import assert from 'node:assert/strict'
import t from 'tap'
import { makeRandom } from '../../bench/random.ts'
import { readWhole } from './read-whole.ts'
import { PowerCut, SimulatedDisk } from './simulated-disk.ts'

const seeds = 400

/** What is found under a path, in some words; undefined for nothing. */
type Look = (disk: SimulatedDisk) => string | undefined

/** All that is found after a power cut of what `prepare` did, over many seeds. */
async function foundAfter(
  prepare: (disk: SimulatedDisk) => void | Promise<void>,
  look: Look,
): Promise<Set<string | undefined>> {
  const found = new Set<string | undefined>()
  for (let seed = 0; seed < seeds; seed++) {
    const disk = new SimulatedDisk(makeRandom(seed))
    disk.makeDirectorySync('/d')
    disk.syncDirectorySync('/')
    await prepare(disk)
    found.add(look(disk.afterPowerCut()))
  }
  return found
}

const names: Look = disk => disk.listSync('/d').sort().join(' ')

/** A letter for each sector of `/d/f`: that of its bytes, 0 for zeros, ? for a mixture. */
const sectors: Look = disk => {
  const content = readWhole(disk, '/d/f')
  const letters: string[] = []
  for (let at = 0; at < content.length; at += 512) {
    const sector = content.subarray(at, at + 512)
    const isOne = sector.every(byte => byte === sector[0])
    letters.push(isOne ? (sector[0] === 0 ? '0' : String.fromCharCode(sector[0]!)) : '?')
  }
  return letters.join('')
}

/** A durable file `/d/f` of these sectors. */
function durableFile(disk: SimulatedDisk, letters: string) {
  const file = disk.createSync('/d/f')
  for (const letter of letters) file.write(Buffer.alloc(512, letter))
  file.datasync()
  disk.syncDirectorySync('/d')
  return file
}

t.test('what was synced is found, whatever the seed', async t => {
  const found = await foundAfter(
    disk => void durableFile(disk, 'abc'),
    disk => `${names(disk)}: ${sectors(disk)}`,
  )
  t.same([...found], ['f: abc'])
})

t.test('of what was not synced any sectors are found, in any order, and no others', async t => {
  const found = await foundAfter(disk => {
    durableFile(disk, 'a').write(Buffer.from('b'.repeat(512) + 'c'.repeat(512)))
  }, sectors)
  for (const wanted of ['a', 'abc', 'ab', 'ab0', 'a0c', 'a00']) t.ok(found.has(wanted), wanted)
  for (const one of found) t.match(one, /^a[b0]?[c0]?$/)
})

t.test('a write may be torn inside, but never within a sector', async t => {
  const content = Buffer.from('x'.repeat(700))
  const found = await foundAfter(
    disk => void durableFile(disk, '').write(content),
    disk => readWhole(disk, '/d/f').toString('latin1').replaceAll('\0', '-'),
  )
  const lengths = [...found].map(one => `${one!.indexOf('-')} of ${one!.length}`)
  for (const wanted of ['-1 of 700', '512 of 700', '0 of 700'])
    t.ok(lengths.includes(wanted), wanted)
  for (const one of found) t.match(one, /^[x-]*$/)
  for (const one of found) t.equal(new Set(one!.slice(0, 512)).size <= 1, true, 'a whole sector')
})

t.test('a sector that changed twice is found as it was before, between or after', async t => {
  const found = await foundAfter(async disk => {
    const file = await disk.create('/d/f')
    await file.write([Buffer.alloc(512, 'a')], 0)
    await file.datasync()
    disk.syncDirectorySync('/d')
    await file.write([Buffer.alloc(512, 'b')], 0)
    await file.write([Buffer.alloc(512, 'c')], 0)
  }, sectors)
  t.same([...found].sort(), ['a', 'b', 'c'])
})

t.test('what was cut off may come back', async t => {
  const found = await foundAfter(async disk => {
    const file = await disk.create('/d/f')
    await file.write([Buffer.alloc(1024, 'a')], 0)
    await file.datasync()
    disk.syncDirectorySync('/d')
    await file.truncate(512)
  }, sectors)
  for (const wanted of ['a', 'aa']) t.ok(found.has(wanted), wanted)
})

t.test('bytes of a deleted file may show where a size arrived and its data did not', async t => {
  const found = await foundAfter(async disk => {
    const old = disk.createSync('/d/old')
    old.write(Buffer.alloc(2048, 'o'))
    old.datasync()
    disk.syncDirectorySync('/d')
    disk.removeSync('/d/old')
    disk.syncDirectorySync('/d')
    const file = await disk.create('/d/f')
    await file.write([Buffer.alloc(512, 'a')], 0)
    await file.datasync()
    disk.syncDirectorySync('/d')
    await file.write([Buffer.alloc(1536, 'b')], 0)
  }, sectors)
  for (const wanted of ['aoo', 'abo', 'bob', 'bbb', 'a00']) t.ok(found.has(wanted), wanted)
  for (const one of found) t.match(one, /^[ab][bo0]*$/, 'what was synced is never covered')
})

t.test('a name that was not synced is there or not, and says nothing of the content', async t => {
  const found = await foundAfter(
    disk => {
      const file = disk.createSync('/d/f')
      file.write(Buffer.alloc(512, 'a'))
      file.datasync()
    },
    disk => (names(disk) === '' ? 'no name' : sectors(disk)),
  )
  t.same([...found].sort(), ['a', 'no name'])
  const unsynced = await foundAfter(
    disk => {
      disk.createSync('/d/f').write(Buffer.alloc(512, 'a'))
      disk.syncDirectorySync('/d')
    },
    disk => `${names(disk)}: ${sectors(disk)}`,
  )
  t.same([...unsynced].sort(), ['f: ', 'f: 0', 'f: a'])
})

t.test('a rename is done or not, and of several any are done', async t => {
  const found = await foundAfter(disk => {
    for (const name of ['a', 'b']) disk.createSync(`/d/${name}`)
    disk.syncDirectorySync('/d')
    for (const name of ['a', 'b']) disk.renameSync(`/d/${name}`, `/d/${name}2`)
  }, names)
  t.same([...found].sort(), ['a b', 'a b2', 'a2 b', 'a2 b2'])
})

t.test('a rename over another file leaves the one or the other', async t => {
  const found = await foundAfter(
    disk => {
      durableFile(disk, 'a')
      const file = disk.createSync('/d/new')
      file.write(Buffer.alloc(512, 'b'))
      file.datasync()
      disk.syncDirectorySync('/d')
      disk.renameSync('/d/new', '/d/f')
    },
    disk => `${names(disk)}: ${sectors(disk)}`,
  )
  t.same([...found].sort(), ['f new: a', 'f: b'])
})

t.test('what was removed may come back, whole, until its directory is synced', async t => {
  const remove = (disk: SimulatedDisk) => {
    durableFile(disk, 'a')
    disk.removeSync('/d/f')
  }
  const contentOrNone: Look = disk => (names(disk) === '' ? 'none' : sectors(disk))
  t.same([...(await foundAfter(remove, contentOrNone))].sort(), ['a', 'none'])
  const found = await foundAfter(disk => {
    remove(disk)
    disk.syncDirectorySync('/d')
  }, contentOrNone)
  t.same([...found], ['none'])
})

t.test('a directory whose name was not synced is gone with all that is in it', async t => {
  const found = await foundAfter(
    disk => {
      disk.makeDirectorySync('/d/new')
      const file = disk.createSync('/d/new/f')
      file.write(Buffer.alloc(512, 'a'))
      file.datasync()
      disk.syncDirectorySync('/d/new')
    },
    disk =>
      disk
        .listSync('/d')
        .map(name => `${name}: ${disk.listSync(`/d/${name}`)}`)
        .join(),
  )
  t.same([...found].sort(), ['', 'new: f'])
})

t.test('a killed process takes nothing with it, and syncs nothing', async t => {
  const disk = new SimulatedDisk(makeRandom(1))
  disk.makeDirectorySync('/d')
  const file = disk.createSync('/d/f')
  file.write(Buffer.alloc(1024, 'a'))
  const after = disk.afterKill()
  t.equal(sectors(after), 'aa')
  const found = new Set<boolean>()
  for (let seed = 0; seed < 50; seed++) {
    const cut = new SimulatedDisk(makeRandom(seed))
    cut.makeDirectorySync('/d')
    found.add(cut.afterKill().afterPowerCut().sizeSync('/d') === undefined)
  }
  t.equal(found.size, 2, 'a power cut afterwards still may')
})

t.test('after the cut nothing is answered, and the last sync has synced nothing', async t => {
  const found = await foundAfter(disk => {
    const file = durableFile(disk, 'a')
    disk.cutAfter(2)
    file.write(Buffer.alloc(512, 'b'))
    assert.throws(() => file.datasync(), PowerCut)
    assert.throws(() => file.write(Buffer.alloc(512, 'c')), PowerCut)
    assert.throws(() => disk.listSync('/d'), PowerCut)
  }, sectors)
  t.same([...found].sort(), ['a', 'a0', 'ab'])
})

t.test('the same seed gives the same', async t => {
  const run = (seed: number) => {
    const disk = new SimulatedDisk(makeRandom(seed))
    disk.makeDirectorySync('/d')
    disk.syncDirectorySync('/')
    durableFile(disk, 'a').write(Buffer.alloc(4096, 'b'))
    return sectors(disk.afterPowerCut())
  }
  for (let seed = 0; seed < 20; seed++) t.equal(run(seed), run(seed))
})
