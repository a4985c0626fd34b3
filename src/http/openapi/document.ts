/**
 * The OpenAPI 3.1 document of this API, made from the table of routes: what a route says of itself (method,
 * path, who may, what body), what describes it in words, and the schemas that check its requests.
 */

import { limits } from '../../limits.ts'
import { type ProblemCode, ProblemError, problems } from '../../problems.ts'
import { formContentType } from '../body/form.ts'
import { parameterNames } from '../paths.ts'
import type { DescribedRoute } from '../route.ts'
import { problemSchema } from '../schemas/problem.ts'
import { introduction } from './introduction.ts'
import { withNulls } from './nullable.ts'
import type { Answer, BodyDescription, Content } from './operation.ts'
import { problemsOf } from './route-problems.ts'
import { shellOf } from './samples.ts'
import { fieldsJson, type Json, type JsonObject, namedSchemas, schemaJson } from './schema-json.ts'
import { tags } from './tags.ts'

/** The OpenAPI 3.1 document of `routes`, in their order. */
export function openapiDocument(
  routes: readonly DescribedRoute[],
  { version }: { readonly version: string },
): JsonObject {
  const paths: Record<string, Record<string, Json>> = {}
  for (const route of routes) {
    const method = route.method.toLowerCase()
    paths[route.path] = { ...paths[route.path], [method]: operationJson(route) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Logstrata',
      version,
      summary: 'Events in over HTTP, on disk before the 200, found by the very next query.',
      description: introduction,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'The service that this document came from.' }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    components: { schemas: namedSchemas([routes, problemSchema]), securitySchemes },
  }
}

const securitySchemes = {
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    description: 'An API key. A bare key without `Bearer` is taken too.',
  },
  password: {
    type: 'http',
    scheme: 'basic',
    description: 'An API key as the password; the user may be anything.',
  },
  ingestionToken: {
    type: 'http',
    scheme: 'bearer',
    description:
      'An ingestion token. Taken too: `Basic` with the token as the password, `Splunk` and `ApiKey` (the token, or `id:token` in base64) before it, and the headers `DD-API-KEY` and `X-API-Key`.',
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'logstrata_session',
    description:
      'The session of the page. Behind the name stand `_` and the port, if the address has one. Counts only for requests of our own page.',
  },
} as const

function operationJson(route: DescribedRoute): Json {
  const { about, access } = route
  const parameters = [...pathParametersJson(route), ...parametersJson(route)]
  const body = bodyJson(route)
  return {
    operationId: route.method === 'POST' && route.body === 'form' ? `${about.id}ByForm` : about.id,
    tags: [about.tag],
    summary: about.summary,
    ...(about.description === undefined ? {} : { description: about.description }),
    ...(access === 'open' ? {} : { 'x-access': access }),
    security: securityOf(route),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: body }),
    responses: answersJson(route),
    ...samplesJson(route),
  }
}

function securityOf({ access, takesBasic = false }: DescribedRoute): Json {
  if (access === 'open') return []
  if (access === 'ingestion-token') return [{ ingestionToken: [] }]
  return [{ apiKey: [] }, ...(takesBasic ? [{ password: [] }] : []), { session: [] }]
}

function pathParametersJson({ path, about }: DescribedRoute): JsonObject[] {
  return parameterNames(path).map(name => ({
    name,
    in: 'path',
    required: true,
    description: about.pathParameters?.[name] ?? '',
    schema: { type: 'string' },
  }))
}

function parametersJson({ about, body, method }: DescribedRoute): JsonObject[] {
  const headers = Object.entries(about.headers ?? {}).map(([name, description]) => ({
    name,
    in: 'header',
    description,
    schema: { type: 'string' },
  }))
  if (about.parameters === undefined || (body === 'form' && method === 'POST')) return headers
  const { properties = {}, required = [] } = fieldsJson(about.parameters)
  const inQuery = Object.entries(properties as Record<string, JsonObject>).map(
    ([name, { description = '', ...schema }]) => ({
      name,
      in: 'query',
      ...((required as readonly string[]).includes(name) ? { required: true } : {}),
      description,
      schema,
    }),
  )
  return [...inQuery, ...headers]
}

