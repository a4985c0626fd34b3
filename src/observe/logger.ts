/**
 * The service's own log: one JSON line per event on standard error, so that standard output holds
 * only what a person or a script asked for. Never an event's content, never a token.
 */
import { destination, type Logger, pino } from 'pino'
import type { Config } from '../config.ts'

export function createLogger(level: Config['logLevel']): Logger {
  // Synchronous: what was said last before a crash is what matters most.
  return pino({ level, base: null }, destination({ fd: 2, sync: true }))
}
