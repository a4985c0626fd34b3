/** A stream of the forward protocol, damaged: in whatever pieces it comes, the same is found, or it ends. */
import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import type { Random } from '../../bench/random.ts'
import { formats } from '../../src/ingest/formats/formats.ts'
import { UnreadableStream } from '../../src/listen/framing/framer.ts'
import { GatheredIntake } from '../../src/listen/gathered-intake.ts'
import { forwardProtocol } from '../../src/listen/protocols/forward.ts'
import { ProblemError } from '../../src/problems.ts'
import { eventTime, messageOf, modes, pack } from '../listen/forward-messages.ts'
import { isRecord } from './events.ts'
import { usualEventText } from './json-texts.ts'
import { mutate } from './mutate.ts'
import { piecesOf } from './syslog.ts'
import type { FuzzTarget } from './target.ts'

const batchBytesMax = 64 * 1024
const protocol = forwardProtocol({ batchBytesMax, forwardSharedKey: undefined })
const times = [eventTime(1_795_212_855, 1), pack(1_795_212_855), pack(1.5e9), pack(-1)]

export const forwardStream: FuzzTarget = {
  tryOne(random) {
    const messages = Array.from({ length: 1 + random.below(3) }, () => messageFrom(random))
    const whole = Buffer.concat(messages)
    const isWhole = random.below(4) === 0
    const stream = isWhole ? whole : mutate(whole, random)
    const atOnce = outcomeOf([stream])
    if (isWhole) assert.ok(atOnce.outcome.isReadable && atOnce.bodies.length >= messages.length)
    const { outcome } = outcomeOf(piecesOf(stream, random))
    assert.ok(isDeepStrictEqual(outcome, atOnce.outcome), 'pieces make a difference')
    atOnce.bodies.forEach(readAll)
  },
}

/** The packer of these tests would call what has this name. */
const eventText = (random: Random) => usualEventText(random).replaceAll('toJSON', 'toJson')

function messageFrom(random: Random): Buffer {
  const entries = Array.from({ length: 1 + random.below(4) }, () => ({
    time: random.pick(times),
    record: { ...JSON.parse(eventText(random)), bytes: Buffer.from([random.below(256)]) },
  }))
  const option = random.pick([undefined, { chunk: 'abc' }, { size: 3 }])
  return messageOf(random.pick(modes.filter(mode => mode !== 'compressed')), 'a.b', entries, option)
}

function outcomeOf(pieces: readonly Buffer[]) {
  const reader = protocol.openStream()
  const intake = new GatheredIntake(1_795_000_000_000)
  let isReadable = true
  try {
    for (const piece of pieces) reader.read(piece, intake)
    reader.end(intake)
  } catch (error) {
    if (!(error instanceof UnreadableStream)) throw error
    isReadable = false
  }
  const { bodies, replies } = intake
  const found = bodies.map(({ bytes, given }) => `${given.tag} ${bytes.toString('hex')}`).join('\n')
  const refusals = [...intake.refusals]
  return { bodies, outcome: { found, replies: replies.length, refusals, isReadable } }
}

function readAll({ bytes, given }: GatheredIntake['bodies'][number]): void {
  const context = { receivedAt: 1, timestampField: undefined, eventBytesMax: 4096, given }
  try {
    for (const { record, problem } of formats.forward.read(bytes, context, undefined)) {
      assert.ok((record === undefined) !== (problem === undefined))
      if (record !== undefined) isRecord(record)
    }
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error
  }
}
