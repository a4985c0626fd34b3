import fc from 'fast-check'
import t from 'tap'
import { forAllAsync } from '../for-all.ts'
import { openTestCatalog } from './catalog-in.ts'

const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown }

/** Any JSON value, as a parser makes it: keys such as `__proto__` are own keys. */
const anyJson = fc.json({ maxDepth: 5 }).map(text => JSON.parse(text))
const anyKey = fc.oneof(
  fc.string(),
  fc.constantFrom('__proto__', 'constructor', 'toString', 'toJSON', '', 'a.b', '0', '\ud800'),
)
const anyObject = fc
  .array(fc.tuple(anyKey, anyJson), { maxLength: 5 })
  .map(entries => Object.fromEntries(entries))

t.test('any JSON that a dashboard holds comes back as it was sent', async t => {
  const catalog = await openTestCatalog(t, t.testdir())
  const { dashboards } = catalog
  const known = { metadata: { id: 'any', folderPath: '/' } }
  await forAllAsync(
    { numRuns: 100 },
    anyObject,
    anyObject,
    anyJson,
    async (extra, metadata, widget) => {
      const content = { ...extra, widgets: [widget], variables: [], title: 'x' }
      const sent = {
        ...extra,
        content,
        settings: {},
        metadata: { ...metadata, title: 'x', ...known.metadata },
      }
      await dashboards.put(sent)
      return dashboards.getText('any') === JSON.stringify(sent)
    },
  )
  const text = dashboards.getText('any')
  const again = await catalog.reopen()
  t.equal(again.dashboards.getText('any'), text)
})

t.test('filling in the id and the folder leaves everything else as it was sent', async t => {
  const { dashboards } = await openTestCatalog(t, t.testdir())
  const returns = async (sent: string, expected: (id: string) => string) => {
    const { id } = await dashboards.put(JSON.parse(sent))
    t.equal(dashboards.getText(id), expected(id))
  }
  const folder = '"folderPath":"/dashboards/default/"'

  await returns(
    '{"__proto__":{"a":1},"metadata":{"__proto__":null,"constructor":2},"z":[]}',
    id =>
      `{"__proto__":{"a":1},"metadata":{"__proto__":null,"constructor":2,"id":"${id}",${folder}},"z":[]}`,
  )
  await returns(
    '{"metadata":{"folderPath":"/x/","title":"t"}}',
    id => `{"metadata":{"folderPath":"/x/","title":"t","id":"${id}"}}`,
  )
  await returns(
    '{"metadata":{"id":"mine","title":"\\ud800 lone"},"\\udfff":"\\u0000"}',
    () => `{"metadata":{"id":"mine","title":"\\ud800 lone",${folder}},"\\udfff":"\\u0000"}`,
  )
  t.equal(({} as { a?: unknown }).a, undefined, 'no prototype was touched')
})

t.test('integers beyond 2^53 keep all their digits', async t => {
  const { dashboards } = await openTestCatalog(t, t.testdir())
  const digits = '123456789012345678901234567890'
  await dashboards.put({ metadata: { id: 'a' }, content: { widgets: [rawJSON(digits)] } })
  t.match(dashboards.getText('a'), `"content":{"widgets":[${digits}]}`)
  await dashboards.put({ metadata: { id: 'b', folderPath: '/' }, big: { id: rawJSON(digits) } })
  t.match(dashboards.getText('b'), `"big":{"id":${digits}}`)
})
