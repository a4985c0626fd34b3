/**
 * One protocol whose clients may send here as they are: a row of the table in `senders.ts`, from which its
 * routes are made. Its decoder is in `ingest/formats/`; here is how it is asked and answered.
 */

import { type FormatName, formats } from '../../../ingest/formats/formats.ts'
import type { IngestBatchResult } from '../../../ingest/ingest.ts'
import { isSealed, opened } from '../../../ingest/sealed-body.ts'
import { bodyTooLarge } from '../../body/collect-body.ts'
import type { HttpDependencies } from '../../dependencies.ts'
import type { Operation } from '../../openapi/operation.ts'
import type { ErrorForm } from '../../reply/error-form.ts'
import type { Reply } from '../../reply/reply.ts'
import type { DescribedRoute, IngestRequest } from '../../route.ts'
import { recordProblems } from '../events/events.ts'
import { keyHeader, keyProblems, readIdempotencyKey } from '../events/idempotency-key.ts'

export type SenderDependencies = Pick<HttpDependencies, 'config' | 'ingest' | 'health'>

export interface Sender {
  /** By the id of the operation in the API's document: protocols have several paths for the same. */
  readonly paths: Readonly<Record<string, string>>
  /** Undefined: any, or none. */
  readonly contentTypes: readonly string[] | undefined
  /** The decoder; by the content type where a protocol has several encodings. */
  readonly format: FormatName | ((contentType: string) => FormatName)
  /** The field of an event that has its time, where the decoder has none of its own. */
  readonly timestampField?: string
  /** A `Content-Encoding` that the decoder undoes. */
  readonly ownEncoding?: string
  /** Its events have keys of their own, and answers: the whole request has no key then. */
  readonly hasEventKeys?: true
  /** What path and query say of all events; nothing when absent. */
  readonly given?: (request: IngestRequest) => Readonly<Record<string, string>>
  /** The answer when all that could be read is on disk. */
  readonly acknowledge: (result: IngestBatchResult, request: IngestRequest) => Reply
  /** The protocol's own words for what is refused as a whole; a problem document where it has none. */
  readonly errors?: ErrorForm
  readonly about: Omit<Operation, 'id' | 'tag'>
}

export function routesOf(
  sender: Sender,
  { config, ingest }: SenderDependencies,
): readonly DescribedRoute[] {
  const { format, given, acknowledge, about, ownEncoding, errors, hasEventKeys } = sender
  const { batchBytesMax } = config
  const headers = hasEventKeys ? about.headers : { ...about.headers, ...keyHeader }
  const ofKey = hasEventKeys ? [] : keyProblems
  return Object.entries(sender.paths).map(([id, path]) => ({
    method: 'POST',
    path,
    access: 'ingestion-token',
    body: 'ingest',
    contentTypes: sender.contentTypes,
    bodyBytesMax: batchBytesMax,
    ...(ownEncoding !== undefined && { ownEncoding }),
    ...(refusesEach(sender) && { refusesEach: true }),
    ...(errors !== undefined && { errors }),
    about: {
      ...about,
      id,
      tag: 'Senders',
      ...(headers !== undefined && { headers }),
      problems: [...recordProblems, ...ofKey, 'events_unreadable', ...(about.problems ?? [])],
    },
    async handle(request) {
      const { token, memory, contentType, idempotencyKey } = request
      const chosen = typeof format === 'string' ? format : format(contentType)
      const { decodedBytes } = formats[chosen]
      const body = decodedBytes === undefined ? request.body : opened(request.body)
      if (!isSealed(body) && (decodedBytes?.(body) ?? 0) > batchBytesMax) {
        throw bodyTooLarge(batchBytesMax)
      }
      const options = {
        format: chosen,
        timestampField: sender.timestampField,
        parse: token.parse,
        given: given?.(request),
        key: hasEventKeys ? undefined : readIdempotencyKey(idempotencyKey),
      }
      return acknowledge(await ingest.batch(body, token, options, memory), request)
    },
  }))
}

function refusesEach({ format }: Sender): boolean {
  return typeof format === 'string' && formats[format].refuseEach !== undefined
}

/** Of the parameters that follow the `?`, those of these names; of several values the first. */
export function pickParameters(query: string, names: readonly string[]): Record<string, string> {
  if (query === '') return {}
  const parameters = new URLSearchParams(query)
  const found = names.map(name => [name, parameters.get(name) ?? ''] as const)
  return Object.fromEntries(found.filter(([, value]) => value !== ''))
}
