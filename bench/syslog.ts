/**
 * `node bench/syslog.ts`: syslog over TCP, durable: records per second of four connections, which a process of
 * its own writes as fast as they are taken; and memory of idle connections. The baseline, in the same run, is
 * NDJSON over HTTP of the same records, 10,000 a request.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { metricOf, startListening } from '../test/listen/listening-service.ts'

const connections = 4
const perConnection = 250_000
const idleConnections = 10_000
const perRequest = 10_000

const line = (i: number) =>
  `<165>1 2026-11-20T22:14:15.${String(i % 1000).padStart(3, '0')}Z web-1 checkout 4711 ID47 - payment ${i} took ${i % 977} ms of 2000 for customer ${i % 4099}\n`
const event = (i: number) =>
  JSON.stringify({
    ...{ level: 'notice', hostname: 'web-1', appname: 'checkout', procid: '4711', msgid: 'ID47' },
    ...{ facility: 'local4', time: '2026-11-20T22:14:15.000Z' },
    message: `payment ${i} took ${i % 977} ms of 2000 for customer ${i % 4099}`,
  })

if (process.argv[2] === 'send') await send(Number(process.argv[3]))
else if (process.argv[2] === 'post') await post(process.argv[3]!, process.argv[4]!)
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
  const memory = () => metricOf(service, 'process_resident_memory_bytes')
  const before = await memory()
  const idle: Socket[] = []
  for (let i = 0; i < idleConnections; i += 500) {
    const some = Array.from({ length: 500 }, () => connect(port, '127.0.0.1'))
    await Promise.all(some.map(socket => once(socket, 'connect')))
    idle.push(...some)
  }
  const grown = ((await memory()) - before) / 1024 ** 2
  console.log(`${idleConnections} idle connections: ${grown.toFixed(0)} MiB`)
  for (const socket of idle) socket.destroy()
  const rate = async (...argv: string[]) => {
    const startedAt = performance.now()
    const cpuBefore = await metricOf(service, 'process_cpu_seconds_total')
    const child = spawn(process.execPath, [import.meta.filename, ...argv], { stdio: 'inherit' })
    const [code] = await once(child, 'exit')
    if (code !== 0) throw new Error(`the generator ended with ${code}`)
    const seconds = (performance.now() - startedAt) / 1_000
    const cpu = (await metricOf(service, 'process_cpu_seconds_total')) - cpuBefore
    const records = connections * perConnection
    console.log(
      `${argv[0]}: ${Math.round(records / seconds)} records/s, ${((cpu / records) * 1e6).toFixed(1)} s of CPU per million`,
    )
    return records / seconds
  }
  const syslog = await rate('send', String(port))
  const http = await rate('post', service.url, token)
  const count = (await service.query('logs')).body.count
  console.log(`syslog / NDJSON: ${(syslog / http).toFixed(2)}; ${count} records are there`)
  await service.end()
  rmSync(dataDir, { recursive: true })
}
