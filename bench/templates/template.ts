/**
 * What a service logs: texts with `{slots}`, by level, the commonest first. `slots.ts` says what each
 * slot may hold; an unknown slot is an error when the template is compiled.
 */

export const levels = ['debug', 'info', 'warn', 'error'] as const
export type Level = (typeof levels)[number]

export interface ServiceTemplates {
  readonly service: string
  /** How much this service logs, against the others. */
  readonly weight: number
  readonly loggers: readonly string[]
  readonly templates: Readonly<Record<Level, readonly string[]>>
}
