/**
 * A stream of syslog, damaged: whatever comes, each message is a record that survives, or is refused by its
 * limits; and in whatever pieces it comes, the same is found.
 */
import assert from 'node:assert/strict'
import type { Random } from '../../bench/random.ts'
import { UnreadableStream } from '../../src/listen/framing/framer.ts'
import { GatheredIntake } from '../../src/listen/gathered-intake.ts'
import { syslogProtocol } from '../../src/listen/protocols/syslog.ts'
import { isRecord } from './events.ts'
import { jsonText } from './json-texts.ts'
import { mutate } from './mutate.ts'
import type { FuzzTarget } from './target.ts'

const receivedAt = 1_795_000_000_000
const protocol = syslogProtocol({ eventBytesMax: 4_096 })
const words = [
  '<13>1 ',
  '[a@1 b="',
  '"]',
  '\\"',
  '@cee: {',
  '\ufeff',
  '\n',
  '\0',
  '0 ',
  '99999999999 ',
]
const headers = [
  '<165>1 2026-11-20T22:14:15.003123Z web-1 pay 4711 ID47 [o@1 ip="::1" ip="2"][e@1] ',
  '<34>1 - - - - - - \ufeff',
  '<13>Nov 20 22:14:15 host app[12]: ',
  '<13>2026-11-20T22:14:15.1+01:00 host app: ',
  '<7>',
]

export const syslog: FuzzTarget = {
  tryOne(random) {
    const hasLengths = random.below(2) === 0
    const messages = Array.from({ length: 1 + random.below(5) }, () => {
      const message = random.pick(headers) + jsonText(random)
      return hasLengths ? `${Buffer.byteLength(message)} ${message}` : `${message}\n`
    })
    const whole = Buffer.from(messages.join(''))
    const stream = random.below(4) > 0 ? mutate(whole, random, words) : whole
    const atOnce = outcomeOf([stream])
    assert.deepEqual(outcomeOf(piecesOf(stream, random)), atOnce)
  },
}

export function piecesOf(bytes: Buffer, random: Random): Buffer[] {
  const pieces: Buffer[] = []
  for (let at = 0; at < bytes.length; ) {
    const end = at + 1 + random.skewedBelow(bytes.length - at)
    pieces.push(bytes.subarray(at, end))
    at = end
  }
  return pieces
}

function outcomeOf(pieces: readonly Buffer[]) {
  const reader = protocol.openStream()
  const intake = new GatheredIntake(receivedAt)
  let isReadable = true
  try {
    for (const piece of pieces) reader.read(piece, intake)
    reader.end(intake)
  } catch (error) {
    if (!(error instanceof UnreadableStream)) throw error
    isReadable = false
  }
  intake.records.forEach(isRecord)
  assert.ok(reader.heldBytes <= 3 * 4_096)
  return { records: intake.records, refusals: [...intake.refusals], isReadable }
}
