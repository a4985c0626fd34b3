/** Loki's API of one real service: what Grafana, Logs Drilldown and logcli ask of it, and what comes of it. */
import t from 'tap'
import { startService } from '../../service/service-process.ts'
import { loadAll } from './loki-data.ts'
import { drilldownReplays } from './replay-drilldown.ts'
import { grafanaReplays } from './replay-grafana.ts'
import { logcliReplays } from './replay-logcli.ts'
import { tailReplays } from './replay-tail.ts'

const service = await startService(t.testdir())
t.teardown(() => service.end())
await loadAll(service)

await t.test("Grafana's Loki data source", t => grafanaReplays(t, service))
await t.test('Logs Drilldown', t => drilldownReplays(t, service))
await t.test('logcli', t => logcliReplays(t, service))
await t.test('live tails', t => tailReplays(t, service))
