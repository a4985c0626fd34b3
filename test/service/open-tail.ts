/** A live tail of a service, read by a client library for event streams. */
import assert from 'node:assert/strict'
import type { EventSourceMessage } from 'eventsource-parser'
import { EventSourceParserStream } from 'eventsource-parser/stream'
import { adminKey, type ServiceProcess } from './service-process.ts'

export interface Asked {
  readonly parameters?: Record<string, string>
  readonly lastEventId?: string
  readonly key?: string
}

export interface OpenTail {
  stop(): void
  /** Undefined at the end of the stream. */
  next(): Promise<EventSourceMessage | undefined>
  /** The next `count` records. Rejects when anything else comes. */
  // biome-ignore lint/suspicious/noExplicitAny: records of every shape.
  records(count: number): Promise<any[]>
}

/** Follows all records where `asked` says nothing else, as a client does. */
export async function openTail(
  { url }: Pick<ServiceProcess, 'url'>,
  { parameters, lastEventId, key = adminKey }: Asked = {},
): Promise<OpenTail> {
  const query = new URLSearchParams({ query: 'logs', ...parameters })
  const stop = new AbortController()
  const answer = await fetch(`${url}/api/v1/query/logs/tail?${query}`, {
    headers: {
      authorization: `Bearer ${key}`,
      ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
    },
    signal: stop.signal,
  })
  assert.equal(answer.status, 200)
  const events = answer
    .body!.pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream())
    .getReader()
  const next = async () => (await events.read()).value
  return {
    stop: () => stop.abort(),
    next,
    async records(count) {
      const records = []
      while (records.length < count) {
        const event = await next()
        if (event?.event !== 'record') throw new Error(`came ${JSON.stringify(event)}`)
        records.push(JSON.parse(event.data))
      }
      return records
    },
  }
}
