/**
 * How fast does syslog come in over TCP, on disk? `npm run bench:syslog -- [--count 1000000] [--idle 10000]
 * [--json FILE] [--quick]`.
 *
 * Records per second of four connections, which a process of its own writes as fast as they are taken; and
 * memory of idle connections. The baseline, in the same run, is NDJSON over HTTP of the same records, 10,000
 * a request.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { metricOf, startListening } from '../test/listen/listening-service.ts'
import { readOptions } from './options.ts'
import { type BenchRow, writeResults } from './results.ts'

const connections = 4
const perRequest = 10_000

const line = (i: number) =>
  `<165>1 2026-11-20T22:14:15.${String(i % 1000).padStart(3, '0')}Z web-1 checkout 4711 ID47 - payment ${i} took ${i % 977} ms of 2000 for customer ${i % 4099}\n`
const event = (i: number) =>
  JSON.stringify({
    ...{ level: 'notice', hostname: 'web-1', appname: 'checkout', procid: '4711', msgid: 'ID47' },
    ...{ facility: 'local4', time: '2026-11-20T22:14:15.000Z' },
    message: `payment ${i} took ${i % 977} ms of 2000 for customer ${i % 4099}`,
  })

const {
  count,
  idle: idleConnections,
  json,
  positionals,
} = readOptions({
  integers: { count: { usual: 1_000_000, quick: 80_000 }, idle: { usual: 10_000, quick: 500 } },
  takesPositionals: true,
})
/** Whole requests, so that both ways send as many. */
const perConnection = Math.ceil(count / connections / perRequest) * perRequest

const [role, place, token] = positionals
if (role === 'send') await send(Number(place))
else if (role === 'post') await post(place!, token!)
else await measure()

/** Each connection's end says that all of it is on disk. */
async function send(port: number): Promise<void> {
  const text = Array.from({ length: 10_000 }, (_, i) => line(i)).join('')
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const socket = connect(port, '127.0.0.1').resume()
      for (let left = perConnection; left > 0; left -= 10_000) {
        if (!socket.write(text)) await once(socket, 'drain')
      }
      socket.end()
      await once(socket, 'close')
    }),
  )
}

async function post(url: string, token: string): Promise<void> {
  const body = Array.from({ length: perRequest }, (_, i) => event(i)).join('\n')
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson' }
  const path = `${url}/api/v1/webhook/event/logs?timestamp_field=time`
  const sender = async () => {
    for (let left = perConnection; left > 0; left -= perRequest) {
      await (await fetch(path, { method: 'POST', headers, body })).text()
    }
  }
  await Promise.all(Array.from({ length: connections }, sender))
}

async function measure(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'bench-syslog-'))
  const service = await startListening(dataDir, [['syslog', 'tcp', 'shop/test']])
  const token = await service.makeToken('shop', 'test')
  const port = service.port('syslog', 'tcp')
  const memory = await memoryOfIdle(service, port)
  console.log(`${idleConnections} idle connections: ${memory.toFixed(0)} MiB`)
  const rows: BenchRow[] = [{ work: 'idle connections', measures: { 'memory MiB': [memory] } }]
  for (const [work, argv] of [
    ['syslog over TCP', ['send', String(port)]],
    ['NDJSON over HTTP', ['post', service.url, token]],
  ] as const) {
    const measures = await rateOf(service, argv)
    console.log(
      `${work}: ${Math.round(measures['records/s'])} records/s, ${measures['CPU s per 1M'].toFixed(1)} s of CPU per million`,
    )
    rows.push({
      work,
      measures: {
        'records/s': [measures['records/s']],
        'CPU s per 1M': [measures['CPU s per 1M']],
      },
    })
  }
  const { count: kept } = (await service.query('logs')).body
  if (kept !== 2 * connections * perConnection) throw new Error(`${kept} records are there`)
  await service.end()
  rmSync(dataDir, { recursive: true })
  writeResults(json, {
    bench: 'syslog',
    conditions: { count: connections * perConnection, idle: idleConnections },
    rows,
  })
}

type Service = Awaited<ReturnType<typeof startListening>>

/** MiB. */
async function memoryOfIdle(service: Service, port: number): Promise<number> {
  const memory = () => metricOf(service, 'process_resident_memory_bytes')
  const before = await memory()
  const idle: Socket[] = []
  for (let i = 0; i < idleConnections; i += 500) {
    const some = Array.from({ length: 500 }, () => connect(port, '127.0.0.1'))
    await Promise.all(some.map(socket => once(socket, 'connect')))
    idle.push(...some)
  }
  const grown = ((await memory()) - before) / 1024 ** 2
  for (const socket of idle) socket.destroy()
  return grown
}

/** Of what a process of its own sends, until all of it is on disk. */
async function rateOf(service: Service, argv: readonly string[]) {
  const startedAt = performance.now()
  const cpuBefore = await metricOf(service, 'process_cpu_seconds_total')
  const flags = ['--count', String(count)]
  const child = spawn(process.execPath, [import.meta.filename, ...argv, ...flags], {
    stdio: 'inherit',
  })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`the generator ended with ${code}`)
  const seconds = (performance.now() - startedAt) / 1_000
  const cpu = (await metricOf(service, 'process_cpu_seconds_total')) - cpuBefore
  const records = connections * perConnection
  return { 'records/s': records / seconds, 'CPU s per 1M': (cpu / records) * 1e6 }
}
