/** An event of the demo, and how each service writes it: senders differ, and so do these. */
import type { EnvironmentName, ServiceName } from './shop.ts'

export type Level = 'debug' | 'info' | 'warn' | 'error' | 'fatal'

export interface DemoEvent {
  readonly service: ServiceName
  readonly environment: EnvironmentName
  /** Unix ms. */
  readonly time: number
  readonly level: Level
  readonly message: string
  readonly attributes: Readonly<Record<string, unknown>>
}

/** The field of the JSON that holds the time. */
export const timeField = 'time'

const pinoLevels = { debug: 20, info: 30, warn: 40, error: 50, fatal: 60 } as const

/** The event as one line of JSON, in its service's own manner. */
export function eventLine({ service, time, level, message, attributes }: DemoEvent): string {
  switch (service) {
    case 'search': // As pino writes it.
      return JSON.stringify({ level: pinoLevels[level], time, msg: message, ...attributes })
    case 'payments': // As many Java and cloud loggers do.
      return JSON.stringify({
        time: new Date(time).toISOString(),
        severity: level.toUpperCase(),
        message,
        ...attributes,
      })
    case 'mailer': // As Go's slog does.
      return JSON.stringify({
        time: new Date(time).toISOString(),
        level: level.toUpperCase(),
        msg: message,
        ...attributes,
      })
    default:
      return JSON.stringify({ time, level, message, ...attributes })
  }
}
