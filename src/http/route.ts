/**
 * What a route is: method, path, who may, what body, and which handler; and what handlers get to know
 * of a request. A route without an access rule, or one that takes events without an ingestion token,
 * does not compile; nor does one of the service's own without a description.
 */

import type { IngestionToken } from '../catalog/ingestion-tokens.ts'
import type { Role } from '../catalog/roles.ts'
import type { BodyClaim } from '../ingest/body-memory.ts'
import type { DecodedBody } from '../ingest/sealed-body.ts'
import type { Caller } from './access/grant.ts'
import type { BrowserHeaders } from './access/own-page.ts'
import type { ExpectedBody } from './body/expected-body.ts'
import type { StreamedBody } from './body/streamed-body.ts'
import type { Operation } from './openapi/operation.ts'
import type { ErrorForm } from './reply/error-form.ts'
import type { Reply } from './reply/reply.ts'
import type { RequestHead } from './request-head.ts'

export type Handler<Request> = (request: Request) => Reply | Promise<Reply>

/** What every request but an event's comes with. */
export interface AskingRequest {
  /** What stands for `{name}` in the path, decoded. */
  pathParameter(name: string): string
  /** Headers that say in which form the answer is wanted, and on what condition; empty when absent. */
  readonly headers: RequestHeaders
  /** Who asks; empty on routes that are open. */
  readonly caller: Caller
  /** What a browser says of where the request comes from. */
  readonly browser: BrowserHeaders
  /** Aborts when the client goes away, or a live answer is to end. Made at the first call. */
  signal(): AbortSignal
  /** Whether the credential would still be let through: a live answer may outlast it. */
  isStillGranted(): boolean
}

export interface RequestHeaders {
  readonly accept: string
  readonly acceptEncoding: string
  readonly lastEventId: string
  readonly ifNoneMatch: string
  readonly ifMatch: string
  /** Of Loki's clients: what an answer may have beyond the plain form. */
  readonly lokiEncodingFlags: string
  /** Of assistants: the version of the Model Context Protocol, and what the body says already. */
  readonly mcpProtocolVersion: string
  readonly mcpMethod: string
  readonly mcpName: string
}

export interface PlainRequest extends AskingRequest {
  /** What follows the `?`, decoded. */
  readonly query: URLSearchParams
}

export interface FormRequest extends AskingRequest {
  /** Of a form in the body first, then of the query string. */
  readonly parameters: URLSearchParams
}

export interface JsonRequest extends AskingRequest {
  /** What the body says; its shape is for the handler to check. */
  readonly body: unknown
  /** As it came. Only lent: to be read before the handler waits for anything. */
  readonly bytes: Buffer
}

/** What a sender asks with its token, without sending events. */
export interface SenderRequest {
  readonly token: IngestionToken
  /** What stands for `{name}` in the path, decoded. */
  pathParameter(name: string): string
}

export interface IngestRequest
  extends SenderRequest,
    Pick<RequestHead, 'splunkChannel' | 'idempotencyKey'> {
  /**
   * Decoded, within the route's limit; may be empty; a large one may be sealed. When it is small it is
   * only lent, see `body/collect-body.ts`: it must be read before the handler waits for anything.
   */
  readonly body: DecodedBody
  /** What follows the `?`, still encoded. */
  readonly query: string
  /** The one of the route's that the body has; as it came when any is taken. */
  readonly contentType: string
  /** What the request takes of the memory for bodies, until it is answered. */
  readonly memory: BodyClaim
}

/** A body that is taken as it comes. */
export interface StreamedRequest extends SenderRequest {
  /** The body, see `body/streamed-body.ts`. Rejects when the client goes away or the service stops. */
  readonly pieces: StreamedBody
  /** Throws unless the credential would still be let through. */
  requireGrant(): void
  /** What the request takes of the memory for bodies, until it is answered. */
  readonly memory: BodyClaim
}

interface AnyRoute {
  readonly path: string
  /** The form of its errors, also of those before the handler; a problem document if absent. */
  readonly errors?: ErrorForm
  /** Whether an API key may come as the password of `Basic` credentials, for clients with no other way. */
  readonly takesBasic?: boolean
  /** Whether a front end with a primary passes it on; if absent, the changes of settings are. */
  readonly isOfPrimary?: boolean
  /** Whether pages of `--cors-origins` may call it, as all may that take an ingestion token. */
  readonly takesPages?: boolean
}

interface PlainRoute extends AnyRoute {
  readonly method: 'GET' | 'DELETE'
  readonly access: 'open' | 'front-end' | Role
  /** A body is not read. */
  readonly body: 'none'
  readonly handle: Handler<PlainRequest>
}

/** GET reads no body. POST takes a form; one without any body needs no `Content-Type`. */
interface FormRoute extends AnyRoute {
  readonly method: 'GET' | 'POST'
  readonly access: Role
  readonly body: 'form'
  readonly handle: Handler<FormRequest>
}

interface JsonRoute extends AnyRoute {
  readonly method: 'POST' | 'PUT'
  readonly access: 'open' | Role
  readonly body: 'json'
  readonly handle: Handler<JsonRequest>
}

interface IngestRoute extends AnyRoute, ExpectedBody {
  readonly method: 'POST'
  readonly access: 'ingestion-token'
  readonly body: 'ingest'
  /** A `Content-Encoding` that `handle` undoes. */
  readonly ownEncoding?: string
  /** A body is read although there is no room for its events: the handler says so of each. */
  readonly refusesEach?: boolean
  readonly handle: Handler<IngestRequest>
}

/** A body without an end in sight. It is not decoded, whatever its encoding. */
interface StreamedRoute extends AnyRoute {
  readonly method: 'POST'
  readonly access: 'ingestion-token'
  readonly body: 'streamed'
  readonly contentTypes: readonly string[]
  readonly handle: Handler<StreamedRequest>
}

/** What senders of a protocol ask before and between their events. A body is not read. */
interface SenderRoute extends AnyRoute {
  readonly method: 'GET' | 'POST' | 'PUT'
  readonly access: 'ingestion-token'
  readonly body: 'none'
  readonly handle: Handler<SenderRequest>
}

/** Becomes a WebSocket: the reply has `messages`. What a client sends on it is not looked at. */
interface SocketRoute extends AnyRoute {
  readonly method: 'GET'
  readonly access: Role
  readonly body: 'socket'
  readonly handle: Handler<PlainRequest>
}

export type Route =
  | PlainRoute
  | SocketRoute
  | FormRoute
  | JsonRoute
  | IngestRoute
  | StreamedRoute
  | SenderRoute

/** A route and what the API's document says of it. */
export type DescribedRoute = Route & { readonly about: Operation }
