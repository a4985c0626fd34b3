/**
 * This API described: as an OpenAPI document, and as a page for people. Both are made at the first look.
 */

import { readFileSync } from 'node:fs'
import { Type } from 'typebox'
import { version } from '../../config/version.ts'
import { ownFile } from '../../own-file.ts'
import { docsHtml, docsPolicy } from '../openapi/docs-page.ts'
import { openapiDocument } from '../openapi/document.ts'
import { jsonAnswer, textAnswer } from '../openapi/operation.ts'
import type { JsonObject } from '../openapi/schema-json.ts'
import { jsonReply, type Reply } from '../reply/reply.ts'
import type { DescribedRoute } from '../route.ts'

const stylePath = '/docs/style.css'
const styleFile = ownFile('../openapi/docs.css', import.meta.url)

const pageHeaders = [['Cross-Origin-Opener-Policy', 'same-origin']] as const

/** `operations`, and the routes that describe them and themselves. */
export function withDocumentation(
  operations: readonly DescribedRoute[],
): readonly DescribedRoute[] {
  let document: JsonObject | undefined
  const forOthers = () => routes.filter(({ access }) => access !== 'front-end')
  const described = () => (document ??= openapiDocument(forOthers(), { version: version() }))
  const routes: readonly DescribedRoute[] = [
    ...operations,
    documentRoute(described),
    pageRoute(described),
    styleRoute(),
  ]
  return routes
}

function documentRoute(described: () => JsonObject): DescribedRoute {
  return {
    method: 'GET',
    path: '/openapi.json',
    access: 'open',
    body: 'none',
    about: {
      id: 'openapi',
      tag: 'Service',
      summary: 'This API as an OpenAPI 3.1 document',
      answers: {
        200: jsonAnswer('The document.', Type.Object({}, { additionalProperties: true })),
      },
      sample: {},
    },
    handle: once(() => jsonReply(described())),
  }
}

function pageRoute(described: () => JsonObject): DescribedRoute {
  return {
    method: 'GET',
    path: '/docs',
    access: 'open',
    body: 'none',
    about: {
      id: 'docs',
      tag: 'Service',
      summary: 'This API as a page for people',
      answers: { 200: textAnswer('The page.', 'text/html') },
      sample: {},
    },
    handle: once(() => ({
      status: 200,
      contentType: 'text/html; charset=utf-8',
      body: docsHtml(described(), { stylePath }),
      policy: docsPolicy,
      headers: pageHeaders,
    })),
  }
}

function styleRoute(): DescribedRoute {
  return {
    method: 'GET',
    path: stylePath,
    access: 'open',
    body: 'none',
    about: {
      id: 'docsStyle',
      tag: 'Service',
      summary: 'The style of that page',
      answers: { 200: textAnswer('The style.', 'text/css') },
    },
    handle: once(() => ({
      status: 200,
      contentType: 'text/css; charset=utf-8',
      body: readFileSync(styleFile),
    })),
  }
}

/** Makes a reply when it is first asked for, and returns the same from then on. */
function once(make: () => Reply): () => Reply {
  let reply: Reply | undefined
  return () => (reply ??= make())
}
