/**
 * A record's level, out of what senders call it.
 *
 * The first of the fields in `levelKeys` whose value is a level counts. A word of ours (`levels.ts`) is
 * used as it is, trimmed and in lower case; another logger's word or number becomes the level nearest
 * to it. Without any, the presence of certain fields decides, and otherwise it is `info`.
 *
 * What the level does not say stays an attribute: another logger's word (`SEVERE`, `WARN+2`), a number
 * between pino's, and syslog's numbers, since a small number may have been meant otherwise.
 */

import { levels } from '../levels.ts'
import type { FieldPlace } from './flatten.ts'
import { isRawNumber } from './numbers.ts'

/** An event that is a JSON object; read only, and never by a name that Object.prototype has. */
export type EventObject = Readonly<Record<string, unknown>>

/**
 * Which numbers a field may have: pino's and bunyan's, 10 to 60; syslog's (RFC 5424), 0 to 7, beside
 * these; or none, and only words that are plain: `status` mostly says something else.
 */
export type LevelScale = 'pino' | 'syslog' | 'words'

export interface LevelReading {
  readonly level: string
  /** Whether the field stays an attribute. */
  readonly isKept: boolean
}

/** A level and the field that is not kept because it says just this. */
export interface FoundLevel {
  readonly level: string
  readonly used: FieldPlace | undefined
}

/**
 * Where levels stand, the first before the others: paths in lower case, whose names may be nested or
 * have the dot themselves. `level` and `severity` in just this form go before all.
 */
const levelKeys: readonly (readonly [path: string, LevelScale])[] = [
  ['level', 'pino'],
  ['severity', 'syslog'],
  ['lvl', 'pino'],
  ['loglevel', 'pino'],
  ['log.level', 'pino'],
  ['levelname', 'pino'],
  ['level_name', 'pino'],
  ['@l', 'pino'],
  ['severitytext', 'pino'],
  ['severity_text', 'pino'],
  ['syslog.severity', 'syslog'],
  ['priority', 'syslog'],
  ['status', 'words'],
]
const exactKeys = ['level', 'severity']
const keyRanks: ReadonlyMap<string, number> = new Map(
  levelKeys.map(([path], index) => [path, exactKeys.length + index]),
)
const keyLengthMax = Math.max(...levelKeys.map(([path]) => path.length))
/** 1 for the letters with which they begin, in either case: so most names cost one look. */
const mayBegin = new Uint8Array(128)
for (const [path] of levelKeys) {
  for (const text of [path, path.toUpperCase()]) mayBegin[text.charCodeAt(0)] = 1
}
/** Objects in which the level may be, by name in lower case. */
const holders = new Set(
  levelKeys.filter(([path]) => path.includes('.')).map(([path]) => path.split('.')[0]),
)

/** The rank of a field that is not for levels. */
export const noLevelRank = exactKeys.length + levelKeys.length

/** How early the field at `path` (names joined with dots) is asked for the level: 0 is the first. */
export function levelRank(path: string): number {
  if (!mayBeKey(path)) return noLevelRank
  const exactRank = exactKeys.indexOf(path)
  if (exactRank >= 0) return exactRank
  return keyRanks.get(path.toLowerCase()) ?? noLevelRank
}

function mayBeKey(name: string): boolean {
  return mayBegin[name.charCodeAt(0)] === 1 && name.length <= keyLengthMax
}

/** The scale of a field by its rank. */
export function scaleOfRank(rank: number): LevelScale {
  return levelKeys[rank < exactKeys.length ? rank : rank - exactKeys.length]![1]
}

/** Fields whose value implies a level; most severe first. */
export const inferences: readonly (readonly [field: string, level: string])[] = [
  ['error', 'error'],
  ['err', 'error'],
  ['exception', 'error'],
  ['stack', 'error'],
  ['warning', 'warn'],
  ['warn', 'warn'],
  ['info', 'info'],
  ['debug', 'debug'],
]

export const defaultLevel = 'info'

/** The level of an event, found or inferred or the usual one. */
export function readLevel(event: EventObject): FoundLevel {
  return findLevel(event) ?? { level: inferLevel(event) ?? defaultLevel, used: undefined }
}

/** The level that a field of `event` says. */
export function findLevel(event: EventObject): FoundLevel | undefined {
  const search = new LevelSearch()
  for (const name in event) {
    if (!mayBeKey(name)) continue
    search.consider(levelRank(name), event, name)
    const value = event[name]
    if (!isHolder(name, value)) continue
    for (const key in value) search.consider(levelRank(`${name}.${key}`), value, key)
  }
  return search.found
}

