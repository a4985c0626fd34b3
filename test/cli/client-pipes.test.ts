/** Readers that go and interrupts that come, with the program as a process of its own. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import t from 'tap'
import { builtProgram, passedOn } from '../built.ts'
import { startClient } from './client-process.ts'
import { type Asked, fakeApi } from './fake-api.ts'

const record = {
  id: 'r',
  timestamp: 0,
  log_level: 'info',
  message: 'x'.repeat(200),
  attributes: { 'service.name': 'web' },
}

/** More than any pipe holds, without an end. */
function endlessly(text: string) {
  return (_: Asked, response: ServerResponse) => {
    const part = text.repeat(100)
    response.setHeader('content-type', 'text/event-stream')
    const go = () => {
      while (!response.destroyed && response.write(part));
    }
    response.on('drain', go)
    go()
  }
}

const event = `event: record\nid: c\ndata: ${JSON.stringify(record)}\n\n`

/** Answers of every operation, none of which ends. */
function endless(asked: Asked, response: ServerResponse): unknown {
  if (asked.path.endsWith('/export')) {
    return endlessly(`${JSON.stringify(record)}\n`)(asked, response)
  }
  if (asked.path.endsWith('/tail')) return endlessly(event)(asked, response)
  return { count: 1e9, logs: Array.from({ length: 1000 }, () => record), nextCursor: 'more' }
}

t.test('when head has seen enough, every command ends quietly', async t => {
  const { url } = await fakeApi(t, endless)
  for (const argv of [
    ['query', 'logs', '--all'],
    ['query', 'logs', '--all', '--json'],
    ['export', 'logs', '--since', '1h'],
    ['export', 'logs', '--since', '1h', '--gzip'],
    ['tail'],
  ]) {
    const { child, end, output } = startClient(url, 'a-key', argv)
    await once(child.stdout!, 'data')
    child.stdout!.destroy()
    t.equal(await end, 0, argv.join(' '))
    t.equal(output.stderr, '')
  }
})

const program = await builtProgram()
const alwaysFull = '/dev/full'
const skip = !existsSync(alwaysFull) && 'only Linux has a device that is always full'

t.test('what cannot be printed is a failure that says so', { skip }, async t => {
  const { url } = await fakeApi(t, (asked, response) =>
    asked.path.endsWith('/export')
      ? void response.end(`${JSON.stringify(record)}\n`)
      : { count: 1, logs: [record] },
  )
  const env = { ...passedOn(), LOGSTRATA_URL: url, LOGSTRATA_KEY: 'a-key' }
  for (const command of ['query logs', 'query logs --json', 'export logs --since 1h']) {
    const line = `exec "${process.execPath}" "${program}" ${command} > ${alwaysFull}`
    const child = spawn('bash', ['-c', line], { env, stdio: ['ignore', 'ignore', 'pipe'] })
    const complained = text(child.stderr)
    const [code] = await once(child, 'close')
    t.equal(code, 1, command)
    t.match(await complained, /standard output cannot be written \(ENOSPC\)/)
  }
})

t.test('an interrupt is how a tail ends', async t => {
  const { url } = await fakeApi(t, (_, response) => {
    response.setHeader('content-type', 'text/event-stream')
    response.write(event)
  })
  const { child, end, output, printed } = startClient(url, 'a-key', ['tail'])
  await printed('INFO')
  child.kill('SIGINT')
  t.equal(await end, 0)
  t.equal(output.stderr, '')
})

t.test('an interrupted export leaves nothing that looks whole', async t => {
  const dir = t.testdir()
  const interrupt = { now: () => {} }
  const { url } = await fakeApi(t, (_, response) => {
    response.write(`${JSON.stringify(record)}\n`, () => interrupt.now())
  })
  const argv = ['export', 'logs', '--since', '1h', '--output', `${dir}/a`]
  const { child, end, output } = startClient(url, 'a-key', argv)
  interrupt.now = () => child.kill('SIGINT')
  t.equal(await end, 130)
  t.match(output.stderr, /interrupted/)
  t.notOk(existsSync(`${dir}/a`))
})
