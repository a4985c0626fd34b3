/** Reads a connection whose messages are told apart by a framer. */

import type { Framer } from '../framing/framer.ts'
import type { Intake, StreamReader } from './protocol.ts'

/** `take` is given each message, valid until it returns. `greeting`: see `StreamReader`. */
export function framedReader(
  frames: Framer,
  take: (bytes: Buffer, intake: Intake) => void,
  greeting?: Uint8Array,
): StreamReader {
  const sinkOf = (intake: Intake) => ({
    frame: (bytes: Buffer) => take(bytes, intake),
    refused: (reason: 'too_large' | 'torn') => intake.refuse(reason),
  })
  return {
    ...(greeting && { greeting }),
    read: (bytes, intake) => frames.push(bytes, sinkOf(intake)),
    end: intake => frames.end(sinkOf(intake)),
    get heldBytes() {
      return frames.heldBytes
    },
  }
}
