/** What every kind of receiver is told with. */
import type { Wire } from './post.ts'

export interface SendContext extends Wire {
  /** Where people reach the page, without a final slash. */
  readonly publicUrl: string
  readonly now: () => number
  /** How often it is said again that an alert fires, ms. */
  readonly resendMs: number
}
