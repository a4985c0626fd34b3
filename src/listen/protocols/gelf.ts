/**
 * GELF over streams, where NUL ends a message, and over datagrams, which may be compressed (gzip or zlib,
 * told by their first bytes) and come in chunks. What a message says: `ingest/formats/gelf.ts`.
 *
 * Source: go2docs.graylog.org, "GELF via TCP", "GELF via UDP".
 */

import { gunzipSync, inflateSync } from 'node:zlib'
import type { Config } from '../../config/config.ts'
import { recordOfGelf } from '../../ingest/formats/gelf.ts'
import { parseEvent } from '../../ingest/json.ts'
import { DelimitedFrames } from '../framing/delimited-frames.ts'
import { framedReader } from './framed-reader.ts'
import { GelfChunks } from './gelf-chunks.ts'
import { takeOne } from './one-message.ts'
import type { Intake, Protocol } from './protocol.ts'

export function gelfProtocol({ eventBytesMax }: Pick<Config, 'eventBytesMax'>): Protocol {
  return {
    name: 'gelf',
    openStream() {
      const frames = new DelimitedFrames('nul', eventBytesMax)
      return framedReader(frames, (bytes, intake) => takeMessage(bytes, eventBytesMax, intake))
    },
    openDatagrams() {
      const chunks = new GelfChunks()
      return {
        read(bytes, peer, intake) {
          const whole = chunks.add(bytes, peer, intake)
          if (whole !== undefined) takeDatagram(whole, eventBytesMax, intake)
        },
      }
    },
  }
}

/** A message that is compressed becomes at most so large as one may be. */
function takeDatagram(bytes: Buffer, eventBytesMax: number, intake: Intake): void {
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b
  const isZlib = bytes[0] === 0x78 && bytes.length > 1 && bytes.readUInt16BE(0) % 31 === 0
  if (!isGzip && !isZlib) {
    takeMessage(bytes, eventBytesMax, intake)
    return
  }
  let decoded: Buffer
  try {
    const options = { maxOutputLength: eventBytesMax }
    decoded = isGzip ? gunzipSync(bytes, options) : inflateSync(bytes, options)
  } catch (error) {
    const isLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
    intake.refuse(isLarge ? 'too_large' : 'unreadable')
    return
  }
  takeMessage(decoded, eventBytesMax, intake)
}

function takeMessage(bytes: Buffer, eventBytesMax: number, intake: Intake): void {
  const context = {
    receivedAt: intake.receivedAt,
    timestampField: undefined,
    eventBytesMax,
    onUnreadableTime: () => intake.noteUnreadableTime(),
  }
  takeOne(
    intake,
    () => recordOfGelf(parseEvent(bytes), context),
    ({ code }) => (code.startsWith('attribute') ? 'over_limits' : 'unreadable'),
  )
}
