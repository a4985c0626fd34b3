/**
 * What front ends of one cluster say to each other: a primary gives its settings to the others, which pass
 * changes on to it.
 */
import { settingsFeedSchema } from '../../catalog/primary/feed.ts'
import { feedPath, PrimaryAway } from '../../catalog/primary/primary.ts'
import { ProblemError } from '../../problems.ts'
import type { FeedDoor, PrimaryDoor } from '../dependencies.ts'
import { jsonAnswer } from '../openapi/operation.ts'
import { jsonReply, type Reply } from '../reply/reply.ts'
import type { AskingRequest, DescribedRoute, JsonRequest } from '../route.ts'

const retrySeconds = 5
/** How long a request may wait for a change, ms. */
const waitMsMax = 10_000

/** Of a primary: its settings, or what has changed of them. Not in the API's document, as no client's. */
export function feedRoutes(feed: FeedDoor | undefined): readonly DescribedRoute[] {
  if (feed === undefined) return []
  return [
    {
      method: 'GET',
      path: feedPath,
      access: 'front-end',
      body: 'none',
      about: {
        id: 'followSettings',
        tag: 'Settings',
        summary: 'What has changed of the settings',
        answers: { 200: jsonAnswer('Since the version that is known.', settingsFeedSchema) },
      },
      async handle({ query }) {
        const asked = { epoch: query.get('epoch') ?? '', after: wholeNumber(query.get('after')) }
        const waitMs = Math.min(waitMsMax, wholeNumber(query.get('waitMs')))
        return jsonReply(await feed.since(asked, waitMs))
      },
    },
  ]
}

/** Anything else is 0: the whole of it, at once. */
function wholeNumber(text: string | null): number {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : 0
}

/** As a front end with a primary has them: changes of settings are the primary's to make. */
export function passedOn(
  routes: readonly DescribedRoute[],
  primary: PrimaryDoor | undefined,
): readonly DescribedRoute[] {
  if (primary === undefined) return routes
  return routes.map((route): DescribedRoute => {
    // What a viewer may ask changes nothing.
    const isOfPrimary = route.isOfPrimary ?? (route.method !== 'GET' && route.access !== 'viewer')
    if (!isOfPrimary) return route
    const { method, path, body } = route
    const passed = (request: AskingRequest, bytes?: Buffer) =>
      passOn(primary, { method, path: pathOf(path, request), ...(bytes && { bytes }) }, request)
    if (body === 'json')
      return { ...route, handle: (request: JsonRequest) => passed(request, request.bytes) }
    if (body === 'none' && route.access !== 'ingestion-token') {
      return { ...route, handle: (request: AskingRequest) => passed(request) }
    }
    throw new TypeError(`BUG: ${method} ${path} cannot be passed on`)
  })
}

function pathOf(pattern: string, request: AskingRequest): string {
  return pattern.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(request.pathParameter(name)),
  )
}

async function passOn(
  primary: PrimaryDoor,
  asked: { readonly method: string; readonly path: string; readonly bytes?: Buffer },
  { caller, headers }: AskingRequest,
): Promise<Reply> {
  const { method, path, bytes } = asked
  const { ifMatch, accept } = headers
  try {
    const answer = await primary.passOn({
      ...{ method, path, callerId: caller.apiKey?.id ?? '' },
      // Copied: a small one is only lent.
      ...(bytes && { body: Buffer.from(bytes) }),
      headers: { ...(ifMatch && { 'if-match': ifMatch }), ...(accept && { accept }) },
    })
    if (answer.status < 300) await primary.catchUp()
    return replyOf(answer)
  } catch (error) {
    if (!(error instanceof PrimaryAway)) throw error
    const what = error.isUntouched ? 'nothing was changed' : 'whether it was changed is not known'
    const detail = `settings are changed on the primary, which does not answer: ${error.message}; ${what}`
    throw new ProblemError('primary_unreachable', detail, { retryAfterSeconds: retrySeconds })
  }
}

/** Headers of an answer that are about its content, and not about the connection that it came by. */
const passedHeaders = ['ETag', 'Location', 'Retry-After', 'WWW-Authenticate'] as const

function replyOf({ status, headers, body }: Awaited<ReturnType<PrimaryDoor['passOn']>>): Reply {
  const contentType = headers.get('content-type')
  return {
    status,
    ...(contentType !== null && { contentType }),
    ...(body.length > 0 && { body }),
    headers: passedHeaders.flatMap(name => {
      const value = headers.get(name)
      return value === null ? [] : [[name, value] as const]
    }),
  }
}
