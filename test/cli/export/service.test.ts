/** `logstrata export` as a process of its own, against the service. */
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import t from 'tap'
import { adminKey, startServiceOf } from '../../service/service-process.ts'
import { runClient, startClient } from '../client-process.ts'

const recordCount = 5_000

t.test('an export holds every record that matches, in order, in every form', async t => {
  const dir = t.testdir({ data: {}, out: {} })
  const service = await startServiceOf(t, `${dir}/data`)
  const token = await service.makeToken()
  const events = Array.from({ length: recordCount }, (_, n) => ({
    message: `line ${n}\nof "two"`,
    level: n % 2 === 0 ? 'error' : 'info',
    n,
  }))
  await service.send(token, events)

  const run = async (query: string, ...flags: string[]) => {
    const file = `${dir}/out/file`
    const argv = ['export', query, '--since', '1h', '--output', file, ...flags]
    const { code, stderr } = await runClient(service.url, adminKey, argv)
    t.equal(code, 0, stderr)
    t.same(readdirSync(`${dir}/out`), ['file'])
    return readFileSync(file)
  }
  const numbersIn = (ndjson: string) =>
    ndjson
      .split('\n')
      .slice(0, -1)
      .map(line => Number(JSON.parse(line).attributes.n))
  const all = events.map(({ n }) => n)

  t.same(numbersIn((await run('logs')).toString()), all)
  t.same(numbersIn(gunzipSync(await run('logs', '--gzip')).toString()), all)
  const errors = (await run('logs{log_level="error"}')).toString()
  t.same(
    numbersIn(errors),
    all.filter(n => n % 2 === 0),
  )
  const csv = (await run('logs', '--format', 'csv')).toString()
  t.equal(csv.split('of ""two""').length - 1, recordCount)

  const argv = ['export', 'logs', '--since', '1h']
  const { child, end, output } = startClient(service.url, adminKey, argv)
  await once(child.stdout!, 'data')
  child.stdout!.destroy()
  t.equal(await end, 0)
  t.equal(output.stderr, '')

  const wrong = ['export', 'logs{a=}', '--since', '1h']
  t.match(await runClient(service.url, adminKey, wrong), { code: 2, stderr: /\n {9}\^\n/ })
})
