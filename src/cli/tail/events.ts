/**
 * The events of one live tail, over as many connections as it takes: a lost one is made again, with the
 * id that came last, after which the service then continues (WHATWG HTML, 9.2.4, Last-Event-ID).
 */
import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { lost, request, strangeAnswer, Unreachable } from '../api.ts'
import { ProblemAnswer } from '../api-problem.ts'
import { CommandError } from '../command-error.ts'
import type { TailOptions } from './options.ts'

export interface TailEventsOptions extends Pick<TailOptions, 'api' | 'query' | 'last'> {
  readonly signal: AbortSignal
  pause(milliseconds: number, signal: AbortSignal): Promise<void>
  /** Called with the reason and the wait before each new try, in ms. */
  onLost(reason: string, waitMs: number): void
  /** Called when a connection stands again after it was lost. */
  onBack(): void
}

/** The lines of a stream, in their order. An id may come without an event, with a heartbeat. */
type Part = { readonly id: string } | { readonly event: EventSourceMessage }

/** Unless the service says how long to wait. */
const firstWaitMsDefault = 250
const waitMsMax = 10_000
/** The service is stopping, or busy for the moment. */
const passingStatuses = new Set([429, 502, 503, 504])

/**
 * Ends when the signal aborts. Throws CommandError when the first connection cannot be made, or the
 * service refuses for good.
 */
export async function* tailEvents(options: TailEventsOptions): AsyncGenerator<EventSourceMessage> {
  const { signal } = options
  let lastId = ''
  let wasConnected = false
  let attempt = 0
  let firstWaitMs = firstWaitMsDefault
  const onRetry = (milliseconds: number) => {
    firstWaitMs = milliseconds
  }
  while (!signal.aborted) {
    try {
      const body = await connect(options, lastId)
      if (attempt > 0) options.onBack()
      wasConnected = true
      for await (const part of partsOf(body, onRetry)) {
        // Not before: a service that takes connections only to end them is not well again.
        attempt = 0
        if ('id' in part) lastId = part.id
        else yield part.event
      }
      throw new Unreachable('the service ended the connection')
    } catch (error) {
      const reason = broken(error, options)
      if (signal.aborted) return
      if (!wasConnected || !mayPass(reason)) throw reason
      const waitMs = Math.min(firstWaitMs * 2 ** attempt, waitMsMax)
      attempt++
      options.onLost(reason.message, waitMs)
      await options.pause(waitMs, signal).catch(() => {})
    }
  }
}

async function connect(
  { api, query, last, signal }: TailEventsOptions,
  lastId: string,
): Promise<ReadableStream<Uint8Array>> {
  const parameters = new URLSearchParams({ query, last: String(last) })
  const { body, headers } = await request(api, {
    path: `/api/v1/query/logs/tail?${parameters}`,
    headers: {
      accept: 'text/event-stream',
      ...(lastId === '' ? {} : { 'last-event-id': lastId }),
    },
    signal,
  })
  const isEventStream = headers.get('content-type')?.startsWith('text/event-stream')
  if (body === null || !isEventStream) throw strangeAnswer(api.url)
  return body
}

/**
 * Not the parser's own stream: what waits in a stream is lost when the connection breaks, and an id
 * must not be taken for seen before the event in front of it is.
 */
async function* partsOf(
  body: ReadableStream<Uint8Array>,
  onRetry: (milliseconds: number) => void,
): AsyncGenerator<Part> {
  let parts: Part[] = []
  const parser = createParser({
    onId: id => parts.push({ id }),
    onEvent: event => parts.push({ event }),
    onRetry,
  })
  const decoder = new TextDecoder()
  for await (const bytes of body) {
    parser.feed(decoder.decode(bytes, { stream: true }))
    yield* parts
    parts = []
  }
}

/** What went wrong as an error of ours; whatever is not one is the connection that broke off. */
function broken(error: unknown, { api }: TailEventsOptions): Error {
  const known = error instanceof CommandError ? error : lost(error, api)
  return known instanceof Error ? known : new Error(String(known))
}

function mayPass(reason: Error): boolean {
  return (
    reason instanceof Unreachable ||
    (reason instanceof ProblemAnswer && passingStatuses.has(reason.status))
  )
}
