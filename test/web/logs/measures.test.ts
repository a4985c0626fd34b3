import t from 'tap'
import { measuresIn } from '../../../src/web/logs/measures.ts'

t.test('what is measured is told from what is named by numbers', async t => {
  const records = Array.from({ length: 40 }, (_, i) => ({
    attributes: {
      duration_ms: String((i * 37) % 800),
      took: `${i * 3}ms`,
      body: `${i}KB`,
      score: String(i / 7),
      order: String(80_000 + i * 17),
      status: ['200', '404', '500'][i % 3]!,
      'customer.id': String(i * i),
      host: `node-${i}`,
    },
  }))
  t.same(measuresIn(records), ['duration_ms', 'took', 'body'])
  t.same(measuresIn(records.slice(0, 5)), [], 'too few to tell')
  const ids = records.map(({ attributes: { 'customer.id': id } }) => {
    return { attributes: { 'customer.id': id } }
  })
  t.same(measuresIn(ids), [], 'whatever their digits')
  t.same(measuresIn([]), [])
})
