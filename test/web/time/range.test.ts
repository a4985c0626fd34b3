import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { dateTimeText } from '../../../src/web/time/clock.ts'
import {
  durationWords,
  isRelative,
  lastRange,
  momentOf,
  rangeOf,
  rangeText,
  resolveRange,
  shiftedRange,
  typedRange,
} from '../../../src/web/time/range.ts'

const now = Date.UTC(2026, 10, 20, 14, 3, 22, 118)
const reading = { now, zone: 'utc' } as const

t.test('a moment is read in every form that people write', async t => {
  const reads = (text: string, iso: string, side: 'first' | 'last' = 'first') =>
    t.equal(momentOf(text, reading, side), Date.parse(iso), text)

  reads('now', '2026-11-20T14:03:22.118Z')
  reads('now-2h', '2026-11-20T12:03:22.118Z')
  reads('now - 15m', '2026-11-20T13:48:22.118Z')
  reads('1h30m', '2026-11-20T12:33:22.118Z')
  reads(' 7d ', '2026-11-13T14:03:22.118Z')
  reads('14:00', '2026-11-20T14:00:00Z')
  reads('9:05:07', '2026-11-20T09:05:07Z')
  reads('09:05:07.1', '2026-11-20T09:05:07.100Z')
  reads('2026-11-20', '2026-11-20T00:00:00Z')
  reads('2026-11-20', '2026-11-20T23:59:59.999Z', 'last')
  reads('2026-1-2 3:04', '2026-01-02T03:04:00Z')
  reads('2026-11-20T14:30', '2026-11-20T14:30:00Z')
  reads('2026-11-20T14:30:00+02:00', '2026-11-20T12:30:00Z')
  reads('2026-11-20T14:30:00.5Z', '2026-11-20T14:30:00.500Z')
  reads('1795167000', '2026-11-20T09:30:00Z')
  reads('1795167000000', '2026-11-20T09:30:00Z')
})

t.test('what is no moment is refused', async t => {
  for (const text of [
    ...['', 'soon', 'now+1h', 'now-', '-1h', '2026-02-30', '2026-13-01', '25:00', '12:60'],
    ...['2026-11-20 14', '14:30 2026-11-20', '12', '2026-11-20T25:00:00Z', '1h30', '99999999y'],
  ]) {
    t.equal(momentOf(text, reading), undefined, text)
  }
})

t.test('a range says which of its ends is wrong', async t => {
  const refuses = (from: string, to: string, field: 'from' | 'to') =>
    t.match(resolveRange({ from, to }, reading), { ok: false, field }, `${from} – ${to}`)

  refuses('soon', 'now', 'from')
  refuses('now-1h', 'later', 'to')
  refuses('now', 'now-1h', 'from')
  t.same(resolveRange(lastRange('1h'), reading), {
    ok: true,
    startTime: now - 3_600_000,
    endTime: now,
  })
})

t.test('an absolute range means the same for everybody', async () => {
  const time = fc.integer({ min: -8.64e15, max: 8.64e15 })
  fc.assert(
    fc.property(time, time, fc.constantFrom('utc', 'local'), (a, b, zone) => {
      const [startTime, endTime] = [Math.min(a, b), Math.max(a, b)]
      // Years beyond 9999 are written with a sign, which nobody types.
      fc.pre(Math.abs(startTime) < 2.5e14 && Math.abs(endTime) < 2.5e14 && startTime > -6.2e13)
      const resolved = resolveRange(rangeOf({ startTime, endTime }), { now, zone })
      assert.deepEqual(resolved, { ok: true, startTime, endTime })
    }),
  )
})

t.test('a range is told in few words', async t => {
  const says = (from: string, to: string, expected: string) =>
    t.equal(rangeText({ from, to }, reading), expected)

  says('now-1h', 'now', 'Last 1 h')
  says('now-7d', 'now', 'Last 7 d')
  says('now-24h', 'now', 'Last 24 h')
  says('now-90m', 'now', 'Last 1 h 30 m')
  says('now-2h', 'now-1h', 'now-2h – now-1h')
  says('2026-11-20 13:00', '2026-11-20 14:00', '20 Nov 13:00 – 14:00')
  says('2026-11-19 13:00', '2026-11-20 14:00', '19 Nov 13:00 – 20 Nov 14:00')
  says('2025-11-20 13:00', '2025-11-20 14:00:05', '20 Nov 2025 13:00 – 14:00:05')
  says('2026-11-20 14:00:00', '2026-11-20 14:04:59.999', '20 Nov 14:00 – 14:05')
  says('2026-11-20', '2026-11-20', '20 Nov 00:00 – 21 Nov 00:00')
  says('2026-11-20 14:00:01.25', '2026-11-20 14:00:02.5', '20 Nov 14:00:01.250 – 14:00:02.500')
  says('2026-11-20 13:00:10.483', '2026-11-20 14:00:10.482', '20 Nov 13:00:10 – 14:00:10')
  says('2026-11-20 13:00:05.250', '2026-11-20 14:00:05.999', '20 Nov 13:00:05 – 14:00:06')
  says('2026-11-20 13:00', '2026-11-20 13:59:59.999', '20 Nov 13:00 – 14:00')
  says('2026-11-20 13:00:05.250', '2026-11-20 13:00:07', '20 Nov 13:00:05.250 – 13:00:07')
  says('2025-11-20 13:00', 'soon', '2025-11-20 13:00 – soon')
})

