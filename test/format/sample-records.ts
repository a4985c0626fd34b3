/** The records that went into the samples, made as they were made then. */
import type { StreamRecord } from '../segment/sealed.ts'

/** Where the samples are. */
export const samples = import.meta.dirname

export const noon = Date.UTC(2026, 10, 20, 12)
export const checkout = { service: 'checkout', environment: 'prod' }
export const search = { service: 'Suche ✓', environment: 'a "test"' }

/** Enough records of one kind that every encoding is the best one for some column. */
const ordinary: StreamRecord[] = Array.from({ length: 800 }, (_, i) => {
  const id = (Math.imul(i + 1, 0x9e3779b1) >>> 0).toString(16).padStart(8, '0')
  return {
    stream: checkout,
    timestamp: noon + Math.floor(i / 3) * 997,
    level: ['info', 'info', 'warn', 'error'][i % 4]!,
    message: `order ${1000 + ((i * 37) % 500)} of user-${i % 50} paid in ${(i * 7) % 100}.${i % 10} ms (${id})`,
    attributes: [
      ...['region', 'eu-central-1'],
      ...['path', `/api/v1/${['cart', 'orders', 'pay'][i % 3]}`],
      ...['duration_ms', String((i * i * 31) % 5_000)],
      ...['seconds', String((((i * i * 31) % 50_000) - 2_000) / 1_000)],
      ...['trace_id', `${id}${id}${id}${id}`],
      ...['note', '-+*~é '.repeat(1 + (i % 7)) + String.fromCodePoint(0x4e00 + ((i * 7919) % 900))],
      ...(i % 5 === 0 ? ['retry', String(i % 3)] : []),
    ],
  }
})

const unusual: StreamRecord[] = [
  ['', []],
  ['line\nbreak, tab\t, nul \0, quote "', ['', 'the name is empty']],
  ['Grüße, 你好, 👍🏽', ['__proto__', '', 'constructor', 'x', 'a.b', '["c",1]']],
  ['0', ['number', '-0', 'ключ', 'null']],
  ['00 007 1e5 18446744073709551616', ['number', '9007199254740993']],
  [`long: ${'0123456789abcdef '.repeat(100)}`, []],
].map(([message, attributes], i) => ({
  stream: search,
  timestamp: noon + i,
  level: 'info',
  message: message as string,
  attributes: attributes as string[],
}))

const early = { ...unusual[0]!, timestamp: -8.64e15, level: 'trace' }
const late = { ...unusual[1]!, timestamp: 8.64e15, level: 'panic' }

/** Of the same stream as the ordinary ones, and so of one run with them; no two are alike. */
const withoutTemplates: StreamRecord[] = ordinary.slice(0, 60).map((record, i) => {
  const words = Array.from({ length: 3 + (i % 5) }, (_, n) => wordOf(i * 8 + n))
  const attributes = i % 2 === 0 ? ['release', 'v2'] : []
  return { ...record, timestamp: record.timestamp + 400_000, message: words.join('/'), attributes }
})

/** Messages of the ordinary kind, and of another that the run has not had. */
const templatesAgain: StreamRecord[] = ordinary.slice(0, 200).map((record, i) => ({
  ...record,
  timestamp: record.timestamp + 500_000,
  message: i % 4 === 0 ? `session of user-${i % 50} opened` : record.message,
}))

/** Those of `v3.seg` and of others of its format, block by block. */
export const segmentLists = [ordinary, withoutTemplates, templatesAgain, unusual]

/** Those of `v1.journal.log`, frame by frame: it is from before format 3 of segments. */
export const journalLists = [
  ordinary.slice(0, 20).map(withoutDecimals),
  [early, ...unusual, late, withoutDecimals(ordinary[20]!)],
]

/**
 * The records of a sample such as `v1.seg`, in order. They are the same in all of them, but for what was
 * added later: decimal numbers in format 3, a second and a third block of the first stream in format 2.
 */
export function recordsOfSample(name: string): StreamRecord[] {
  const all = segmentLists.flat()
  if (name.startsWith('v3')) return all
  const first = all.map(withoutDecimals)
  if (name === 'v2.seg') return first
  if (name === 'v2-values.seg') return first.slice(860)
  if (name === 'v1.seg') return [...first.slice(0, 800), ...first.slice(1_060)]
  throw new Error(`there is no sample ${name}`)
}

function withoutDecimals(record: StreamRecord): StreamRecord {
  const at = record.attributes.findIndex((text, i) => i % 2 === 0 && text === 'seconds')
  return at === -1 ? record : { ...record, attributes: record.attributes.toSpliced(at, 2) }
}

/** A word of letters, of more than can be told apart by their first. */
function wordOf(number: number): string {
  const hash = Math.imul(number + 1, 0x85ebca6b) >>> 0
  return [...hash.toString(26)]
    .map(digit => 'qwertzuiopasdfghjklyxcvbnm'[parseInt(digit, 26)])
    .join('')
}
