/**
 * Requests of logcli: `pkg/logcli/client/client.go` and `query/query.go` of grafana/loki (3.x), as its
 * commands make them, and how it reads a large result in batches.
 */
import type { Test } from 'tap'
import type { ServiceProcess } from '../../service/service-process.ts'
import { clientOf, ns } from './ask.ts'
import { startSeconds } from './loki-data.ts'

const end = startSeconds + 60
const around = { start: ns(startSeconds), end: ns(end) }

export async function logcliReplays(t: Test, service: ServiceProcess): Promise<void> {
  const { data } = clientOf(t, service)

  await t.test('labels, series, instant-query', async t => {
    t.same(await data('labels', around), ['environment', 'service_name'])
    t.same(await data('label/environment/values', around), ['prod', 'test'])
    t.same(await data('series', { match: '{environment="prod"}', ...around }), [
      { environment: 'prod', service_name: 'search' },
    ])
    const query = 'sum(rate({environment="prod"}[1m]))'
    const asked = { query, limit: '30', time: ns(end), direction: 'BACKWARD' }
    t.equal((await data('query', asked)).result[0].value[1], String(5 / 60))
  })

  for (const direction of ['BACKWARD', 'FORWARD']) {
    await t.test(`query in batches, ${direction}`, async t => {
      const query = '{service_name="checkout"}'
      const seen = new Set<string>()
      let { start, end } = around
      for (let batch = 0; batch < 20 && seen.size < 60; batch++) {
        const { result } = await data('query_range', { query, limit: '10', start, end, direction })
        const entries = result.flatMap(({ values }: { values: [string, string][] }) => values)
        const times = entries.map(([time]: [string]) => BigInt(time)).sort()
        for (const [, line] of entries) seen.add(line)
        // The last entry of a batch comes again: the start is inclusive, the end made so.
        if (direction === 'FORWARD') start = String(times.at(-1))
        else end = String(times[0] + 1n)
      }
      t.equal(seen.size, 60)
    })
  }
}
