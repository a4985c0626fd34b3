/**
 * Live records as they arrive. The browser reconnects by itself after a cut and names the last id it
 * saw, so nothing is lost; what it cannot mend (the session ended, the service is gone for longer) is
 * told, and tried again here.
 */

import type { AnswerRecord } from '../../store/store.ts'
import { getSession } from './session.ts'

export type TailState = 'connecting' | 'open' | 'interrupted' | 'ended'

export interface TailListener {
  onRecord(record: AnswerRecord): void
  /** So many matching records were left out because we read too slowly. */
  onDropped(count: number): void
  onState(state: TailState): void
}

export interface TailAsked {
  readonly query: string
  /** Begin with so many of the latest. */
  readonly last?: number
}

/** Time until a connection that broke for good is tried again, ms. */
const retryMs = 2_000

/** Follows until the returned function is called. */
export function tailLogs({ query, last }: TailAsked, listener: TailListener): () => void {
  const parameters = new URLSearchParams({ query })
  if (last !== undefined) parameters.set('last', String(last))
  let source: EventSource | undefined
  let retry: ReturnType<typeof setTimeout> | undefined
  let isClosed = false

  const connect = () => {
    listener.onState('connecting')
    source = new EventSource(`/api/v1/query/logs/tail?${parameters}`)
    source.addEventListener('open', () => listener.onState('open'))
    source.addEventListener('record', event => {
      // A new EventSource knows nothing of the one before: it is told where to go on.
      parameters.set('lastEventId', event.lastEventId)
      listener.onRecord(JSON.parse(event.data))
    })
    source.addEventListener('dropped', event => listener.onDropped(JSON.parse(event.data).count))
    source.addEventListener('error', () => {
      listener.onState('interrupted')
      if (source?.readyState === EventSource.CLOSED) void again()
    })
  }
  /** The answer was no stream; an EventSource does not say why, so the session is asked. */
  const again = async () => {
    try {
      await getSession()
    } catch (error) {
      // Signed out: the client has led to the sign-in page. Anything else: keep trying.
      if (error instanceof Error && 'status' in error && error.status === 401) {
        listener.onState('ended')
        return
      }
    }
    if (!isClosed) retry = setTimeout(connect, retryMs)
  }

  connect()
  return () => {
    isClosed = true
    clearTimeout(retry)
    source?.close()
  }
}
