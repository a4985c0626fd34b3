/**
 * Holds every answer that a test fetches against the OpenAPI document: an operation, status, content type or
 * shape that the document does not know fails the test that met it.
 *
 * The global `fetch` is wrapped; servers are told to it by `conforms`. Status and type are checked when the
 * headers are there, the body when the test reads it as text or JSON. Objects may have no more fields than
 * are described, though the document itself leaves that open.
 */

import { Compile, type Validator } from 'typebox/schema'
import type { Json, JsonObject } from '../../src/http/openapi/schema-json.ts'
import { routesAt } from '../../src/http/paths.ts'
import { type ProblemCode, problems } from '../../src/problems.ts'
import type { Described, DescribedPath } from './described.ts'

const servers = new Map<string, Described>()

/** From now on answers of the server at `url` are checked, if its routes are described. */
export function conforms(url: string, described: Described): void {
  if (described.routes.length > 0) servers.set(new URL(url).origin, described)
}

/** The server at `url` ends: who listens there next is another one. */
export function endChecks(url: string): void {
  servers.delete(new URL(url).origin)
}

const checks = new WeakMap<Response, (body: string) => void>()

/** For a test that reads a body as a stream: checks what it has read, up to a whole event or line. */
export function checkRead(response: Response, body: string): void {
  const check = checks.get(response)
  if (check === undefined) throw new Error('the server is not held to the document')
  check(body)
}

const plainFetch = globalThis.fetch

globalThis.fetch = async (input, init) => {
  const response = await plainFetch(input, init)
  const { origin, pathname } = new URL(input instanceof Request ? input.url : input)
  const server = servers.get(origin)
  if (server === undefined) return response
  const method = init?.method ?? 'GET'
  const check = checkAnswer(server, { method, path: pathname }, response)
  // The rest is done when the test looks at the body; what it streams stays its own.
  checks.set(response, check)
  const text = async () => {
    const body = await Response.prototype.text.call(response)
    check(body)
    return body
  }
  const json = async () => JSON.parse(await text())
  return Object.assign(response, { text, json })
}

interface Asked {
  readonly method: string
  readonly path: string
}

/** Checks status and content type; gives the check of the body. */
function checkAnswer(
  { routes, document }: Described,
  { method, path }: Asked,
  response: Response,
): (body: string) => void {
  const { status } = response
  const where = `${method} ${path} answered ${status}`
  const type = response.headers.get('content-type')?.split(';', 1)[0]
  const atPath = routesAt(routes, path)
  const asked = method === 'HEAD' ? 'GET' : method
  const route = atPath.find(one => one.method === asked)
  if (route === undefined) return checkTurnedAway(where, { status, type, method, atPath })

  const operation = (document.paths as Tree)[route.path]![route.method.toLowerCase()] as Tree
  const answer = operation.responses![String(status)] as Tree | undefined
  if (answer === undefined) throw new Error(`${where}: this status is not described`)
  const contents = (answer.content ?? {}) as Readonly<Record<string, Tree>>
  if (type === undefined && Object.keys(contents).length === 0) return () => undefined
  const content = type === undefined ? undefined : contents[type]
  if (content === undefined) throw new Error(`${where}: ${type} is not described`)
  return body => {
    if (method !== 'HEAD') checkBody(where, { type: type!, body, content, document })
  }
}

type Tree = Readonly<Record<string, JsonObject>>

/** What no route takes: 404, 405, an answer to OPTIONS, or 503 while the service stops. */
function checkTurnedAway(
  where: string,
  {
    status,
    type,
    method,
    atPath,
  }: {
    readonly status: number
    readonly type: string | undefined
    readonly method: string
    readonly atPath: readonly DescribedPath[]
  },
): (body: string) => void {
  if (status === 200 && method === 'OPTIONS' && atPath.length > 0) return () => undefined
  const code: ProblemCode = atPath.length === 0 ? 'path_unknown' : 'method_unknown'
  const isExpected = status === problems[code].status || status === problems.stopping.status
  if (!isExpected) throw new Error(`${where}: the document has no such operation`)
  const expected = atPath[0]?.errors === undefined ? 'application/problem+json' : 'application/json'
  if (type !== expected) throw new Error(`${where}: expected ${expected}, was ${type}`)
  return () => undefined
}

interface Body {
  readonly type: string
  readonly body: string
  readonly content: Tree
  readonly document: JsonObject
}

function checkBody(where: string, { type, body, content, document }: Body): void {
  const { 'x-lines': lines, 'x-events': events } = content
  const check = (schema: Json, value: unknown) => checkValue(where, { schema, value, document })
  if (/json$/.test(type)) {
    if (lines === undefined) check(content.schema!, JSON.parse(body))
    else for (const line of linesOf(body)) check(lines, JSON.parse(line))
  } else if (events !== undefined) {
    for (const { name, data } of eventsOf(body)) {
      const schema = events[name]
      if (schema === undefined) throw new Error(`${where}: event ${name} is not described`)
      check(schema, JSON.parse(data))
    }
  }
}

const linesOf = (text: string) => text.split('\n').filter(line => line !== '')

/** The whole events of a stream. */
function* eventsOf(text: string): Generator<{ name: string; data: string }> {
  for (const block of text.split('\n\n').slice(0, -1)) {
    const name = /^event: ?(.*)$/m.exec(block)?.[1]
    const data = /^data: ?(.*)$/m.exec(block)?.[1]
    if (data !== undefined) yield { name: name ?? 'message', data }
  }
}

const validators = new Map<string, Validator>()
/** The same by the schema itself, which stays as it is: to write it out takes longer than to check. */
const validatorsBySchema = new WeakMap<object, Validator>()

function validatorOf(schema: Json, document: JsonObject): Validator {
  const isObject = typeof schema === 'object' && schema !== null
  const known = isObject ? validatorsBySchema.get(schema) : undefined
  if (known !== undefined) return known
  const closed = closedSchema(schema, (document.components as Tree).schemas!)
  const text = JSON.stringify(closed)
  const validator = validators.get(text) ?? Compile(closed as object)
  validators.set(text, validator)
  if (isObject) validatorsBySchema.set(schema, validator)
  return validator
}

function checkValue(
  where: string,
  { schema, value, document }: { schema: Json; value: unknown; document: JsonObject },
): void {
  const validator = validatorOf(schema, document)
  if (validator.Check(value)) return
  const [, failures] = validator.Errors(value)
  const faults = failures
    .slice(0, 3)
    .map(({ instancePath, message }) => `${instancePath} ${message}`)
  const shown = JSON.stringify(value).slice(0, 500)
  throw new Error(`${where}: not as described: ${faults.join('; ')}: ${shown}`)
}

/** Without references, and with no fields but those that are named. */
function closedSchema(schema: Json, named: JsonObject): Json {
  if (Array.isArray(schema)) return schema.map(one => closedSchema(one, named))
  if (typeof schema !== 'object' || schema === null) return schema
  const { $ref, allOf } = schema as JsonObject
  if (typeof $ref === 'string') return closedSchema(named[$ref.split('/').at(-1)!]!, named)
  if (Array.isArray(allOf)) {
    const [whole, ...narrower] = allOf // The others only narrow what the first has.
    return { allOf: [closedSchema(whole, named), ...narrower] }
  }
  const members = Object.entries(schema).map(([name, member]) => [
    name,
    closedSchema(member, named),
  ])
  const closed = Object.fromEntries(members)
  const isOpen = 'additionalProperties' in closed || closed.type !== 'object'
  return isOpen || closed.properties === undefined
    ? closed
    : { ...closed, additionalProperties: false }
}
