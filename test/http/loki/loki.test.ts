/** Loki's API of one real service: what Grafana, Logs Drilldown and logcli ask of it, and what comes of it. */
import t from 'tap'
import { agreements, rangeAgreements, recordAgreements } from './agreements.ts'
import { serviceWithAll } from './loki-data.ts'
import { drilldownReplays } from './replay-drilldown.ts'
import { grafanaReplays } from './replay-grafana.ts'
import { logcliReplays } from './replay-logcli.ts'
import { tailReplays } from './replay-tail.ts'

const service = await serviceWithAll()

t.test("Grafana's Loki data source", t => grafanaReplays(t, service))
t.test('Logs Drilldown', t => drilldownReplays(t, service))
t.test('our API and the others', async t => {
  await agreements(t, service)
  await rangeAgreements(t, service)
  await recordAgreements(t, service)
})
t.test('logcli', t => logcliReplays(t, service))
t.test('live tails', t => tailReplays(t, service))
