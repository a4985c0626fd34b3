/**
 * The short form of `npm run bench:bodies`: no times, and most kinds, against a bound of memory. Bodies of
 * long names, which come near it, are measured there.
 */
import fs from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import t from 'tap'
import { heavyBodies } from '../../bench/heavy-bodies.ts'
import { sendHeavy } from '../../bench/heavy-senders.ts'
import { allocatorEnvironment, machineMemoryBytes } from '../../src/memory-policy.js'
import { builtProgram } from '../built.ts'
import { peakBytes, residentBytes } from '../faults/process-memory.ts'
import { longRow } from '../long-runs.ts'
import { type ServiceProcess, startService } from '../service/service-process.ts'

const mib = 1024 * 1024
const pendingBytes = 24 * mib
/** All of them decoded are three times what may be pending. */
const connections = 8
const decodedBytes = 10 * mib
const growthBytesMax = pendingBytes + 64 * mib
/** Between an event of the good sender and its next: the processor is for the bodies. */
const goodEveryMs = 20

const kinds = [
  'events gzip',
  'one string deflate',
  'one string zstd',
  'one string',
  'tiny events',
  'OTLP protobuf',
  'OTLP long resource',
]

/**
 * A service in which each thread collects its own garbage: on a machine whose cores are all taken, V8's
 * threads that do it come late, and what lies until then is no memory that bodies take.
 */
async function startBounded(dataDir: string): Promise<ServiceProcess> {
  const bounds = ['--max-pending-bytes', String(pendingBytes), '--max-batch-bytes', '10MiB']
  const unsealed = ['--journal-file-bytes', '2GiB', '--journal-file-records', '2000000000'] // Sealing takes memory of its own.
  return startService(dataDir, {
    flags: [...bounds, ...unsealed],
    environment: allocatorEnvironment(machineMemoryBytes),
    command: [process.execPath, '--single-threaded-gc', await builtProgram(), 'serve'],
  })
}

t.test('bodies that are small on the wire take no more memory than is set', async t => {
  const service = await startBounded(t.testdir())
  t.teardown(() => service.end('SIGKILL'))
  const token = await service.makeToken()
  const good = async () => {
    const body = { message: 'from a good sender' }
    const { status, body: answered } = await service.call('POST', '/api/v1/webhook/event/log', {
      token,
      body,
    })
    if (status !== 200) t.fail(`a good sender was answered ${status}: ${JSON.stringify(answered)}`)
  }
  const to = { baseUrl: service.url, token, seconds: 0 }
  const usual = heavyBodies['events gzip']!
  await sendHeavy({ ...to, body: usual(mib), connections: 1 }) // Its thread is started.
  const idleBytes = residentBytes(service.pid)

  for (const kind of longRow(kinds)) {
    const body = heavyBodies[kind]!(decodedBytes)
    fs.writeFileSync(`/proc/${service.pid}/clear_refs`, '5') // Begins the peak anew: see proc(5).
    let isOver = false
    const sent = sendHeavy({ ...to, body, connections }).finally(() => {
      isOver = true
    })
    while (!isOver) {
      await good()
      await pause(goodEveryMs)
    }
    const counts = await sent
    const known = [200, 400, 413, 429].reduce((sum, status) => sum + (counts[status] ?? 0), 0)
    t.equal(known, connections, `${kind}: ${JSON.stringify(counts)}`)
    const growthBytes = peakBytes(service.pid) - idleBytes
    const figures = `${Math.round(growthBytes / mib)} of ${growthBytesMax / mib} MiB`
    t.ok(growthBytes <= growthBytesMax, `${kind}: ${figures}`)
    const alone = await sendHeavy({ ...to, body, connections: 1 })
    t.equal(alone[429], undefined, `${kind}: alone, a body has its turn`)
  }
  t.equal(await service.end(), 0)
})
