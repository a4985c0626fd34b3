import t from 'tap'
import { formatVersion as catalogFormat } from '../../src/catalog/contents.ts'
import { formatVersion as indexFormat } from '../../src/index/index-entries.ts'
import { formatVersion as segmentFormat } from '../../src/segment/file-header.ts'
import { generatedNames, withGenerated } from './generated.ts'
import { documentPaths, readDocument, tablesOf } from './markdown.ts'

t.test('generated tables are those of the sources', async t => {
  const names: string[] = []
  for (const path of documentPaths()) {
    const document = readDocument(path)
    names.push(...generatedNames(document))
    t.equal(document, withGenerated(document), `${path} (npm run docs writes it)`)
  }
  t.same(names.sort(), ['problems', 'reasons', 'settings'], 'each stands in one document')
})

t.test('a table of an unknown name is refused', async t => {
  t.throws(() => withGenerated('<!-- generated: other -->\n<!-- /generated -->'), /called other/)
})

t.test('the changelog has the formats that are written now', async t => {
  const [table] = tablesOf(readDocument('.github/CHANGELOG.md'))
  const { version } = JSON.parse(readDocument('package.json'))
  const [, segments, , , catalog, index] = table!.rows.find(([of]) => of === version)!
  const firstNumbers = [segments, catalog, index].map(text => Number.parseInt(text!, 10))
  t.same(firstNumbers, [segmentFormat, catalogFormat, indexFormat])
})
