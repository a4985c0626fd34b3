import fs from 'node:fs'
import { dirname } from 'node:path'
import t, { type Test } from 'tap'
import type { Disk } from '../../src/disk/disk.ts'
import { realDisk } from '../../src/disk/real-disk.ts'
import { segmentPath } from '../../src/segment/files.ts'
import { SegmentWriter } from '../../src/segment/segment-writer.ts'
import { verifySegment } from '../../src/segment/verify.ts'
import { info, noise, smallBlock, writeSegment } from './segments.ts'

const day = '2026-11-20'

/** A disk with room for so many bytes: it then writes what fits, and says no more than Node does. */
function diskOf(bytes: number): Disk {
  let left = bytes
  return {
    ...realDisk,
    createSync: path => {
      const output = realDisk.createSync(path)
      return {
        ...output,
        write: content => {
          const fits = content.subarray(0, left)
          left -= fits.length
          return output.write(fits)
        },
      }
    },
  }
}

function write(path: string, disk: Disk): void {
  const writer = new SegmentWriter(path, 7, disk)
  const block = smallBlock('one')
  const column = { encoding: 'text' as const, meta: null, chunks: [noise(300_000)] }
  writer.addBlock({ ...block, columns: [{ ...block.columns[0]!, column }] })
  writer.finish(info)
}

t.test('a full disk gives a typed error and leaves nothing', async t => {
  const path = segmentPath(t.testdir(), day, 7)
  write(path, realDisk)
  const { size } = fs.statSync(path)
  fs.rmSync(path)
  for (const room of [0, 10, 100_000, 290_000, size - 1]) {
    t.throws(() => write(path, diskOf(room)), { name: 'SegmentWriteFailed', isDiskFull: true })
    t.same(fs.readdirSync(dirname(path)), [], `with room for ${room} bytes`)
  }
  write(path, diskOf(size))
  t.same(verifySegment(path), [], 'with room enough')
})

t.test(
  'whatever step fails, no segment appears, and one that is there stays as it was',
  async t => {
    const path = segmentPath(t.testdir(), day, 7)
    writeSegment(path, 7, [smallBlock('old')])
    const before = fs.readFileSync(path)
    const fail = (code: string) => () => {
      throw Object.assign(new Error(code), { code })
    }
    failsWithout(t, { ...realDisk, makeDirectorySync: fail('EACCES') }, false)
    failsWithout(t, { ...realDisk, createSync: fail('ENOSPC') }, true)
    failsWithout(t, { ...realDisk, renameSync: fail('EDQUOT') }, true)
    failsWithout(t, brokenOutput({ write: fail('EIO') }), false)
    failsWithout(t, brokenOutput({ write: fail('ENOSPC') }), true)
    failsWithout(t, brokenOutput({ datasync: fail('EIO') }), false)

    function failsWithout(t: Test, disk: Disk, isDiskFull: boolean) {
      t.throws(() => write(path, disk), { name: 'SegmentWriteFailed', isDiskFull })
      t.same(fs.readdirSync(dirname(path)), ['00000007.seg'])
      t.same(fs.readFileSync(path), before)
    }
  },
)

function brokenOutput(broken: object): Disk {
  const createSync = (path: string) => ({ ...realDisk.createSync(path), ...broken })
  return { ...realDisk, createSync }
}

t.test('a segment counts only when it and its name are on disk, in this order', async t => {
  const directory = t.testdir()
  const steps: string[] = []
  const note =
    <Given extends unknown[], Result>(name: string, run: (...given: Given) => Result) =>
    (...given: Given) => {
      const paths = given.filter(part => typeof part === 'string')
      steps.push([name, ...paths].join(' ').replaceAll(directory, ''))
      return run(...given)
    }
  const disk: Disk = {
    ...realDisk,
    renameSync: note('rename', realDisk.renameSync),
    syncDirectorySync: note('sync', realDisk.syncDirectorySync),
    createSync: path => {
      const output = realDisk.createSync(path)
      return { ...output, datasync: note('datasync', output.datasync) }
    },
  }
  const store = `${directory}/store`
  fs.mkdirSync(store)
  write(segmentPath(`${store}/segments`, day, 7), disk)
  t.same(steps, [
    'datasync',
    `rename /store/segments/${day}/00000007.seg.tmp /store/segments/${day}/00000007.seg`,
    `sync /store/segments/${day}`,
    'sync /store/segments',
    'sync /store',
  ])
  steps.length = 0
  write(segmentPath(`${store}/segments`, day, 8), disk)
  t.same(steps.slice(2), [`sync /store/segments/${day}`], 'the day is there already')
})
