import t from 'tap'
import { type ServiceProcess, startServiceOf } from './service-process.ts'

const ids = async (service: ServiceProcess): Promise<string[]> => {
  const { dashboards } = (await service.call('GET', '/api/v1/dashboards')).body
  return dashboards.map(({ id }: { id: string }) => id)
}

t.test('a first start brings two dashboards, and what is deleted stays deleted', async t => {
  const dataDir = t.testdir()
  const service = await startServiceOf(t, dataDir)
  t.same(await ids(service), ['starter-ingested-logs', 'starter-this-service'])
  const at = '/api/v1/dashboards/starter-ingested-logs'
  const { dashboard } = (await service.call('GET', at)).body
  t.equal(dashboard.content.title, 'Ingested logs')
  const put = await service.call('POST', '/api/v1/dashboards/update', { body: { dashboard } })
  t.equal(put.status, 200, 'it can be saved as it came')
  t.equal((await service.call('DELETE', at)).status, 204)
  await service.end()

  const again = await startServiceOf(t, dataDir)
  t.same(await ids(again), ['starter-this-service'])
})

t.test('every chart and figure of the starters is answered by the service', async t => {
  const service = await startServiceOf(t, t.testdir())
  const token = await service.makeToken()
  const event = { level: 'error', message: 'x', 'http.route': '/a', duration_ms: 12 }
  await service.send(token, event)
  for (const id of await ids(service)) {
    const { dashboard } = (await service.call('GET', `/api/v1/dashboards/${id}`)).body
    const text = JSON.stringify(
      dashboard.content.widgets.filter(({ type }: { type: string }) => type !== 'log'),
    )
    const queries = [...text.matchAll(/"query":("(?:[^"\\]|\\.)*")/g)].map(([, json]) =>
      (JSON.parse(json!) as string).replaceAll(/\$\w+/g, '.*'),
    )
    t.ok(queries.length >= 7)
    for (const query of queries) {
      const now = Date.now() / 1_000
      const asked = new URLSearchParams({ query, start: `${now - 600}`, end: `${now}`, step: '60' })
      const answer = await service.call('GET', `/api/v1/query_range?${asked}`)
      t.equal(answer.status, 200, query)
      if (id === 'starter-ingested-logs')
        t.ok(answer.body.data.result.length > 0, `${query} has data`)
    }
  }
})
