/**
 * What is deployed when, and which deploys go wrong. A function of the time alone: each 40 minutes one
 * service gets a new version, and every other time that version is bad: its errors and durations rise
 * within half a minute, stay so for some minutes, and end with the roll-back.
 */
import { minuteMs } from '../time-units.ts'
import { makeChance } from './chance.ts'
import { type ServiceName, services } from './shop.ts'

const slotMs = 40 * minuteMs
/** Time in which a bad version takes over, and in which the old one comes back. */
const rampMs = 30_000

/** What is wrong with a bad version. */
export const faults = ['pool-exhausted', 'null-price', 'slow-calls'] as const
export type Fault = (typeof faults)[number]

export interface Deploy {
  readonly service: ServiceName
  readonly version: string
  readonly versionBefore: string
  readonly time: number
  /** Undefined when all goes well. */
  readonly incident: { readonly fault: Fault; readonly endTime: number } | undefined
}

/** The deploys that begin in a time range (Unix ms, both inclusive), in order. */
export function deploysBetween(startTime: number, endTime: number): Deploy[] {
  const deploys: Deploy[] = []
  for (let slot = Math.floor(startTime / slotMs); slot * slotMs <= endTime; slot += 1) {
    const deploy = deployOf(slot)
    if (startTime <= deploy.time && deploy.time <= endTime) deploys.push(deploy)
  }
  return deploys
}

/** How things stand with a service at `time`. */
export interface Condition {
  readonly version: string
  readonly fault: Fault | undefined
  /** How much of its traffic the bad version has, 0 to 1; 0 without a fault. */
  readonly severity: number
}

/**
 * What runs of a service at `time`, ms since 1970: its version, and how ill it is since its last deploy.
 */
export function conditionOf(service: ServiceName, time: number): Condition {
  const slot = Math.floor(time / slotMs)
  for (let before = 0; before <= 2 * services.length; before += 1) {
    const deploy = deployOf(slot - before)
    if (deploy.service === service && deploy.time <= time) return conditionAfter(deploy, time)
  }
  throw new Error(`BUG: no deploy of ${service} in ${2 * services.length} slots`)
}

function conditionAfter({ version, versionBefore, time: start, incident }: Deploy, time: number) {
  if (incident === undefined) return { version, fault: undefined, severity: 0 }
  const { fault, endTime } = incident
  const rising = Math.min(1, (time - start) / rampMs)
  const falling = Math.min(1, Math.max(0, 1 - (time - endTime) / rampMs))
  const severity = Math.min(rising, falling)
  if (severity === 0) return { version: versionBefore, fault: undefined, severity }
  return { version: time < endTime ? version : versionBefore, fault, severity }
}

const known = new Map<number, Deploy>()

/** Kept, because every request asks for six of them. */
function deployOf(slot: number): Deploy {
  const found = known.get(slot)
  if (found !== undefined) return found
  if (known.size > 100) known.clear()
  const deploy = makeDeploy(slot)
  known.set(slot, deploy)
  return deploy
}

function makeDeploy(slot: number): Deploy {
  const chance = makeChance(slot * 104_729)
  // Bad ones go through all services in turn, good ones too, half a round apart.
  const isBad = slot % 2 !== 0
  const round = Math.floor(slot / 2)
  const half = services.length / 2
  const service = services[(isBad ? round : round + half) % services.length]!
  const time = slot * slotMs + chance.between(6, 26) * minuteMs + chance.between(0, 59) * 1_000
  const endTime = time + chance.between(5 * 60, 10 * 60) * 1_000
  return {
    service,
    version: `3.${round % 1_000}.${isBad ? 1 : 0}`,
    // The service's last good one.
    versionBefore: `3.${(round - (isBad ? 1 : 2) * half) % 1_000}.0`,
    time,
    incident: isBad ? { fault: chance.pick(faults), endTime } : undefined,
  }
}