function bodyJson({ about, body, method }: DescribedRoute): JsonObject | undefined {
  if (body === 'form' && method === 'POST') {
    const schema = about.parameters === undefined ? {} : fieldsJson(about.parameters)
    return {
      description: `At most ${limits.formBodyBytesMax / 1024} KiB; what it lacks is taken from the query string.`,
      content: { [formContentType]: { schema } },
    }
  }
  if (about.body === undefined) return undefined
  return { required: true, content: requestContents(about.body, about.sample?.body) }
}

function requestContents(body: BodyDescription, example: unknown): Json {
  if ('contents' in body) return contentsJson(body.contents)
  const content = { schema: withNulls(fieldsJson(body)) }
  const shown = example === undefined ? {} : { example: example as Json }
  return { 'application/json': { ...content, ...shown } }
}

function answerJson({ description, contents, headers }: Answer): JsonObject {
  return {
    description,
    ...(headers === undefined ? {} : { headers: headersJson(headers) }),
    ...(contents === undefined ? {} : { content: contentsJson(contents) }),
  }
}

const headersJson = (headers: Readonly<Record<string, string>>): Json =>
  Object.fromEntries(
    Object.entries(headers).map(([name, description]) => [
      name,
      { description, schema: { type: 'string' } },
    ]),
  )

function contentsJson(contents: Readonly<Record<string, Content>>): JsonObject {
  return Object.fromEntries(
    Object.entries(contents).map(([type, { schema, lines, events, example }]) => [
      type,
      {
        schema: schemaJson(schema),
        ...(lines === undefined ? {} : { 'x-lines': schemaJson(lines) }),
        ...(events === undefined ? {} : { 'x-events': schemaJson(events) }),
        ...(example === undefined ? {} : { example: example as Json }),
      },
    ]),
  )
}

/** What is described, and one answer for each status of the problems; where both meet, both. */
function answersJson(route: DescribedRoute): Json {
  const answers: Record<string, JsonObject> = {}
  for (const [status, answer] of Object.entries(route.about.answers)) {
    answers[status] = answerJson(answer)
  }
  const byStatus = Map.groupBy(problemsOf(route), code => statusOf(code, route.errors))
  for (const [status, codes] of byStatus) {
    const problem = problemAnswer(status, codes, route.errors)
    const described = answers[status]
    answers[status] = described === undefined ? problem : bothOf(described, problem)
  }
  return answers
}

function bothOf(one: JsonObject, other: JsonObject): JsonObject {
  const description = `${String(one.description)}\n\n${String(other.description)}`
  const content = { ...(one.content as JsonObject), ...(other.content as JsonObject) }
  return { ...other, ...one, description, content }
}

function problemAnswer(
  status: number,
  codes: readonly ProblemCode[],
  errors: DescribedRoute['errors'],
): JsonObject {
  const listed = codes.map(code => `- \`${code}\`: ${problems[code].title}.`).join('\n')
  const headers = {
    ...(status === 401 || status === 403 ? { 'WWW-Authenticate': 'What is asked for.' } : {}),
    ...(status === 429 || status === 503 ? { 'Retry-After': 'Seconds; not always there.' } : {}),
  }
  return {
    description: listed,
    ...(Object.keys(headers).length === 0 ? {} : { headers: headersJson(headers) }),
    content: errorContents(codes, errors),
  }
}

function errorContents(
  codes: readonly ProblemCode[],
  errors: DescribedRoute['errors'],
): JsonObject {
  if (errors !== undefined) return contentsJson(errors.contents)
  const schema = { allOf: [schemaJson(problemSchema), { properties: { code: { enum: codes } } }] }
  return { 'application/problem+json': { schema } }
}

function statusOf(code: ProblemCode, errors: DescribedRoute['errors']): number {
  const error = new ProblemError(code, '')
  return errors?.statusOf(error) ?? error.status
}

function samplesJson(route: DescribedRoute): JsonObject {
  const { sample } = route.about
  if (sample === undefined) return {}
  return { 'x-codeSamples': [{ lang: 'Shell', label: 'curl', source: shellOf(route, sample) }] }
}
