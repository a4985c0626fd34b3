import { once } from 'node:events'
import fs from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { startListening } from '../listen/listening-service.ts'
import {
  type ServiceProcess,
  spawnService,
  startService,
  startServiceOf,
} from '../service/service-process.ts'
import { EventsOracle, metricBecomes, type SentRequest } from './events-oracle.ts'
import { underChunk, underCursors, underIds, underKey } from './repeating-sender.ts'

/** One scan thread: a start is most of what such a test costs, and no two blocks are read at once. */
const smallFiles = ['--journal-file-bytes', '4KiB', '--scan-threads', '1']

/** So few that the first files of them are deleted soon, and as many requests as they are enough for. */
const fewKeys = ['--retry-keys', '400']
const rememberedRequests = 16

/** Requests of 20 events, each of which has a key, or whose events have. */
const kinds = [underKey(20), underIds(20), underCursors(20), underChunk(20)]

/** Sends until the service kills itself at the point that CRASH_AT names. Returns all that was sent. */
async function sendUntilGone(
  service: ServiceProcess,
  token: string,
  oracle: EventsOracle,
): Promise<SentRequest[]> {
  const sent: SentRequest[] = []
  while (sent.length < 1_000) {
    const request = kinds[sent.length % kinds.length]!(`sent-${sent.length}`)
    sent.push(request)
    try {
      await oracle.sendRequest(service, token, request)
      // What is not sealed is sealed before anything is merged.
      if (sent.length % 40 === 0) {
        await metricBecomes(service, 'journal_unsealed_files', count => count === 0)
      }
    } catch {
      return sent
    }
  }
  throw new Error('the service never came to the point')
}

const listeners = [['forward', 'tcp', 'checkout/test']] as const

for (const point of [
  'receipts:written',
  'seal:one-written',
  'seal:written',
  'seal:indexed',
  'seal:swapped',
  'seal:removed',
  'receipts:removed-one',
  'compact:written',
  'compact:indexed',
  'compact:swapped',
]) {
  t.test(`a crash at ${point} loses nothing and doubles nothing`, async t => {
    const dataDir = t.testdir()
    const oracle = new EventsOracle()
    const environment = { CRASH_AT: point }
    const isForgetting = point === 'receipts:removed-one'
    const flags = isForgetting ? [...smallFiles, ...fewKeys] : smallFiles
    const crashing = await startListening(dataDir, listeners, flags, environment)
    t.teardown(() => crashing.end('SIGKILL')) // For when it never came to the point.
    const token = await crashing.makeToken()
    const sent = await sendUntilGone(crashing, token, oracle)
    t.equal(await crashing.end('SIGTERM'), 'SIGKILL', 'it killed itself')
    t.ok(oracle.acknowledged.size > 0)

    const service = await startListening(dataDir, listeners, flags)
    t.teardown(() => service.end('SIGKILL'))
    t.same((await oracle.violations(service)).slice(0, 5), [], 'at once after the restart')
    await metricBecomes(service, 'journal_unsealed_files', count => count === 0)
    t.same((await oracle.violations(service)).slice(0, 5), [], 'when all is sealed')
    const isRemembered = isForgetting ? sent.slice(-rememberedRequests) : sent
    for (const request of isRemembered) {
      t.ok(await oracle.sendRequest(service, token, request), 'a retry is acknowledged')
    }
    t.same((await oracle.violations(service)).slice(0, 5), [], 'when all was sent again')
    t.equal(await service.end(), 0)
    const unfinished = ['segments', 'receipts']
      .flatMap(name => fs.readdirSync(join(dataDir, name), { recursive: true }).map(String))
      .filter(name => name.endsWith('.tmp'))
    t.same(unfinished, [], 'no unfinished file is left')
  })
}

t.test('a crash while the index is built again is no loss', async t => {
  const dataDir = t.testdir()
  const oracle = new EventsOracle()
  const first = await startService(dataDir, { flags: smallFiles })
  const token = await first.makeToken()
  for (let i = 0; i < 60; i++) await oracle.send(first, token, [`a${i}`, `b${i}`, `c${i}`])
  await metricBecomes(first, 'segment_files', count => count > 0)
  t.equal(await first.end(), 0)
  fs.rmSync(join(dataDir, 'index.lmdb'))
  const environment = { CRASH_AT: 'rebuild:added' }
  await t.rejects(startService(dataDir, { flags: smallFiles, environment }), /did not start/)
  const service = await startServiceOf(t, dataDir, { flags: smallFiles })
  t.same(await oracle.violations(service), [])
})

t.test('crashes while old segments are removed', async t => {
  const filled = join(t.testdir({ filled: {} }), 'filled')
  const recent = new EventsOracle()
  const first = await startService(filled, { flags: smallFiles })
  const token = await first.makeToken()
  // A few days, each of them enough for a journal file.
  const padding = 'x'.repeat(400)
  for (let i = 0; i < 12; i++) {
    await recent.send(first, token, [`new${i}`, `also-new${i}`])
    const ids = Array.from({ length: 10 }, (_, n) => `old${i}-${n}`)
    const events = ids.map(id => ({ message: id, id, at: i * 86_400, padding }))
    await first.send(token, events, 'at')
  }
  t.equal(await first.end(), 0)

  for (const point of ['retention:chosen', 'retention:removed-one']) {
    await t.test(`a crash at ${point} takes only what is old`, async t => {
      const dataDir = t.testdir()
      fs.cpSync(filled, dataDir, { recursive: true })
      const flags = [...smallFiles, '--retention-age', '1d']
      const argv = ['--data-dir', dataDir, ...flags]
      const crashing = spawnService(argv, { environment: { CRASH_AT: point } })
      t.same(await once(crashing, 'exit'), [null, 'SIGKILL'])
      const service = await startServiceOf(t, dataDir, { flags })
      await metricBecomes(service, 'journal_unsealed_files', count => count === 0)
      await metricBecomes(service, 'segment_records', count => count <= recent.acknowledged.size)
      t.same(await recent.violations(service), [])
    })
  }
})
