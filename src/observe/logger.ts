/**
 * The service's own log: one JSON line per event on standard error, so that standard output holds
 * only what a person or a script asked for. Never an event's content, never a token.
 */
import { destination, type Logger, pino } from 'pino'
import type { Config } from '../config/config.ts'

/** `onLine`: is given each line too; it must not throw. */
export function createLogger(level: Config['logLevel'], onLine?: (line: string) => void): Logger {
  // Synchronous: what was said last before a crash is what matters most.
  const standardError = destination({ fd: 2, sync: true })
  if (onLine === undefined) return pino({ level, base: null }, standardError)
  const write = (line: string) => {
    standardError.write(line)
    onLine(line)
  }
  return pino({ level, base: null }, { write })
}
