/** Syslog over streams and datagrams; what a message says: `ingest/formats/syslog/`. */

import { readSyslog } from '../../ingest/formats/syslog/syslog.ts'
import { SyslogFrames } from '../framing/syslog-frames.ts'
import { framedReader } from './framed-reader.ts'
import { takeOne } from './one-message.ts'
import type { Intake, Protocol } from './protocol.ts'

export function syslogProtocol({ eventBytesMax }: { readonly eventBytesMax: number }): Protocol {
  return {
    name: 'syslog',
    openStream: () => framedReader(new SyslogFrames(eventBytesMax), takeMessage),
    openDatagrams: () => ({ read: (bytes, _peer, intake) => takeMessage(bytes, intake) }),
  }
}

const newline = 0x0a
const carriageReturn = 0x0d

/** A message with what senders put behind it; one of nothing else is none. */
function takeMessage(bytes: Buffer, intake: Intake): void {
  let end = bytes.length
  while (end > 0 && isTrailer(bytes[end - 1]!)) end -= 1
  if (end === 0) return
  const message = bytes.subarray(0, end)
  takeOne(
    intake,
    () => readSyslog(message, intake),
    () => 'over_limits',
  )
}

function isTrailer(code: number): boolean {
  return code === newline || code === carriageReturn || code === 0
}
