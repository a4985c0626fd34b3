/** Everything that is fuzzed, by its name on the command line. */
import { bodies } from './bodies.ts'
import { events } from './events.ts'
import { fuzzedFormats, targetOf } from './formats.ts'
import { forwardStream } from './forward.ts'
import { makeFrames } from './frames.ts'
import { gelfDatagrams } from './gelf.ts'
import { makeHttp } from './http.ts'
import { journaldStream } from './journald.ts'
import { queries } from './queries.ts'
import { makeReceipts } from './receipts.ts'
import { makeSegments } from './segments.ts'
import { makeSkipIndexes } from './skip-indexes.ts'
import { syslog } from './syslog.ts'
import type { FuzzTarget } from './target.ts'

/** Each protocol of a sender, by the name of its decoder. */
const senders = Object.fromEntries(
  Object.entries(fuzzedFormats).map(([name, fuzzed]) => [
    name,
    { make: () => targetOf(fuzzed), atOnce: 1, shortCount: 500, isDecoder: true },
  ]),
)

interface Fuzzed {
  readonly make: () => FuzzTarget | Promise<FuzzTarget>
  /** Cases under way at once. */
  readonly atOnce: number
  /** Cases of the short run: a few seconds. */
  readonly shortCount: number
  /** It does nothing but read what a sender has sent: no case may hold up others. */
  readonly isDecoder?: boolean
}

export const fuzzed: Readonly<Record<string, Fuzzed>> = {
  events: { make: () => events, atOnce: 1, shortCount: 20_000, isDecoder: true },
  bodies: { make: () => bodies, atOnce: 1, shortCount: 8_000, isDecoder: true },
  queries: { make: () => queries, atOnce: 1, shortCount: 2_000 },
  http: { make: makeHttp, atOnce: 32, shortCount: 1_500 },
  frames: { make: makeFrames, atOnce: 1, shortCount: 2_000 },
  segments: { make: makeSegments, atOnce: 1, shortCount: 600 },
  receipts: { make: makeReceipts, atOnce: 1, shortCount: 3_000 },
  ...senders,
  'gelf-datagrams': { make: () => gelfDatagrams, atOnce: 1, shortCount: 3_000, isDecoder: true },
  'forward-stream': { make: () => forwardStream, atOnce: 1, shortCount: 3_000, isDecoder: true },
  'journald-stream': { make: () => journaldStream, atOnce: 1, shortCount: 3_000, isDecoder: true },
  syslog: { make: () => syslog, atOnce: 1, shortCount: 4_000, isDecoder: true },
  skips: { make: makeSkipIndexes, atOnce: 1, shortCount: 3_000 },
}
