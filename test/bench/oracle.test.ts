/** The oracle decides what is right, so it is held against the plainest way of counting there is. */

import t from 'tap'
import { needles } from '../../bench/needles.ts'
import { Oracle } from '../../bench/oracle.ts'
import { defaultStartTime, type MadeRecord, makeRecords } from '../../bench/records.ts'
import { streams } from '../../bench/streams.ts'
import { hourMs } from '../../src/time-units.ts'

const count = 20_000
const oracle = new Oracle({ recordsMax: count, keepsMessages: true })
const records = [...oracle.watch(makeRecords({ seed: 3, count }))]

const ranges = {
  'all times': { startTime: 0, endTime: Number.MAX_SAFE_INTEGER },
  'six hours': {
    startTime: defaultStartTime + 12 * hourMs,
    endTime: defaultStartTime + 18 * hourMs,
  },
  'one record’s time': { startTime: records[7]!.timestamp, endTime: records[7]!.timestamp },
  'no time with records': { startTime: 0, endTime: defaultStartTime - 1 },
}

for (const [name, range] of Object.entries(ranges)) {
  const inRange = records.filter(
    ({ timestamp }) => range.startTime <= timestamp && timestamp <= range.endTime,
  )
  const truth = oracle.over(range)
  const countOf = (matches: (record: MadeRecord) => boolean) => inRange.filter(matches).length

  t.test(`${name}: counts are those of the records`, async t => {
    t.equal(
      truth.count(() => true),
      inRange.length,
    )
    t.equal(
      truth.count(({ level, status }) => level === 'info' && status === 304),
      countOf(({ level, status }) => level === 'info' && status === 304),
    )
    const holding = (text: string) => countOf(({ message }) => message.includes(text))
    t.equal(
      truth.count(({ holds }) => holds('phrase')),
      holding(needles.phrase),
    )
    t.equal(
      truth.count(({ holds }) => holds('substring')),
      holding(needles.substring),
    )
    t.equal(
      truth.count(({ holds }) => holds('digits')),
      holding(needles.digits),
    )
    t.equal(
      truth.count(({ holds }) => holds('nowhere')),
      0,
    )
    t.equal(
      truth.count(({ holds }) => holds('regex')),
      countOf(({ message }) => new RegExp(needles.regex).test(message)),
    )
    t.equal(
      truth.count(({ holds }) => holds('traceId')),
      countOf(({ json }) => json.includes(needles.traceId)),
    )
    t.equal(
      truth.count(({ holds }) => !holds('word')),
      inRange.length - holding(needles.word),
    )
    t.equal(
      truth.count(({ holds }) => holds('ending')),
      countOf(({ message }) => new RegExp(needles.ending).test(message)),
    )
  })

  t.test(`${name}: groups are those of the records`, async t => {
    const expected = Map.groupBy(inRange, ({ stream, host }) => {
      const { service, environment } = streams[stream]!
      return `${service}/${environment}/${host}`
    })
    const counts = truth.countBy(
      ({ service, environment, host }) => `${service}/${environment}/${host}`,
    )
    t.same([...counts].sort(), [...expected].map(([key, { length }]) => [key, length]).sort())
  })

  t.test(`${name}: the earliest and the latest are in order of time`, async t => {
    const times = inRange.map(({ timestamp }) => timestamp).sort((a, b) => a - b)
    t.same(
      truth.earliest(50, () => true),
      times.slice(0, 50),
    )
    t.same(
      truth.latest(50, () => true),
      times.toReversed().slice(0, 50),
    )
  })

  t.test(`${name}: quantiles of durations are those of the records`, async t => {
    const byLevel = Map.groupBy(inRange, ({ level }) => level)
    const quantiles = truth.durationQuantiles(0.95, ({ level }) => level)
    t.same([...quantiles.keys()].sort(), [...byLevel.keys()].sort())
    for (const [level, ofLevel] of byLevel) {
      const durations = ofLevel.map(({ durationMs }) => durationMs).sort((a, b) => a - b)
      const rank = 0.95 * (durations.length - 1)
      const [lower, upper] = [durations[Math.floor(rank)]!, durations[Math.ceil(rank)]!]
      const seen = quantiles.get(level)!
      t.ok(Math.abs(seen - (lower + (upper - lower) * (rank % 1))) < 1e-9, level)
    }
  })

  t.test(`${name}: trace ids are known, each in its time`, async t => {
    const times = new Map(records.map(({ traceId, timestamp }) => [traceId, timestamp]))
    const traced = truth.traced()
    t.ok(traced.every(({ traceId, timestamp }) => times.get(traceId) === timestamp))
    t.ok(traced.every(({ timestamp }) => range.startTime <= timestamp))
    t.ok(traced.every(({ timestamp }) => timestamp <= range.endTime))
    if (name === 'all times') t.equal(new Set(traced.map(({ traceId }) => traceId)).size, 256)
  })
}

t.test('messages are kept one after another', async t => {
  const text = records.map(({ message }) => `${message}\n`).join('')
  t.ok(oracle.messages.equals(Buffer.from(text)))
})

t.test('more records than were announced are refused', async t => {
  const small = new Oracle({ recordsMax: 5, keepsMessages: false })
  t.throws(() => [...small.watch(records)], /more records/)
})
