import { Validator } from '@seriousme/openapi-schema-validator'
import t from 'tap'
import { Compile } from 'typebox/schema'
import { openapiDocument } from '../../../src/http/openapi/document.ts'
import { exampleQueries } from '../../../src/http/openapi/introduction.ts'
import { problemsOf } from '../../../src/http/openapi/route-problems.ts'
import type { JsonObject } from '../../../src/http/openapi/schema-json.ts'
import { tags } from '../../../src/http/openapi/tags.ts'
import { createRoutes } from '../../../src/http/routes.ts'
import { parseQuery } from '../../../src/language/grammar.ts'
import { type ProblemCode, problems } from '../../../src/problems.ts'
import { standIns, startServer } from '../stand-ins.ts'

const routes = createRoutes(standIns().dependencies)
const document = openapiDocument(routes, { version: '1.2.3' })

/** All operations of the document. */
const operations = Object.entries(document.paths as Record<string, JsonObject>).flatMap(
  ([path, atPath]) =>
    Object.entries(atPath as Record<string, JsonObject>).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      operation,
    })),
)

t.test('the document is valid OpenAPI 3.1', async t => {
  const validator = new Validator()
  const result = await validator.validate(JSON.parse(JSON.stringify(document)))
  t.same(result, { valid: true })
  t.equal(validator.version, '3.1')
})

t.test('every route is in the document, and nothing else', async t => {
  const expected = routes.map(({ method, path }) => `${method} ${path}`)
  t.same(operations.map(({ name }) => name).sort(), expected.sort())
})

t.test('it is served to everybody, with the version of the program', async t => {
  const { url } = await startServer(t)
  const response = await fetch(`${url}/openapi.json`)
  t.equal(response.status, 200)
  t.match(await response.json(), { openapi: '3.1.0', info: { version: /^\d+\.\d+\.\d+/ } })
})

t.test('every operation has an id of its own, and a tag that is explained', async t => {
  const ids = operations.map(({ operation }) => operation.operationId)
  t.equal(new Set(ids).size, ids.length)
  for (const { name, operation } of operations) {
    t.ok((operation.tags as string[])[0]! in tags, name)
  }
})

t.test('every parameter, and every field of a request, says what it means', async t => {
  const isDescribed = (what: string, described: JsonObject) =>
    t.match(described.description, /^[A-Z`].*\.$/s, what)

  const areDescribed = (where: string, schema: JsonObject) => {
    for (const [name, field] of Object.entries((schema.properties ?? {}) as JsonObject)) {
      isDescribed(`${where}.${name}`, field as JsonObject)
      areDescribed(`${where}.${name}`, field as JsonObject)
    }
    if (schema.items !== undefined) areDescribed(`${where}[]`, schema.items as JsonObject)
  }
  for (const { name, operation } of operations) {
    for (const parameter of (operation.parameters ?? []) as readonly JsonObject[]) {
      isDescribed(`${name} ${String(parameter.name)}`, parameter)
    }
    const body = operation.requestBody as JsonObject | undefined
    for (const content of Object.values((body?.content ?? {}) as JsonObject)) {
      areDescribed(name, (content as JsonObject).schema as JsonObject)
    }
  }
})

t.test('what is said of fields further inside is about fields that are there', async t => {
  for (const { about } of routes) {
    if (about.body === undefined || 'contents' in about.body) continue
    for (const path of Object.keys(about.body.inside ?? {})) {
      let schema: unknown = about.body.schema
      for (const step of path.replaceAll('[]', '.[]').split('.')) {
        const { properties, items } = schema as { properties?: JsonObject; items?: JsonObject }
        schema = step === '[]' ? items : properties?.[step]
      }
      t.ok(schema, path)
    }
  }
})

t.test('the name of a schema is that of one schema', t => {
  const named = new Map<string, string>()
  JSON.stringify(routes, (_, value) => {
    const name = value?.$id
    if (typeof name !== 'string') return value
    const text = JSON.stringify(value)
    t.equal(named.get(name) ?? text, text, name)
    named.set(name, text)
    return value
  })
  t.ok(named.has('Record'))
  t.end()
})

t.test('every problem can be met somewhere, and is described there', async t => {
  const met = new Set<ProblemCode>(routes.flatMap(route => problemsOf(route)))
  met.add('method_unknown') // Of paths, not of operations.
  t.same([...met].sort(), Object.keys(problems).sort())
})

t.test('every example of a body is one that its schema takes', async t => {
  for (const { path, about } of routes) {
    const body = about.sample?.body
    if (about.body === undefined || body === undefined || 'contents' in about.body) continue
    t.ok(Compile(about.body.schema).Check(body), path)
  }
})

t.test('the queries that explain the language are queries', async t => {
  for (const [query] of exampleQueries) {
    t.doesNotThrow(() => parseQuery(query), query)
  }
})
