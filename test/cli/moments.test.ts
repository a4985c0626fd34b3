import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { moment, type RangeOptions, readRange } from '../../src/cli/moments.ts'
import { minuteMs } from '../../src/time-units.ts'

const nowMs = Date.parse('2026-11-20T12:00:00Z')

/** The start of the range that begins at the time which `text` means. */
function read(text: string): number | undefined {
  const from = moment().read(text)
  return from && readRange({ from, sinceMs: undefined, to: undefined }, nowMs)?.startTime
}

t.test('times are read in every form in which people write them', async t => {
  const reads = (text: string, iso: string) => t.equal(read(text), Date.parse(iso), text)

  reads('2026-11-20T09:30:00Z', '2026-11-20T09:30:00Z')
  reads('2026-11-20T10:30:00.5+01:00', '2026-11-20T09:30:00.500Z')
  reads('2026-11-20 09:30:00Z', '2026-11-20T09:30:00Z')
  reads('1795167000000', '2026-11-20T09:30:00Z')
  reads('1795167000', '2026-11-20T09:30:00Z')
  reads('0', '1970-01-01T00:00:00Z')
  reads('now', '2026-11-20T12:00:00Z')
  reads('now-15m', '2026-11-20T11:45:00Z')
  reads('15m', '2026-11-20T11:45:00Z')
  reads('1h30m', '2026-11-20T10:30:00Z')
  reads('7d', '2026-11-13T12:00:00Z')
})

t.test('what is no time is not guessed', async t => {
  for (const text of [
    '',
    'yesterday',
    '15',
    '20261120',
    '-15m',
    'now+15m',
    'now-',
    '2026-11-20',
    '2026-11-20T09:30:00',
    '2026-02-30T00:00:00Z',
    '15 m',
  ]) {
    t.equal(read(text), undefined, JSON.stringify(text))
  }
})

t.test('what a moment prints, it reads back', async () => {
  const moments = fc.oneof(
    fc.integer({ min: 1, max: 3e12 }).map(agoMs => ({ agoMs })),
    fc.integer({ min: 0, max: 4e12 }).map(atMs => ({ atMs })),
  )
  const kind = moment()
  fc.assert(fc.property(moments, value => assert.deepEqual(kind.read(kind.print(value)), value)))
})

t.test('a range needs to be one', async t => {
  const at = (iso: string) => ({ atMs: Date.parse(iso) })
  const none: RangeOptions = { sinceMs: undefined, from: undefined, to: undefined }
  const gives = (options: Partial<RangeOptions>, expected: unknown) =>
    t.same(readRange({ ...none, ...options }, nowMs), expected)
  const refuses = (options: Partial<RangeOptions>, source: string) =>
    t.throws(() => readRange({ ...none, ...options }, nowMs), { name: 'ConfigError', source })

  gives({}, undefined)
  gives({ sinceMs: minuteMs }, { startTime: nowMs - minuteMs, endTime: nowMs })
  gives({ from: { agoMs: minuteMs } }, { startTime: nowMs - minuteMs, endTime: nowMs })
  gives({ from: { agoMs: 0 }, to: { agoMs: 0 } }, { startTime: nowMs, endTime: nowMs })
  refuses({ to: { agoMs: 0 } }, '--to')
  refuses({ sinceMs: 1, from: { agoMs: 1 } }, '--since')
  refuses({ from: at('2026-11-20T09:00:00Z'), to: at('2026-11-20T08:59:59Z') }, '--from')
  refuses({ from: at('2026-11-21T09:00:00Z') }, '--from')
})
