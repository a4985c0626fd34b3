import t from 'tap'
import { schemaJson } from '../../../../src/http/openapi/schema-json.ts'
import { instructions, languageGuide } from '../../../../src/http/resources/mcp/guide.ts'
import { PageLinks } from '../../../../src/http/resources/mcp/page-links.ts'
import { tools } from '../../../../src/http/resources/mcp/tools.ts'
import { parseQuery } from '../../../../src/language/grammar.ts'

t.test('every query of the guide is one', async t => {
  const queries = languageGuide.match(/^ {4}.+$/gm) ?? []
  t.ok(queries.length > 15)
  for (const query of queries) t.doesNotThrow(() => parseQuery(query.trim()), query)
})

t.test('what a model reads first is short, and names tools that there are', async t => {
  t.ok(instructions.length < 1_200, `${instructions.length} characters`)
  t.ok(languageGuide.length < 2_500, `${languageGuide.length} characters`)
  const names = tools.map(({ name }) => name)
  const told = tools.map(({ description }) => description)
  const named = [instructions, ...told]
    .join(' ')
    .match(/\b[a-z]+_(?:logs|fields|values|context|trace|dashboards?|patterns)\b/g)!
  t.ok(named.length > 5, `${named.length} are named`)
  for (const name of named) t.ok(names.includes(name), name)
  t.equal(new Set(names).size, names.length)
  const size =
    JSON.stringify(tools.map(({ schema }) => schemaJson(schema))).length + told.join('').length
  t.ok(size < 16_000, `${size} characters of tools`)
})

t.test('addresses are those at which people reach the page', t => {
  const headers = { host: 'logs.example:7007', forwardedProto: '' }
  const range = { startTime: 0, endTime: 1 }
  const addressOf = (links: PageLinks) => new URL(links.logs('logs{a="é&b"}', range)!)
  const beside = addressOf(PageLinks.beside(headers, false))
  t.equal(beside.origin, 'http://logs.example:7007')
  t.equal(beside.searchParams.get('query'), 'logs{a="é&b"}')
  t.equal(beside.searchParams.get('from'), '1970-01-01T00:00:00.000Z')
  t.equal(addressOf(PageLinks.beside(headers, true)).protocol, 'https:')
  const behindProxy = { ...headers, forwardedProto: 'https, http' }
  t.equal(addressOf(PageLinks.beside(behindProxy, false)).protocol, 'https:')
  t.equal(addressOf(new PageLinks('https://public.example/base')).pathname, '/base/logs')
  t.equal(new PageLinks('').logs(`logs |= "${'x'.repeat(5_000)}"`, range), undefined)
  t.end()
})
