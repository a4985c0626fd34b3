/**
 * Log records for the benchmarks, made from a seed: the same seed gives the same records.
 *
 * 16 services in 2 environments, 4 levels, more than 200 message templates (`templates/`) with varied
 * numbers and ids, stack traces, text that is not ASCII; a random trace id, 40 hosts, a duration, an
 * HTTP status. About 330 bytes of JSON each. Times are spread evenly over a range with a little
 * jitter, so that they arrive almost in order, as in real life: a day for each 2,000,000 records, or
 * one day for fewer.
 *
 *     node bench/records.ts --count 1000 --seed 1 [--labels] [--from FILE…] > records.ndjson
 *
 * `--labels` adds service and environment to each record, for receivers that have no tokens. With
 * `--from` the messages are lines of real logs, see `messages.ts`.
 */

import { once } from 'node:events'
import { hourMs } from '../src/time-units.ts'
import { makeMessages } from './messages.ts'
import { needles } from './needles.ts'
import { readLines, readOptions } from './options.ts'
import { makeRandom, makeWeightedPick } from './random.ts'
import { services, streams, streamWeights } from './streams.ts'
import { hosts } from './templates/slots.ts'
import { type Level, levels } from './templates/template.ts'

export interface RecordOptions {
  readonly seed: number
  readonly count: number
  /** Lines of files that become the messages (`messages.ts`); otherwise messages are made. */
  readonly from?: readonly (readonly string[])[]
  /** Unix ms of the first and of the end of the last record; default: `timeOf`. */
  readonly startTime?: number
  readonly endTime?: number
  /** One record has the known trace id; default: true. */
  readonly isPlanted?: boolean
}

export interface MadeRecord {
  /** Index into `streams`. */
  readonly stream: number
  readonly timestamp: number
  readonly level: Level
  readonly host: string
  readonly status: number
  readonly durationMs: number
  readonly traceId: string
  readonly message: string
  /** The event as it is sent, without a line end: JSON on one line. */
  readonly json: string
}

export const defaultStartTime = Date.UTC(2026, 10, 19, 6)
const recordsPerDay = 2_000_000

/** From when to when so many records are by default: whole hours, 24 at least. */
export function timeOf(count: number): { readonly startTime: number; readonly endTime: number } {
  const hours = Math.max(24, Math.ceil((count / recordsPerDay) * 24))
  return { startTime: defaultStartTime, endTime: defaultStartTime + hours * hourMs }
}

const levelWeights: Readonly<Record<Level, number>> = { debug: 10, info: 76, warn: 9, error: 5 }
/** 14.3 % of the records have one status: the attribute that `bench/query.ts` looks for. */
const statusWeights = { 200: 62, 201: 8, 204: 4, 304: 14.3, 404: 7, 429: 1.7, 500: 2, 503: 1 }
/** The real lines are asked for 500, as the peers were. */
const lineStatusWeights = { ...statusWeights, 304: 2, 500: 14.3 }
const statuses = Object.keys(statusWeights).map(Number)
const methods = ['GET', 'GET', 'GET', 'POST', 'PUT']
/** Where among the records the one with the known trace id stands. */
export const plantedShare = 0.6
/** Events of one machine pass through several queues, and arrive a little out of order. */
const jitterMs = 50

export function* makeRecords(options: RecordOptions): Generator<MadeRecord, void, undefined> {
  const { seed, count, from, isPlanted = true } = options
  const { startTime, endTime } = { ...timeOf(count), ...options }
  const random = makeRandom(seed)
  const pickStream = makeWeightedPick(random, streamWeights)
  const pickLevel = makeWeightedPick(
    random,
    levels.map(name => levelWeights[name]),
  )
  const pickStatus = makeWeightedPick(
    random,
    Object.values(from === undefined ? statusWeights : lineStatusWeights),
  )
  const nextMessage = makeMessages(random, from)
  const stepMs = (endTime - startTime) / count
  const plantedIndex = isPlanted ? Math.floor(count * plantedShare) : undefined

  for (let index = 0; index < count; index++) {
    const stream = pickStream()
    const level = levels[pickLevel()]!
    const service = services[stream >>> 1]!
    const message = nextMessage(stream >>> 1, level)
    const jittered = Math.floor(startTime + index * stepMs + random.unit() * jitterMs)
    const timestamp = Math.min(jittered, endTime - 1)
    const host = random.pick(hosts)
    const status = statuses[pickStatus()]!
    const made = random.hex(32)
    const traceId = index === plantedIndex ? needles.traceId : made
    const logger = random.pick(service.loggers)
    const durationMs = random.skewedBelow(200_000) / 100

    const json =
      `{"ts":${timestamp},"level":"${level}","message":${JSON.stringify(message)}` +
      `,"trace_id":"${traceId}","host":"${host}","duration_ms":${durationMs}` +
      `,"http":{"status":${status},"method":"${random.pick(methods)}"},"logger":"${logger}"` +
      `,"thread":"worker-${random.below(16)}","version":"4.${stream}.${index % 3}"}`
    yield { stream, timestamp, level, host, status, durationMs, traceId, message, json }
  }
}

/** The record as one NDJSON line with its stream's names in it. */
export function labelledLine(record: MadeRecord): string {
  const { service, environment } = streams[record.stream]!
  return `{"service":"${service}","env":"${environment}",${record.json.slice(1)}\n`
}

async function printRecords(): Promise<void> {
  const { count, seed, labels, files } = readOptions({
    integers: { count: 1_000, seed: 1 },
    switches: ['labels'],
    takesPositionals: true,
  })
  const options = { seed, count, ...(files.length > 0 && { from: readLines(files) }) }

  process.stdout.on('error', error => {
    if ('code' in error && error.code === 'EPIPE') {
      process.exit(0) // The reader has enough (`| head`).
    }
    throw error
  })
  let pending = ''
  for (const record of makeRecords(options)) {
    pending += labels ? labelledLine(record) : `${record.json}\n`
    if (pending.length >= 65_536) {
      const hasRoom = process.stdout.write(pending)
      pending = ''
      if (!hasRoom) {
        await once(process.stdout, 'drain')
      }
    }
  }
  process.stdout.write(pending)
}

if (import.meta.main) {
  await printRecords()
}
