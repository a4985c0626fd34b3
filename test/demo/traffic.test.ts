import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { conditionOf, type Deploy, deploysBetween } from '../../src/demo/deploys.ts'
import { type DemoEvent, eventLine, timeField } from '../../src/demo/event.ts'
import { services, shopEnvironment, stagingEnvironment } from '../../src/demo/shop.ts'
import { Traffic } from '../../src/demo/traffic.ts'
import { parseEvent } from '../../src/ingest/json.ts'
import { normalise } from '../../src/ingest/normalise.ts'
import { hourMs } from '../../src/time-units.ts'
import { forAll } from '../for-all.ts'

const startTime = Date.UTC(2026, 10, 20, 9)
const hours = (count: number) =>
  new Traffic({ seed: 7, startTime }).until(startTime + count * hourMs)
const isError = ({ level }: DemoEvent) => level === 'error' || level === 'fatal'

t.test('the same seed gives the same traffic, however it is asked for', async () => {
  const whole = new Traffic({ seed: 7, startTime }).until(startTime + 120_000)
  assert.ok(whole.length > 300)
  const cuts = fc.array(fc.integer({ min: 0, max: 120_000 }), { maxLength: 12 })
  forAll({ numRuns: 20 }, cuts, cuts => {
    const traffic = new Traffic({ seed: 7, startTime })
    const ends = [...cuts.sort((a, b) => a - b), 120_000]
    const parts = ends.flatMap(end => traffic.until(startTime + end))
    assert.deepEqual(parts.map(eventLine).sort(), whole.map(eventLine).sort())
  })
  const other = new Traffic({ seed: 8, startTime }).until(startTime + 120_000)
  assert.notDeepEqual(other.map(eventLine), whole.map(eventLine))
})

t.test('events come in order of time, each within what was asked for', async t => {
  const events = hours(1)
  t.ok(events.every(({ time }) => startTime <= time && time < startTime + hourMs))
  t.ok(events.every(({ time }, index) => index === 0 || events[index - 1]!.time <= time))
  t.ok(events.every(({ time }) => Number.isInteger(time)))
})

t.test('every service and level occurs, at a rate that a first look can follow', async t => {
  const events = hours(4)
  t.same([...new Set(events.map(({ service }) => service))].sort(), [...services].sort())
  const levels = new Set(events.map(({ level }) => level))
  t.same([...levels].sort(), ['debug', 'error', 'fatal', 'info', 'warn'])
  const environments = new Set(events.map(({ environment }) => environment))
  t.same([...environments].sort(), [shopEnvironment, stagingEnvironment])
  const perSecond = events.length / (4 * 3_600)
  t.ok(4 < perSecond && perSecond < 30, `${perSecond} events/s`)
})

t.test('every event is JSON that is ingested with its own time, level and message', async () => {
  for (const event of hours(0.2)) {
    const record = normalise(parseEvent(Buffer.from(eventLine(event))), {
      receivedAt: 0,
      timestampField: timeField,
    })
    assert.equal(record.timestamp, event.time)
    assert.equal(record.level, event.level)
    assert.equal(record.message, event.message)
    assert.doesNotMatch(record.message, /NaN|\[object|undefined(?! \(reading)/)
  }
})

t.test('a trace id joins the services of one request, and of no other', async t => {
  const traces = new Map<unknown, DemoEvent[]>()
  for (const event of hours(0.5)) {
    const id = event.attributes.trace_id
    if (id !== undefined) traces.set(id, [...(traces.get(id) ?? []), event])
  }
  t.ok(traces.size > 1_000)
  const reach = (events: DemoEvent[]) => new Set(events.map(({ service }) => service)).size
  t.ok(
    [...traces.values()].some(events => reach(events) >= 4),
    'a purchase reaches four',
  )
  for (const events of traces.values()) {
    const customers = new Set(events.map(({ attributes }) => JSON.stringify(attributes.customer)))
    assert.equal(customers.size, 1)
    assert.ok(events.filter(({ service }) => service === 'gateway').length <= 2)
  }
})

t.test('a bad deploy shows: errors and durations rise until it is rolled back', async t => {
  const bad = deploysBetween(startTime, startTime + 12 * hourMs).filter(
    (deploy): deploy is Deploy & { incident: object } =>
      deploy.incident !== undefined && deploy.service !== 'mailer',
  )
  t.ok(bad.length >= 5)
  for (const { service, version, versionBefore, time, incident } of bad.slice(0, 5)) {
    const quiet = new Traffic({ seed: 3, startTime: time - 300_000 }).until(time)
    const loud = new Traffic({ seed: 3, startTime: time + 30_000 }).until(incident.endTime)
    const share = (events: DemoEvent[]) => {
      const own = events.filter(event => event.service === service)
      return own.filter(isError).length / own.length
    }
    t.ok(share(quiet) < 0.08, `${service} before: ${share(quiet)}`)
    t.ok(share(loud) > 0.15, `${service} meanwhile: ${share(loud)}`)
    t.equal(conditionOf(service, time - 1).version, versionBefore)
    t.equal(conditionOf(service, time + 60_000).version, version)
    t.equal(conditionOf(service, incident.endTime + 60_000).version, versionBefore)
    const messages = loud.map(({ message }) => message)
    t.ok(messages.some(message => message.includes('deploy of') && message.includes('complete')))
  }
})

t.test('whenever the demo begins, its past has a bad deploy', async () => {
  forAll(fc.integer({ min: 1.7e12, max: 1.9e12 }), now => {
    const past = deploysBetween(now - 4 * hourMs, now)
    assert.ok(past.some(({ incident }) => incident !== undefined))
  })
})
