/**
 * Fluentd's forward protocol, version 1, over streams: what Fluentd, Fluent Bit and Docker's `fluentd` driver
 * send. Four modes, told apart by the second member of a message:
 *
 *     Message            [tag, time, record, option?]
 *     Forward            [tag, [[time, record], …], option?]
 *     PackedForward      [tag, <[time, record]…>, option?]
 *     compressed         [tag, <gzip of those>, {"compressed":"gzip"}]
 *
 * All but the first have a chunk of entries; the first has one. A chunk whose option names it
 * (`{"chunk":"…"}`) is acknowledged, `{"ack":"…"}`, when all of it is on disk; sent again, it is acknowledged
 * again and stored once. With a shared key the
 * handshake comes first (`forward-handshake.ts`).
 *
 * Source: github.com/fluent/fluentd/wiki/Forward-Protocol-Specification-v1.
 */

import { Packr, Unpackr } from 'msgpackr'
import { ownCopy } from '../../columns/growing-array.ts'
import type { Config } from '../../config/config.ts'
import { messagePackEnd } from '../../ingest/message-pack.ts'
import { UnreadableStream } from '../framing/framer.ts'
import { MessagePackFrames } from '../framing/message-pack-frames.ts'
import { Handshake } from './forward-handshake.ts'
import { framedReader } from './framed-reader.ts'
import type { Intake, Protocol, StreamReader } from './protocol.ts'

const unpackr = new Unpackr({ useRecords: false, mapsAsObjects: false })
const packr = new Packr({ useRecords: false })

type ForwardConfig = Pick<Config, 'batchBytesMax' | 'forwardSharedKey'>

export function forwardProtocol({ batchBytesMax, forwardSharedKey }: ForwardConfig): Protocol {
  return {
    name: 'forward',
    openStream: () => openStream(batchBytesMax, forwardSharedKey),
    openDatagrams: () => {
      throw new Error('the forward protocol has no datagrams')
    },
  }
}

function openStream(bytesMax: number, sharedKey: string | undefined): StreamReader {
  const frames = new MessagePackFrames(bytesMax)
  if (sharedKey === undefined) return framedReader(frames, takeMessage)
  const handshake = new Handshake(sharedKey)
  let isKnown = false
  const take = (frame: Buffer, intake: Intake) => {
    if (isKnown) return takeMessage(frame, intake)
    handshake.check(unpack(frame), message => intake.reply(Buffer.from(packr.pack(message))))
    isKnown = true
  }
  return framedReader(frames, take, packr.pack(handshake.hello()))
}

const nil = 0xc0
/** An array of two to four members. */
const isMessage = (code: number | undefined) => code !== undefined && code >= 0x92 && code <= 0x94

function takeMessage(frame: Buffer, intake: Intake): void {
  if (frame[0] === nil) return // A sign of life.
  if (!isMessage(frame[0])) throw new UnreadableStream('expected [tag, entries, option?]')
  const entriesAt = messagePackEnd(frame, 1)
  const tag = unpack(frame.subarray(1, entriesAt))
  if (typeof tag !== 'string' && !(tag instanceof Uint8Array)) {
    throw new UnreadableStream('expected a text as the tag')
  }
  const entriesEnd = messagePackEnd(frame, entriesAt)
  const second = frame.subarray(entriesAt, entriesEnd)
  const packed = packedEntries(second)
  const { bytes, optionAt } =
    packed === undefined
      ? oneEntry(frame, entriesAt)
      : { bytes: ownCopy(packed), optionAt: entriesEnd }
  const option = optionAt < frame.length ? unpack(frame.subarray(optionAt)) : undefined
  const options = option instanceof Map ? option : new Map<unknown, unknown>()
  const isGzip = options.get('compressed') === 'gzip'
  const given = { tag: Buffer.from(tag as string).toString() }
  const chunk = options.get('chunk')
  const isAsked = typeof chunk === 'string' || chunk instanceof Uint8Array
  // Fluent Bit names a chunk by a hash of its entries alone: those of two tags may be the same.
  const retry = isAsked ? `${Buffer.from(chunk as string).toString('hex')} ${given.tag}` : undefined
  if (bytes.length > 0) intake.body({ format: 'forward', bytes, given, isGzip, chunk: retry })
  if (isAsked) intake.reply(Buffer.from(packr.pack({ ack: chunk })))
}

/** What stands in an array, in bytes or in a text; undefined when it is none of these. */
function packedEntries(value: Buffer): Buffer | undefined {
  const code = value[0]!
  if (code >= 0x90 && code <= 0xbf) return value.subarray(1) // fixarray, fixstr
  const lengthBytes = lengthBytesOf.get(code)
  return lengthBytes === undefined ? undefined : value.subarray(1 + lengthBytes)
}

/** Of bin, str and array. */
const lengthBytesOf: ReadonlyMap<number, number> = new Map([
  ...([
    [0xc4, 1],
    [0xc5, 2],
    [0xc6, 4],
  ] as const),
  ...([
    [0xd9, 1],
    [0xda, 2],
    [0xdb, 4],
  ] as const),
  ...([
    [0xdc, 2],
    [0xdd, 4],
  ] as const),
])

/** Time and record of the mode Message, as an entry. */
function oneEntry(frame: Buffer, timeAt: number) {
  const recordAt = messagePackEnd(frame, timeAt)
  const optionAt = recordAt >= frame.length ? -1 : messagePackEnd(frame, recordAt)
  if (optionAt < 0) throw new UnreadableStream('expected [tag, time, record, option?]')
  const entry = Buffer.allocUnsafeSlow(1 + optionAt - timeAt)
  entry[0] = 0x92
  frame.copy(entry, 1, timeAt, optionAt)
  return { bytes: entry, optionAt }
}

function unpack(bytes: Buffer): unknown {
  try {
    return unpackr.unpack(bytes)
  } catch (error) {
    throw new UnreadableStream(`a message cannot be read: ${(error as Error).message}`)
  }
}
