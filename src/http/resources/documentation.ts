/** This API described: as an OpenAPI document, and as a page for people. Both are made at the first look. */

import { readFileSync } from 'node:fs'
import { version } from '../../config/version.ts'
import { ownFile } from '../../own-file.ts'
import { docsHtml, docsPolicy } from '../openapi/docs-page.ts'
import { openapiDocument } from '../openapi/document.ts'
import type { JsonObject } from '../openapi/schema-json.ts'
import { serviceOperations } from '../openapi/service-operations.ts'
import { jsonReply, type Reply } from '../reply/reply.ts'
import type { DescribedRoute } from '../routes.ts'

const stylePath = '/docs/style.css'
const styleFile = ownFile('../openapi/docs.css', import.meta.url)

const pageHeaders = [['Cross-Origin-Opener-Policy', 'same-origin']] as const

/** `operations`, and the routes that describe them and themselves. */
export function withDocumentation(
  operations: readonly DescribedRoute[],
): readonly DescribedRoute[] {
  let document: JsonObject | undefined
  const described = () => (document ??= openapiDocument(routes, { version: version() }))
  const open = { method: 'GET', access: 'open', body: 'none' } as const
  const routes: readonly DescribedRoute[] = [
    ...operations,
    {
      ...open,
      path: '/openapi.json',
      handle: once(() => jsonReply(described())),
      about: serviceOperations.document,
    },
    {
      ...open,
      path: '/docs',
      handle: once(() => ({
        status: 200,
        contentType: 'text/html; charset=utf-8',
        body: docsHtml(described(), { stylePath }),
        policy: docsPolicy,
        headers: pageHeaders,
      })),
      about: serviceOperations.docs,
    },
    {
      ...open,
      path: stylePath,
      handle: once(() => ({
        status: 200,
        contentType: 'text/css; charset=utf-8',
        body: readFileSync(styleFile),
      })),
      about: serviceOperations.docsStyle,
    },
  ]
  return routes
}

/** Makes a reply when it is first asked for, and gives the same from then on. */
function once(make: () => Reply): () => Reply {
  let reply: Reply | undefined
  return () => (reply ??= make())
}
