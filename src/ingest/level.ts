/**
 * A record's level, out of what senders call it.
 *
 * The first of the fields `level` and `severity` whose value is a level counts: a word that is known
 * here in any case, kept as the sender's word (`err` stays `err`) but trimmed and in lower case, or
 * one of pino's numbers. Otherwise the presence of certain fields tells, otherwise it is `info`.
 */

/** An event that is a JSON object; read only, and never by a name that Object.prototype has. */
export type EventObject = Readonly<Record<string, unknown>>

export interface LevelReading {
  readonly level: string
  /** The field that gave the level, and so is not kept as an attribute too. */
  readonly field: string | undefined
}

const words = [
  'trace',
  'debug',
  'info',
  'notice',
  'warn',
  'warning',
  'error',
  'err',
  'critical',
  'fatal',
  'alert',
  'emergency',
  'panic',
] as const

/** pino's, in its default configuration. */
const numbers: readonly (readonly [number, string])[] = [
  [10, 'trace'],
  [20, 'debug'],
  [30, 'info'],
  [40, 'warn'],
  [50, 'error'],
  [60, 'fatal'],
]

/** Fields that tell the level by being there, with anything but null or false; most severe first. */
export const inferences: readonly (readonly [string, LevelReading])[] = [
  ['error', { level: 'error', field: undefined }],
  ['err', { level: 'error', field: undefined }],
  ['exception', { level: 'error', field: undefined }],
  ['stack', { level: 'error', field: undefined }],
  ['warning', { level: 'warn', field: undefined }],
  ['warn', { level: 'warn', field: undefined }],
  ['info', { level: 'info', field: undefined }],
  ['debug', { level: 'debug', field: undefined }],
]

/** Every reading is made once, so that reading a level costs a look-up and no memory. */
function readingsFrom(field: string): ReadonlyMap<unknown, LevelReading> {
  const readings = new Map<unknown, LevelReading>()
  for (const word of words) {
    readings.set(word, { level: word, field })
    readings.set(word.toUpperCase(), { level: word, field })
  }
  for (const [number, level] of numbers) {
    readings.set(number, { level, field })
  }
  return readings
}

const fromLevel = readingsFrom('level')
const fromSeverity = readingsFrom('severity')
export const defaultLevel: LevelReading = { level: 'info', field: undefined }

export function readLevel(event: EventObject): LevelReading {
  return (
    find(fromLevel, event.level) ?? find(fromSeverity, event.severity) ?? inferFromPresence(event)
  )
}

/** What `value` says as that of `field`; undefined when it is no level. */
export function readLevelValue(
  field: 'level' | 'severity',
  value: string | number,
): LevelReading | undefined {
  return find(field === 'level' ? fromLevel : fromSeverity, value)
}

/** The level that `text` names, in lower case; undefined for a word that is none. */
export function levelWord(text: string): string | undefined {
  return find(fromLevel, text)?.level
}

function find(readings: ReadonlyMap<unknown, LevelReading>, value: unknown) {
  if (value === undefined) {
    return undefined
  }
  const reading = readings.get(value)
  if (reading !== undefined || typeof value !== 'string') {
    return reading
  }
  return readings.get(value.trim().toLowerCase())
}

function inferFromPresence(event: EventObject): LevelReading {
  for (const [field, reading] of inferences) {
    const value = event[field]
    if (value !== undefined && value !== null && value !== false) {
      return reading
    }
  }
  return defaultLevel
}
