import t from 'tap'
import { schemaJson } from '../../../../src/http/openapi/schema-json.ts'
import { instructions, languageGuide } from '../../../../src/http/resources/mcp/guide.ts'
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
    .match(/\b[a-z]+_(?:logs|fields|values|context|trace|dashboards?|patterns)\b/g)
  for (const name of named ?? []) t.ok(names.includes(name), name)
  t.equal(new Set(names).size, names.length)
  const size =
    JSON.stringify(tools.map(({ schema }) => schemaJson(schema))).length + told.join('').length
  t.ok(size < 16_000, `${size} characters of tools`)
})
