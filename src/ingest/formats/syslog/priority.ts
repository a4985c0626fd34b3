/**
 * What the number in angle brackets before a syslog message says: eight times the facility, plus the
 * severity (RFC 5424, 6.2.1).
 */

/** By code. The first sixteen are named as by syslog's own programs, `clock` as by RFC 5424. */
export const facilities: readonly string[] = [
  ...['kern', 'user', 'mail', 'daemon', 'auth', 'syslog', 'lpr', 'news', 'uucp', 'cron'],
  ...['authpriv', 'ftp', 'ntp', 'audit', 'alert', 'clock'],
  ...['local0', 'local1', 'local2', 'local3', 'local4', 'local5', 'local6', 'local7'],
]

/** By code; each is a level of ours (`levels.ts`), so that none of them is only near. */
export const severityLevels: readonly string[] = [
  ...['emergency', 'alert', 'critical', 'error', 'warning', 'notice', 'info', 'debug'],
]

export interface Priority {
  readonly facility: string
  /** The level. */
  readonly severity: string
  /** Characters of the message that say so. */
  readonly length: number
}

/** RFC 3164, 4.3.3: a message that does not say it is `user.notice`. */
const unsaid: Priority = { facility: 'user', severity: 'notice', length: 0 }

const said: readonly Priority[] = facilities.flatMap((facility, code) =>
  severityLevels.map((severity, number) => ({
    facility,
    severity,
    length: String(8 * code + number).length + 2,
  })),
)

const digitZero = 0x30

/** The priority at the beginning of `text`: `<0>` to `<191>`, without zeros before the number. */
export function readPriority(text: string): Priority {
  const end = text.charCodeAt(0) === 0x3c ? text.indexOf('>') : -1
  if (end < 2 || end > 4) return unsaid
  let code = 0
  for (let at = 1; at < end; at++) {
    const digit = text.charCodeAt(at) - digitZero
    if (digit < 0 || digit > 9 || (digit === 0 && code === 0 && end > 2)) return unsaid
    code = 10 * code + digit
  }
  return said[code] ?? unsaid
}
