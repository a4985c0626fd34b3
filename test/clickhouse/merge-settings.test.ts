/** How parts are merged is said to servers that know of it. */
import t from 'tap'
import { Layout } from '../../src/store/clickhouse/layout.ts'
import { mergeStatements } from '../../src/store/clickhouse/merge-settings.ts'

t.test('a server that does not know how to merge many parts is not asked to', async t => {
  const counting = (knowing: number, all: number) => ({
    rows: async <Row>({ query }: { query: string }) =>
      [{ found: /merge_tree_settings/.test(query) ? knowing : all }] as Row[],
  })
  const [ofOne, ofCluster] = [new Layout(undefined), new Layout('logs')]
  t.equal((await mergeStatements(ofOne, counting(1, 1))).length, 1)
  t.equal((await mergeStatements(ofOne, counting(0, 1))).length, 0)
  t.equal((await mergeStatements(ofCluster, counting(2, 2))).length, 1)
  t.equal((await mergeStatements(ofCluster, counting(1, 2))).length, 0, 'one of two nodes')
})
