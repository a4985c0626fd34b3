/** What stands around the message of a syslog record, whichever of its two forms it has. */

import type { Moment } from '../../moment.ts'
import type { SyslogData } from './structured-data.ts'

/** What is absent, or `-`, is empty. */
export interface SyslogHeader {
  /** Undefined when there is none, or none that can be read. */
  readonly time: Moment | undefined
  /** The text of a time that cannot be read. */
  readonly unreadableTime: string
  readonly hostname: string
  readonly appname: string
  readonly procid: string
  readonly msgid: string
  readonly data: SyslogData | undefined
  /** Where in the text the message begins. */
  readonly messageStart: number
}