class LevelSearch {
  found: FoundLevel | undefined
  #rank = noLevelRank

  consider(rank: number, holder: EventObject, name: string): void {
    if (rank >= this.#rank) return
    const reading = readLevelValue(scaleOfRank(rank), holder[name])
    if (reading === undefined) return
    const { level, isKept } = reading
    this.found = { level, used: isKept ? undefined : { holder, name } }
    this.#rank = rank
  }
}

function isHolder(name: string, value: unknown): value is EventObject {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject && holders.has(name.toLowerCase())
}

/** The level that the presence of a field implies; undefined when none is present. */
export function inferLevel(event: EventObject): string | undefined {
  return inferences.find(([field]) => Object.hasOwn(event, field) && says(event[field]))?.[1]
}

/** Whether there is something in a value: null, false, 0, and what is empty say nothing. */
function says(value: unknown): boolean {
  if (typeof value !== 'object') return Boolean(value)
  if (value === null) return false
  if (isRawNumber(value)) return !/^[-0.]*(?:[eE]|$)/.test(value.rawJSON)
  for (const _key in value) return true
  return false
}

/** The usual names by any word for them, and by the numbers of a scale as text. */
const readings: Readonly<Record<LevelScale, ReadonlyMap<string, LevelReading>>> = {
  pino: new Map([...wordReadings('loose'), ...pinoReadings()]),
  syslog: new Map([...wordReadings('loose'), ...pinoReadings(), ...syslogReadings()]),
  words: new Map([...wordReadings('plain')].map(([word, { level }]) => [word, kept(level)])),
}

/** Every reading is made once, so that reading a level costs a look-up and no memory. */
function* wordReadings(kind: 'plain' | 'loose'): Generator<[string, LevelReading]> {
  for (const { name, words, looseWords } of levels) {
    const reading = { level: name, isKept: false }
    yield [name, reading]
    yield [name.toUpperCase(), reading]
    for (const word of words) yield [word, kept(name)]
    if (kind === 'loose') for (const word of looseWords) yield [word, kept(name)]
  }
}

/** pino's in its default configuration; a number between two is at least as severe as the lower. */
function* pinoReadings(): Generator<[string, LevelReading]> {
  const tens = ['trace', 'debug', 'info', 'warn', 'error', 'fatal']
  for (let number = 10; number <= 60; number++) {
    const level = tens[Math.floor(number / 10) - 1]!
    yield [String(number), { level, isKept: number % 10 !== 0 }]
  }
}

function* syslogReadings(): Generator<[string, LevelReading]> {
  const names = 'emergency alert critical error warning notice info debug'.split(' ')
  for (const [number, name] of names.entries()) yield [String(number), kept(name)]
}

function kept(level: string): LevelReading {
  return { level, isKept: true }
}

/** What `value` says in a field of this scale; undefined when it is no level. */
function readLevelValue(scale: LevelScale, value: unknown): LevelReading | undefined {
  if (typeof value === 'string') return readLevelText(scale, value)
  if (typeof value !== 'number' || scale === 'words') return undefined
  return readings[scale].get(String(value))
}

/** A text is not a level when it is longer than any, with much space around it. */
const textLengthMax = 64

/** What a word, or a number as text, says; undefined when it is no level. */
export function readLevelText(scale: LevelScale, text: string): LevelReading | undefined {
  const ofScale = readings[scale]
  const known = ofScale.get(text)
  if (known !== undefined || text.length > textLengthMax) return known
  const word = text.trim().toLowerCase()
  return ofScale.get(word) ?? readStep(ofScale, word)
}

/** A word with a number: Go's `WARN+2`, OpenTelemetry's `INFO2`, PostgreSQL's `DEBUG5`, MongoDB's `D1`. */
const steppedWord = /^([a-z]+)([+-]?)(\d{1,2})$/
/** slog's levels are four apart: from here on an error is a fatal one, as OpenTelemetry reads it. */
const slogStep = 4

function readStep(ofScale: ReadonlyMap<string, LevelReading>, word: string) {
  const [, base = '', sign, digits] = steppedWord.exec(word) ?? []
  const level = ofScale.get(base)?.level
  if (level === undefined) return undefined
  if (level === 'debug' && sign === '-') return kept('trace')
  if (level === 'error' && sign === '+' && Number(digits) >= slogStep) return kept('fatal')
  return kept(level)
}
