import t from 'tap'
import type { Sample } from '../../src/http/openapi/operation.ts'
import type { Json, JsonObject } from '../../src/http/openapi/schema-json.ts'
import type { DescribedRoute } from '../../src/http/route.ts'
import { createRoutes } from '../../src/http/routes.ts'
import { type ProblemCode, ProblemError, problems } from '../../src/problems.ts'
import { checkRead } from '../http/conforms.ts'
import { standIns } from '../http/stand-ins.ts'
import { adminKey, type ServiceProcess, startService, startServiceOf } from './service-process.ts'

const routes = createRoutes(standIns().dependencies)

/** What the samples keep in variables of the shell. */
type Variables = Readonly<Record<string, string>>

async function startWithData(dataDir: string): Promise<[ServiceProcess, Variables]> {
  const service = await startService(dataDir, { flags: ['--max-batch-bytes', '2MiB'] })
  const { call } = service
  const tokens = '/api/v1/settings/ingestion-tokens'
  const body = { serviceName: 'checkout', environment: 'test' }
  const { token } = (await call('POST', tokens, { body })).body
  const event = { level: 'error', message: 'payment timed out', ms: 5 }
  await call('POST', '/api/v1/webhook/event/log', { token, body: event })
  const { logs } = (await service.query('logs')).body
  const { id: TOKEN_ID } = (await call('POST', tokens, { body })).body
  const key = { name: 'k', role: 'viewer' }
  const { id: KEY_ID } = (await call('POST', '/api/v1/settings/api-keys', { body: key })).body
  const saved = { name: 'q', query: 'logs' }
  const { id: QUERY_ID } = (await call('POST', '/api/v1/saved-queries', { body: saved })).body
  const matchers = [{ label: 'environment', operator: '=', value: 'dev' }]
  const silence = { matchers, until: Date.now() + 86_400_000, comment: 'for a day' }
  const { id: SILENCE_ID } = (await call('POST', '/api/v1/alerts/silences', { body: silence })).body
  const webhook = { url: 'http://127.0.0.1:9/' }
  const receiver = { id: 'on-call', name: 'on call', kind: 'webhook', webhook }
  await call('POST', '/api/v1/alerts/receivers', { body: receiver })
  const ids = { TOKEN_ID, KEY_ID, QUERY_ID, SILENCE_ID, RECORD_ID: logs[0].id }
  return [service, { TOKEN: token, KEY: adminKey, ...ids }]
}

function filledIn(text: string, variables: Variables): string {
  return text.replaceAll(/\$([A-Z_]+)/g, (whole, name) => variables[name] ?? whole)
}

/** Sends the sample of a route, otherwise or by another where `change` says so. */
async function send(
  { url }: ServiceProcess,
  route: DescribedRoute,
  variables: Variables,
  change: Partial<Sample> & { readonly authorization?: string } = {},
): Promise<Response> {
  const { authorization, ...sample } = { ...route.about.sample, ...change }
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name) =>
    encodeURIComponent(filledIn(sample.path?.[name] ?? 'x', variables)),
  )
  const parameters = new URLSearchParams(sample.parameters)
  const isForm = route.body === 'form' && route.method === 'POST'
  const isRaw = typeof sample.body === 'string'
  const json = isRaw ? (sample.body as string) : JSON.stringify(sample.body)
  const body = isForm ? parameters : sample.body === undefined ? undefined : json
  const secret = route.access === 'ingestion-token' ? variables.TOKEN : adminKey
  return fetch(`${url}${path}${isForm || parameters.size === 0 ? '' : `?${parameters}`}`, {
    method: route.method,
    headers: {
      ...(route.access === 'open' ? {} : { Authorization: authorization ?? `Bearer ${secret}` }),
      ...(isForm || body === undefined
        ? {}
        : { 'Content-Type': sample.contentType ?? 'application/json' }),
      ...sample.headers,
    },
    ...(body === undefined
      ? {}
      : { body: typeof body === 'string' ? filledIn(body, variables) : body }),
  })
}

/** Where an answer that has no end of its own has given enough: a whole event, or a whole line. */
const enoughOf: Readonly<Record<string, RegExp>> = {
  '/api/v1/query/logs/tail': /^event: record\n(?:.+\n)*\n/m,
  '/api/v1/settings/backup': /\n$/,
}

async function readUntil(response: Response, enough: RegExp): Promise<string> {
  let text = ''
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk
    if (enough.test(text)) break
  }
  return text
}

t.test('every route answers as the document says', async t => {
  const [service, variables] = await startWithData(t.testdir())
  t.teardown(() => service.end('SIGKILL'))
  for (const route of routes) {
    const where = `${route.method} ${route.path}`
    const response = await send(service, route, variables)
    const enough = enoughOf[route.path]
    if (enough !== undefined) {
      const text = await readUntil(response, enough)
      checkRead(response, text)
      t.match(text, enough, where)
      continue
    }
    await response.text()
    if (route.about.sample !== undefined) t.equal(Math.floor(response.status / 100), 2, where)
  }
})

/** The status of a problem, which some protocols have their own for. */
function statusOf({ errors }: DescribedRoute, code: ProblemCode): number {
  return errors?.statusOf(new ProblemError(code, '')) ?? problems[code].status
}

