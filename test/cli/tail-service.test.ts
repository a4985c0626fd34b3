/** `logstrata tail` as a process of its own, against the service: through a restart, too. */
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import t from 'tap'
import { listening } from '../listening.ts'
import { adminKey, type ServiceProcess, startService } from '../service/service-process.ts'
import { type Client, startClient } from './client-process.ts'

/** Sends one event; 401 and the like would show as a text that never comes. */
const send = (service: ServiceProcess, token: string, message: string) =>
  service.send(token, { message })

const messages = ({ output }: Client) =>
  output.stdout
    .split('\n')
    .slice(0, -1)
    .map(line => JSON.parse(line).message)

/** An address that stays while services come and go: connections go to the service of the moment. */
async function addressFor(
  t: { teardown(stop: () => void): void },
  service: () => ServiceProcess,
): Promise<string> {
  const server = createServer(client => {
    const upstream = connect(Number(new URL(service().url).port), '127.0.0.1')
    client.pipe(upstream).pipe(client)
    client.on('error', () => upstream.destroy())
    upstream.on('error', () => client.destroy())
  })
  return (await listening(t, server)).url
}

t.test('a tail goes on over a restart of the service, and ends by an interrupt', async t => {
  const dir = t.testdir()
  const before = await startService(dir)
  let current = before
  const url = await addressFor(t, () => current)
  t.teardown(() => before.end('SIGKILL'))
  const token = await before.makeToken()
  for (const message of ['old 1', 'old 2', 'other', 'old 3']) await send(before, token, message)

  const argv = ['tail', 'logs |= "o" != "other"', '--last', '2', '--json']
  const client = startClient(url, adminKey, argv)
  t.teardown(() => client.child.kill('SIGKILL'))
  await client.printed('old 3')
  await send(before, token, 'other')
  await send(before, token, 'on time')
  await client.printed('on time')

  await before.end('SIGKILL')
  while (!client.output.stderr.includes('trying again')) await once(client.child.stderr!, 'data')
  const after = await startService(dir)
  current = after
  t.teardown(() => after.end('SIGKILL'))
  await send(after, token, 'after the restart: o')
  await client.printed('after the restart')

  client.child.kill('SIGINT')
  t.equal(await client.end, 0)
  t.same(messages(client), ['old 2', 'old 3', 'on time', 'after the restart: o'])
  t.match(client.output.stderr, /connected again/)
})