t.test('relative ranges are told from absolute ones', async t => {
  t.ok(isRelative({ from: 'now-1h', to: 'now' }))
  t.ok(isRelative({ from: '2h', to: 'now-1h' }))
  t.notOk(isRelative({ from: '2026-11-20', to: 'now' }))
})

t.test('durations are said as one says them', async t => {
  t.equal(durationWords(0), '0 ms')
  t.equal(durationWords(5_000), '5 s')
  t.equal(durationWords(86_400_000), '24 h')
  t.equal(durationWords(90_000_000), '1 d 1 h')
})

t.test('ranges follow one another without a gap and without an overlap', async () => {
  const reading = { now: 1_800_000_000_000, zone: 'utc' as const }
  const time = fc.integer({ min: 1_700_000_000_000, max: 1_750_000_000_000 })
  fc.assert(
    fc.property(time, fc.nat({ max: 1e10 }), (startTime, length) => {
      const range = rangeOf({ startTime, endTime: startTime + length })
      const earlier = shiftedRange(range, -1, reading)!
      const times = resolveRange(earlier, reading)
      assert.deepEqual(times, {
        ok: true,
        startTime: startTime - length - 1,
        endTime: startTime - 1,
      })
      assert.deepEqual(shiftedRange(earlier, 1, reading), range)
    }),
  )
})

t.test('behind now there is no range, and before the first time neither', async t => {
  const reading = { now: 1_800_000_000_000, zone: 'utc' as const }
  const hasNone = (range: { from: string; to: string }, direction: -1 | 1) =>
    t.equal(shiftedRange(range, direction, reading), undefined, `${range.from} ${direction}`)

  hasNone({ from: 'now-1h', to: 'now' }, 1)
  hasNone({ from: 'nonsense', to: 'now' }, -1)
  hasNone(rangeOf({ startTime: -8.64e15, endTime: 0 }), -1)
  t.ok(shiftedRange({ from: 'now-2h', to: 'now-1h' }, 1, reading))
})

t.test('a whole range is read from one line', async t => {
  const reads = (text: string, from: string, to: string) => {
    const range = typedRange(text, reading)
    t.ok(range, text)
    const resolved = resolveRange(range!, reading)
    const times = { startTime: Date.parse(from), endTime: Date.parse(to) }
    t.same(resolved, { ok: true, ...times }, text)
  }
  reads('now-2h to now-1h', '2026-11-20T12:03:22.118Z', '2026-11-20T13:03:22.118Z')
  reads('now-2h – now-1h', '2026-11-20T12:03:22.118Z', '2026-11-20T13:03:22.118Z')
  reads('14:00–15:00', '2026-11-20T14:00:00Z', '2026-11-20T15:00:00Z')
  reads('14:00-15:00', '2026-11-20T14:00:00Z', '2026-11-20T15:00:00Z')
  reads('14:00 - 15:30:10', '2026-11-20T14:00:00Z', '2026-11-20T15:30:10Z')
  reads('today', '2026-11-20T00:00:00Z', '2026-11-20T14:03:22.118Z')
  reads('Yesterday', '2026-11-19T00:00:00Z', '2026-11-19T23:59:59.999Z')
  reads('yesterday 10:00 to 11:00', '2026-11-19T10:00:00Z', '2026-11-19T11:00:00Z')
  reads('2026-11-18', '2026-11-18T00:00:00Z', '2026-11-18T23:59:59.999Z')
  reads('2026-11-18 to 2026-11-19', '2026-11-18T00:00:00Z', '2026-11-19T23:59:59.999Z')
  reads('2026-11-18 14:00–15:00', '2026-11-18T14:00:00Z', '2026-11-18T15:00:00Z')
  reads('2026-11-18T14:00:00-02:00', '2026-11-18T16:00:00Z', '2026-11-20T14:03:22.118Z')
  reads('last 2h', '2026-11-20T12:03:22.118Z', '2026-11-20T14:03:22.118Z')
  reads('9:00', '2026-11-20T09:00:00Z', '2026-11-20T14:03:22.118Z')
  for (const text of ['', 'soon', '15:00–14:00', '1 to 2 to 3', '2026-11-18 to soon', 'to now']) {
    t.equal(typedRange(text, reading), undefined, text)
  }
  t.same(typedRange('today', reading), { from: 'today', to: 'now' }, 'which moves on with time')
  t.ok(isRelative({ from: 'yesterday', to: 'yesterday' }))
  t.equal(rangeText({ from: 'today', to: 'now' }, reading), 'Today')
})

t.test('any two moments are read as a range, in every zone', async () => {
  const forms = fc.constantFrom(' to ', ' - ', '–', ' – ')
  const time = fc.integer({ min: 0, max: now })
  fc.assert(
    fc.property(time, time, forms, fc.constantFrom('utc', 'local'), (a, b, between, zone) => {
      const [startTime, endTime] = [Math.min(a, b), Math.max(a, b)]
      const text = [startTime, endTime].map(one => dateTimeText(one, zone)).join(between)
      const range = typedRange(text, { now, zone })
      assert.ok(range, text)
      assert.deepEqual(resolveRange(range, { now, zone }), { ok: true, startTime, endTime })
    }),
  )
})