t.test('every route refuses as the document says', async t => {
  const [service, variables] = await startWithData(t.testdir())
  t.teardown(() => service.end('SIGKILL'))
  const refuses = async (
    route: DescribedRoute,
    change: Parameters<typeof send>[3],
    ...statuses: number[]
  ) => {
    const response = await send(service, route, variables, change)
    await response.text()
    t.ok(statuses.includes(response.status), `${route.method} ${route.path}: ${response.status}`)
  }
  for (const route of routes) {
    if (route.access !== 'open') {
      await refuses(route, { authorization: '' }, statusOf(route, 'credential_missing'))
      // From some number of guesses on they are refused unread.
      const invalid = statusOf(route, 'credential_invalid')
      await refuses(route, { authorization: 'Bearer nobody' }, invalid, 429)
      const isIngest = route.access === 'ingestion-token'
      const statuses = isIngest ? [200, 202, 204] : [403]
      await refuses(route, { authorization: `Bearer ${variables.TOKEN}` }, ...statuses)
    }
    if (route.body === 'json' || route.body === 'ingest') {
      const takesText = route.about.sample?.contentType === 'text/plain'
      const takesAnyType = route.body === 'ingest' && route.contentTypes === undefined
      if (!takesText) await refuses(route, { body: '{"a":' }, 400)
      await refuses(route, { body: '' }, 400)
      if (!takesAnyType) await refuses(route, { body: '{}', contentType: 'text/plain' }, 415)
      await refuses(route, { body: '{}', headers: { 'Content-Encoding': 'none' } }, 415)
      await refuses(route, { body: 'x'.repeat(3 << 20) }, 413)
    }
    const hasFields = Object.keys(route.about.sample?.body ?? {}).length > 0
    const needsFields = route.body === 'json' && hasFields && enoughOf[route.path] === undefined
    if (needsFields) await refuses(route, { body: {} }, 400)
    const { parameters } = route.about
    if (parameters?.schema.properties.query !== undefined) {
      const isNeeded = parameters.schema.required?.includes('query') === true
      if (isNeeded) await refuses(route, { parameters: {} }, 400)
      await refuses(route, { parameters: { ...route.about.sample?.parameters, query: 'l{' } }, 400)
    }
  }
})

type Path = readonly (string | number)[]

/** Every field of a body that may be absent, at any depth. */
function optionalFields({ properties, required, items }: JsonObject, at: Path = []): Path[] {
  const isNeeded = (name: string) => Array.isArray(required) && required.includes(name)
  const ofItems = isSchema(items) ? optionalFields(items, [...at, 0]) : []
  const ofFields = Object.entries(isSchema(properties) ? properties : {}).flatMap(
    ([name, field]) => {
      const inner = isSchema(field) ? optionalFields(field, [...at, name]) : []
      return isNeeded(name) ? inner : [[...at, name], ...inner]
    },
  )
  return [...ofItems, ...ofFields]
}

const isSchema = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * `body` with `value` at a path, whose objects and arrays are made where there are none; what is undefined is
 * not sent.
 */
function withAt(body: unknown, [step, ...rest]: Path, value: null | undefined): unknown {
  if (step === undefined) return value
  if (typeof step === 'number') return [withAt((body as [unknown])?.[step], rest, value)]
  const fields = (body ?? {}) as Readonly<Record<string, unknown>>
  return { ...fields, [step]: withAt(fields[step], rest, value) }
}

t.test('null in every optional field of every body is as if the field were absent', async t => {
  const [service, variables] = await startWithData(t.testdir())
  t.teardown(() => service.end('SIGKILL'))
  const { paths } = (await service.call('GET', '/openapi.json')).body
  const tried = new Set<string>()
  for (const route of routes) {
    const { sample } = route.about
    const operation = paths[route.path][route.method.toLowerCase()]
    const schema = operation.requestBody?.content['application/json']?.schema
    if (schema === undefined || typeof sample?.body === 'string') continue
    for (const path of optionalFields(schema)) {
      const where = `${route.path}: ${path.join('.')}`
      const answerTo = async (value: null | undefined) => {
        const body = withAt(sample?.body, path, value)
        const response = await send(service, route, variables, { body })
        const text = await response.text()
        // A refusal, where one of several fields must be there, is the same to the letter.
        return response.ok ? 'taken' : text
      }
      const toAbsent = await answerTo(undefined)
      t.equal(await answerTo(null), toAbsent, where)
      if (toAbsent === 'taken') tried.add(where)
    }
  }
  const sure = ['export: order', 'tokens: parse', 'keys: expiresAt', 'saved-queries: columns']
  const inDashboards = 'dashboard.content.variables.0.selectorSettings.attribute'
  for (const field of [...sure, `dashboards/update: ${inDashboards}`]) {
    t.ok(
      [...tried].some(each => each.endsWith(field)),
      field,
    ) // Not a loop over nothing.
  }
  t.ok(tried.size >= 40, `${tried.size} fields`)
})

t.test('the running service serves the document of these routes', async t => {
  const service = await startServiceOf(t, t.testdir())
  const { body } = await service.call('GET', '/openapi.json')
  const served = Object.entries(body.paths as Record<string, JsonObject>).flatMap(
    ([path, atPath]) => Object.keys(atPath).map(method => `${method.toUpperCase()} ${path}`),
  )
  t.same(served.sort(), routes.map(({ method, path }) => `${method} ${path}`).sort())
})
