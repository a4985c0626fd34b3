/** Sends random events in every way in which they can come, and notes what must be stored. */
import assert from 'node:assert/strict'
import { gzipSync } from 'node:zlib'
import { makeRandom, type Random } from '../../bench/random.ts'
import type { ServiceProcess } from '../service/service-process.ts'
import { type RandomEvent, timeField } from './events.ts'
import type { StoredRecord } from './questions.ts'

/** What was sent: all but the time of an event without one of its own is known beforehand. */
export interface SentRecord extends Omit<StoredRecord, 'timestamp'> {
  readonly timestamp: number | undefined
  /** Unix times in ms between which the event was received. */
  readonly sentAt: number
  readonly answeredAt: number
}

interface Sender {
  readonly token: string
  readonly service: string
  readonly environment: string
}

export async function makeSenders(service: ServiceProcess): Promise<Sender[]> {
  const streams = [
    ['api', 'prod'],
    ['api', 'staging'],
    ['api-gateway', 'prod'],
    ['würfel 😀', 'prod/eu'],
  ] as const
  return Promise.all(
    streams.map(async ([name, environment]) => ({
      token: await service.makeToken(name, environment),
      service: name,
      environment,
    })),
  )
}

/** Sends one after the other; the order of the result is that of arrival. */
export async function sendAll(
  service: ServiceProcess,
  senders: readonly Sender[],
  events: readonly RandomEvent[],
  seed: number,
): Promise<SentRecord[]> {
  const random = makeRandom(seed)
  const sent: SentRecord[] = []
  for (let i = 0; i < events.length; ) {
    const group = events.slice(i, i + 1 + (random.below(2) === 0 ? 0 : random.below(60)))
    const sender = random.pick(senders)
    const sentAt = Date.now()
    await post(service, sender, group, random)
    const answeredAt = Date.now()
    sent.push(...group.map(event => ({ ...recordFrom(event, sender), sentAt, answeredAt })))
    i += group.length
  }
  return sent
}

async function post(
  service: ServiceProcess,
  { token }: Sender,
  group: readonly RandomEvent[],
  random: Random,
): Promise<void> {
  const isOne = group.length === 1 && random.below(4) > 0
  const text = isOne ? group[0]!.json : together(group, random)
  const isPacked = random.below(4) === 0
  const answer = await service.call(
    'POST',
    `/api/v1/webhook/event/log${isOne ? '' : 's'}?timestamp_field=${timeField}`,
    {
      token,
      body: isPacked ? gzipSync(text) : text,
      ...(isPacked && { headers: { 'content-encoding': 'gzip' } }),
    },
  )
  assert.equal(answer.status, 200, `${JSON.stringify(answer.body)} for ${text}`)
  assert.equal(answer.body.accepted, group.length, `${JSON.stringify(answer.body)} for ${text}`)
}

/** As an array, or as values put one behind the other. A lone array would be taken for a list. */
function together(group: readonly RandomEvent[], random: Random): string {
  const texts = group.map(({ json }) => json)
  const isList = texts[0]!.trimStart().startsWith('[') || random.below(2) === 0
  return isList ? `[${texts.join()}]` : texts.join('\n')
}

function recordFrom({ expected }: RandomEvent, { service, environment }: Sender) {
  const attributes = new Map([
    ['service.name', service],
    ['environment', environment],
    ...expected.attributes,
  ])
  return { ...expected, attributes }
}
