import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { segmentPath } from '../../src/segment/files.ts'
import { claimFormat } from '../segment/other-formats.ts'
import { smallBlock, writeSegment } from '../segment/segments.ts'
import {
  adminKey,
  gatherOutput,
  spawnService,
  startService,
  startServiceOf,
} from './service-process.ts'

t.test('the first start prints an admin key and steps that work as they are pasted', async t => {
  const dataDir = t.testdir()
  const environment = { LOGSTRATA_ADMIN_KEY: '' }
  const service = await startServiceOf(t, dataDir, { environment })
  while (!service.output.stdout.includes('All settings')) await sleep(5)
  const steps = /^ {2}KEY=[\s\S]*?(?=^All settings)/m.exec(service.output.stdout)![0]
  const answers = execFileSync('bash', ['-c', steps], { encoding: 'utf8' })
  const [accepted, found] = answers.replace('}{', '}\n{').split('\n')
  t.same(JSON.parse(accepted!), { accepted: 1 })
  t.match(JSON.parse(found!), {
    count: 1,
    logs: [{ log_level: 'error', message: 'payment timed out', attributes: { order: '81723' } }],
  })

  t.equal(await service.end(), 0)
  const again = await startService(dataDir, { environment })
  t.equal(await again.end(), 0)
  t.notMatch(again.output.stdout, /key_/, 'the key is shown once')
})

t.test('an older version refuses what a newer one wrote, in a sentence', async t => {
  const dataDir = t.testdir()
  const path = segmentPath(join(dataDir, 'segments'), '2026-11-20', 7)
  writeSegment(path, 7, [smallBlock('newer')])
  claimFormat(path, 4)
  const files = () => fs.readdirSync(dataDir, { recursive: true }).sort()
  const before = files()
  const service = spawnService(['--data-dir', dataDir])
  const output = gatherOutput(service)
  const [code] = await once(service, 'close')
  t.equal(code, 1)
  t.equal(output.stdout, '')
  t.equal(
    output.stderr,
    `logstrata: ${path}: the segment has format 4, this program knows formats up to 3; start a version ` +
      'of Logstrata that is as new as the one that wrote it, or start on a backup that was made before ' +
      'that one\n',
  )
  t.same(files(), before, 'nothing is changed')
})

t.test('a second process on the same directory refuses, naming the first', async t => {
  const dataDir = t.testdir()
  const service = await startServiceOf(t, dataDir)
  const second = spawnService(['--data-dir', dataDir])
  const output = gatherOutput(second)
  const [code] = await once(second, 'exit')
  t.equal(code, 1)
  t.match(output.stderr, new RegExp(`in use by process ${service.pid};`))
  t.match(output.stderr, /--data-dir/, 'the remedy is named')
  t.equal((await service.query('logs')).status, 200, 'the first is unharmed')
})

t.test('a lock left by a killed process is no obstacle', async t => {
  const dataDir = t.testdir()
  const killed = await startService(dataDir)
  t.equal(await killed.end('SIGKILL'), 'SIGKILL')
  t.ok(fs.readdirSync(dataDir).includes('LOCK'))
  const service = await startService(dataDir)
  t.equal(await service.end('SIGINT'), 0)
  t.notOk(fs.readdirSync(dataDir).includes('LOCK'), 'a clean stop takes it away')
})

t.test('a lock whose number now belongs to another process is no obstacle', async t => {
  const { pid } = process
  const starts = async (make: (lock: string) => void) => {
    const dataDir = t.testdir()
    make(join(dataDir, 'LOCK'))
    const service = await startService(dataDir)
    t.equal(await service.end(), 0)
  }

  await starts(lock => fs.symlinkSync(`${pid}-1-0123456789abcdef`, lock))
  // A file is what earlier versions wrote.
  await starts(lock => fs.writeFileSync(lock, JSON.stringify({ pid, startedAt: '1', boot: '' })))
})

t.test(
  'a stop answers what is under way, refuses the rest, and keeps what it answered',
  async t => {
    const dataDir = t.testdir()
    const service = await startService(dataDir)
    const token = await service.makeToken()
    let acknowledged = 0
    let isStopping = false
    const senders = Array.from({ length: 16 }, async (_, sender) => {
      for (let i = 0; ; i++) {
        const body = { message: `${sender}.${i}` }
        try {
          const { status } = await service.call('POST', '/api/v1/webhook/event/log', {
            token,
            body,
          })
          if (status !== 200) return status
          acknowledged++
        } catch (error) {
          if (!isStopping) throw error
          return 'refused'
        }
      }
    })
    while (acknowledged < 200) await sleep(5)
    isStopping = true
    t.equal(await service.end(), 0)
    const endings = await Promise.all(senders)
    t.ok(
      endings.every(ending => ending === 503 || ending === 'refused'),
      `each sender was told: ${[...new Set(endings)]}`,
    )
    const again = await startServiceOf(t, dataDir)
    t.equal((await again.query('count(logs)', { limit: 1 })).body.count, acknowledged)
  },
)

t.test('a taken port and a wrong setting end the start with a remedy', async t => {
  const dataDir = t.testdir()
  const service = await startServiceOf(t, join(dataDir, 'one'))
  const port = new URL(service.url).port
  const ends = async (argv: readonly string[], code: number, message: RegExp) => {
    const child = spawnService(argv)
    const output = gatherOutput(child)
    t.equal((await once(child, 'exit'))[0], code)
    t.match(output.stderr, message)
    t.notMatch(output.stderr, /\n\s+at /, 'without a stack trace')
  }
  await ends(['--data-dir', join(dataDir, 'two'), '--port', port], 1, new RegExp(port))
  await ends(['--prot', '1'], 2, /--port/)
  const file = join(dataDir, 'a-file')
  fs.writeFileSync(file, '')
  await ends(['--data-dir', join(file, 'data')], 1, /a-file/)
})

t.test('nothing of a secret is in the data directory, and its files are private', async t => {
  const dataDir = t.testdir()
  const service = await startService(dataDir)
  const token = await service.makeToken()
  const key = await service.makeKey('viewer')
  await service.send(token, {})
  t.equal(await service.end(), 0)
  const secrets = [token, key, adminKey]
  for (const entry of fs.readdirSync(dataDir, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    const bytes = fs.readFileSync(path)
    t.notOk(
      secrets.some(secret => bytes.includes(secret)),
      `${entry.name} holds no secret`,
    )
  }
  const printed = service.output.stdout + service.output.stderr
  t.notOk(
    secrets.some(secret => printed.includes(secret)),
    'nor does the log',
  )
  t.equal(fs.statSync(join(dataDir, 'secret.key')).mode & 0o777, 0o600)
})
