/**
 * What happens in the shop without a customer: deploys, good and bad, and what services do every few
 * minutes. A function of the time alone, like the deploys.
 */
import { minuteMs } from '../time-units.ts'
import { makeChance } from './chance.ts'
import { type Deploy, deploysBetween } from './deploys.ts'
import type { DemoEvent, Level } from './event.ts'
import { burstOf } from './rhythm.ts'
import { hosts, type ServiceName, shopEnvironment, warehouses } from './shop.ts'

/** No deploy logs anything later than this after it began. */
const deployTailMs = 15 * minuteMs

/** Times are Unix ms; `startTime` is included, `endTime` is not. In no particular order. */
export function choresBetween(startTime: number, endTime: number): DemoEvent[] {
  const events: DemoEvent[] = []
  for (const deploy of deploysBetween(startTime - deployTailMs, endTime)) {
    events.push(...storyOf(deploy))
  }
  for (let at = Math.floor(startTime / minuteMs) * minuteMs; at < endTime; at += minuteMs) {
    events.push(...everyMinute(at))
  }
  return events.filter(({ time }) => startTime <= time && time < endTime)
}

function storyOf({ service, version, versionBefore, time, incident }: Deploy): DemoEvent[] {
  const say = (time: number, level: Level, message: string, more: object = {}) =>
    event(service, time, level, message, { deploy: { version, from: versionBefore }, ...more })
  const begin = say(
    time,
    'info',
    `deploy of ${service} ${version} begun, replacing ${versionBefore}`,
  )
  if (incident === undefined) {
    return [begin, say(time + 45_000, 'info', `deploy of ${service} ${version} complete`)]
  }
  const { endTime } = incident
  const alarm = 'error rate above 10 % for 2 minutes'
  const firing = { alert: { name: 'HighErrorRate', state: 'firing' } }
  const resolved = { alert: { name: 'HighErrorRate', state: 'resolved' } }
  return [
    begin,
    say(time + 50_000, 'info', `deploy of ${service} ${version} complete`),
    event('gateway', time + 140_000, 'warn', `${alarm}: upstream ${service} ${version}`, firing),
    say(endTime - 60_000, 'fatal', `${service} ${version} stopped: readiness failed 6 times`),
    say(endTime, 'warn', `rolling ${service} back from ${version} to ${versionBefore}`),
    say(endTime + 40_000, 'info', `${service} ${versionBefore} serves all traffic again`),
    event(
      'gateway',
      endTime + 100_000,
      'info',
      `error rate of ${service} is back to normal`,
      resolved,
    ),
  ]
}

function everyMinute(minute: number): DemoEvent[] {
  const number = minute / minuteMs
  const chance = makeChance(number * 15_485_863)
  const events: DemoEvent[] = []
  const say = (service: ServiceName, level: Level, message: string, more: object = {}) =>
    events.push(event(service, minute + chance.between(0, 59_999), level, message, more))

  const refreshMs = chance.skewed(700)
  const documents = chance.between(20, 900)
  const refreshed = { duration_ms: refreshMs, documents }
  say('search', 'debug', `index refreshed: ${documents} documents in ${refreshMs} ms`, refreshed)
  if (number % 5 === 0) {
    const warehouse = chance.pick(warehouses)
    const items = chance.between(900, 4_000)
    say('inventory', 'info', `stock feed of ${warehouse}: ${items} items`, { warehouse, items })
  }
  if (number % 15 === 7) {
    const payouts = chance.between(40, 260)
    say('payments', 'info', `settlement batch closed with ${payouts} payouts`, { payouts })
  }
  if (chance.happens(0.5)) {
    const parcels = chance.between(1, 40)
    const about = { template: 'shipping_notice', recipients: parcels }
    say('mailer', 'info', `sent ${parcels} shipping notices`, about)
  }
  if (chance.happens(0.08)) {
    const pauseMs = chance.between(180, 900)
    say('checkout', 'warn', `event loop was blocked for ${pauseMs} ms`, { duration_ms: pauseMs })
  }
  const burst = burstOf(minute)
  if (burst !== undefined && minute <= burst.startTime && burst.startTime < minute + minuteMs) {
    const recipients = chance.between(8_000, 40_000)
    say('mailer', 'info', `campaign sent to ${recipients} customers`, { recipients })
  }
  return events
}

function event(
  service: ServiceName,
  time: number,
  level: Level,
  message: string,
  more: object,
): DemoEvent {
  const attributes = { host: hosts[service][0], ...more }
  return { service, environment: shopEnvironment, time, level, message, attributes }
}
