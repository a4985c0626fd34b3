/** What a handler gets to know of a request besides its body: read while the request is valid. */

import type { BrowserHeaders } from './access/own-page.ts'
import type { NativeRequest } from './native.ts'
import { readPathParameters } from './paths.ts'
import type { AskingRequest } from './route.ts'

/** Who asks, and how to learn what becomes of him. */
export type From = Pick<AskingRequest, 'caller' | 'browser' | 'isStillGranted' | 'signal'>

/** `parameterNames`: of the path, in order. Throws `path_unknown` if it cannot be decoded. */
export function readAsked(
  request: NativeRequest,
  parameterNames: readonly string[],
  from: From,
): AskingRequest {
  return {
    ...from,
    pathParameter: readPathParameters(parameterNames, request),
    headers: {
      accept: request.getHeader('accept'),
      acceptEncoding: request.getHeader('accept-encoding'),
      lastEventId: request.getHeader('last-event-id'),
      ifNoneMatch: request.getHeader('if-none-match'),
      ifMatch: request.getHeader('if-match'),
      lokiEncodingFlags: request.getHeader('x-loki-response-encoding-flags'),
      mcpProtocolVersion: request.getHeader('mcp-protocol-version'),
      mcpMethod: request.getHeader('mcp-method'),
      mcpName: request.getHeader('mcp-name'),
    },
  }
}

/**
 * The headers by which a browser's request is judged, each empty when absent. Only valid in the callback that
 * has `request`; what it returns stays.
 */
export function readBrowserHeaders(request: NativeRequest): BrowserHeaders {
  return {
    host: request.getHeader('host'),
    origin: request.getHeader('origin'),
    secFetchSite: request.getHeader('sec-fetch-site'),
    cookie: request.getHeader('cookie'),
    contentType: request.getHeader('content-type'),
    forwardedProto: request.getHeader('x-forwarded-proto'),
  }
}
