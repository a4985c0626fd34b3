/**
 * The level of an OTLP log record.
 *
 * The sender's word counts when it is a level's in any logger (`level.ts`); otherwise the number, of
 * which four make a level (1 to 4 are trace, 21 to 24 fatal); otherwise it is `info`. What of both the
 * level does not say is kept: a word that is not one of ours, a number between two levels.
 */

import { defaultLevel, readLevelText } from '../level.ts'

export interface SeverityReading {
  readonly level: string
  /** The sender's word where it did not become the level; else empty. */
  readonly text: string
  /** The sender's number where it says another thing than the level; else 0. */
  readonly number: number
}

const numberedLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const
const numbersPerLevel = 4

/** The number that each word stands for; `notice` and others have none in OpenTelemetry. */
const numbers: ReadonlyMap<string, number> = new Map([
  ...numberedLevels.map((level, index) => [level, 1 + numbersPerLevel * index] as const),
  ['warning', 13],
  ['err', 17],
])

export function readSeverity(text: string, number: number): SeverityReading {
  const word = readLevelText('pino', text)
  const numbered = numberedLevels[Math.floor((number - 1) / numbersPerLevel)]
  const level = word?.level ?? numbered ?? defaultLevel
  return {
    level,
    text: word?.isKept === false ? '' : text,
    number: numbers.get(level) === number ? 0 : number,
  }
}
