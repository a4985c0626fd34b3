import assert from 'node:assert/strict'
import fs from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import t from 'tap'
import {
  dayOf,
  listSegments,
  listUnfinishedSegments,
  segmentNumberIn,
  segmentPath,
} from '../../src/segment/files.ts'
import { dayMs } from '../../src/time-units.ts'
import { forAll } from '../for-all.ts'

t.test('a timestamp belongs to its UTC day', async t => {
  const day = (timestamp: number, expected: string) => t.equal(dayOf(timestamp), expected)
  day(0, '1970-01-01')
  day(-1, '1969-12-31')
  day(Date.UTC(2026, 10, 20), '2026-11-20')
  day(Date.UTC(2026, 10, 21) - 1, '2026-11-20')
  day(8.64e15, '9_275760-09-13')
  day(-8.64e15, '0-728179-04-20')
  day(Date.parse('9999-12-31T23:59:59.999Z'), '9999-12-31')
  day(Date.parse('+010000-01-01T00:00:00Z'), '9_010000-01-01')
  day(Date.parse('0000-01-01T00:00:00Z'), '0000-01-01')
  day(Date.parse('0000-01-01T00:00:00Z') - 1, '0-999999-12-31')
})

t.test('names of days sort as the days do, and are the same within a day', async () => {
  const timestamp = fc.oneof(
    fc.integer({ min: -8.64e15, max: 8.64e15 }),
    fc.integer({ min: -1e9, max: 1e9 }),
    fc.integer({ min: -6.3e13, max: -6.2e13 }), // Around the year 0.
    fc.integer({ min: 2.53e14, max: 2.54e14 }), // Around the year 10,000.
  )
  forAll(timestamp, timestamp, (a, b) => {
    const order = Math.sign(Math.floor(a / dayMs) - Math.floor(b / dayMs))
    assert.equal(dayOf(a) < dayOf(b) ? -1 : dayOf(a) > dayOf(b) ? 1 : 0, order)
    assert.match(segmentPath('/x', dayOf(a), 1), /^\/x\/[\d_-]+\/00000001\.seg$/)
  })
})

t.test('nothing but a day names a folder, and nothing but a segment is listed', async t => {
  for (const day of ['', '..', '.', '/', '2026-11-20/..', '2026-11-2', 'x2026-11-20']) {
    t.throws(() => segmentPath('/x', day, 1), { code: 'ERR_ASSERTION' }, day)
  }
  t.throws(() => dayOf(8.64e15 + 1), RangeError)
  t.equal(segmentNumberIn('00000042.seg'), 42)
  t.equal(segmentNumberIn('123456789.seg'), 123_456_789)
  t.equal(segmentNumberIn('42.seg'), undefined)
  t.equal(segmentNumberIn('00000042.seg.tmp'), undefined)
})

t.test('segments are listed by day and number', async t => {
  const directory = t.testdir({
    '2026-11-20': { '00000010.seg': '', '00000009.seg': '', '00000011.seg.tmp': '', notes: '' },
    '0-999999-12-31': { '00000012.seg': '' },
    '9_010000-01-01': { '00000001.seg': '' },
    lost: { '00000013.seg': '' },
    '2026-11-21': 'a file where a folder should be',
  })
  t.same(
    listSegments(directory).map(({ day, number }) => [day, number]),
    [
      ['0-999999-12-31', 12],
      ['2026-11-20', 9],
      ['2026-11-20', 10],
      ['9_010000-01-01', 1],
    ],
  )
  for (const { path, day, number } of listSegments(directory)) {
    t.equal(path, segmentPath(directory, day, number))
    t.ok(fs.existsSync(path))
  }
  t.same(listUnfinishedSegments(directory), [join(directory, '2026-11-20/00000011.seg.tmp')])
  t.same(listSegments(join(directory, 'missing')), [])
})
