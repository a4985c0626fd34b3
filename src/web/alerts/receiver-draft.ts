/** A receiver as a form has it, in texts. Secrets that are left empty stay as they are. */

import type { ReceiverKind, ReceiverShown } from '../api/alerts.ts'

export interface ReceiverDraft {
  readonly name: string
  readonly kind: ReceiverKind
  /** Of all but e-mail. */
  readonly url: string
  readonly user: string
  /** What signs, or a password. */
  readonly secret: string
  /** Of e-mail: the server with its port. */
  readonly host: string
  readonly tls: 'starttls' | 'tls' | 'none'
  readonly from: string
  /** Separated by commas. */
  readonly to: string
}

export function receiverDraft(receiver: ReceiverShown | undefined): ReceiverDraft {
  const kind = receiver?.kind ?? 'webhook'
  const isShown = kind === 'webhook' || kind === 'alertmanager'
  return {
    name: receiver?.name ?? '',
    kind,
    url: isShown ? (receiver?.target ?? '') : '',
    user: '',
    secret: '',
    host: '',
    tls: 'starttls',
    from: '',
    to: '',
  }
}

const usualPorts = { starttls: 587, tls: 465, none: 25 } as const

/** How it is reached, as the service takes it under the name of its kind. */
export function howReached(draft: ReceiverDraft): Readonly<Record<string, unknown>> {
  const { kind, url, user, secret, tls } = draft
  const credentials = {
    ...(user !== '' && { user }),
    ...(secret !== '' && { password: secret }),
  }
  switch (kind) {
    case 'webhook':
      return { url, ...(secret !== '' && { secret }) }
    case 'slack':
      return { url }
    case 'alertmanager':
      return { url, ...credentials }
    case 'email': {
      const [, host = draft.host, port] = /^(.*):(\d+)$/.exec(draft.host.trim()) ?? []
      const to = draft.to.split(',').map(one => one.trim())
      return {
        host: host.trim(),
        port: port === undefined ? usualPorts[tls] : Number(port),
        tls,
        from: draft.from.trim(),
        to: to.filter(one => one !== ''),
        ...credentials,
      }
    }
  }
}
