/** Several addresses in `--clickhouse-url`: the next is asked when one does not answer, if it has the same tables. */
import { once } from 'node:events'
import net from 'node:net'
import t, { type Test } from 'tap'
import { readConfig } from '../../src/config/config.ts'
import { countIn } from '../store/store-in.ts'
import { placesOf, startEngineOf } from './engine-process.ts'
import { engineMissing } from './installed-engine.ts'
import { appendTo, openStoreOn } from './store-on-engine.ts'

const skip = engineMissing ?? false
const never = ['--clickhouse-ship-after', '1h']

/** What stands between a front end and a server, and may fail. */
class Way {
  readonly #server: net.Server
  readonly #sockets = new Set<net.Socket>()
  /** Whether the next request breaks off when it has been passed on. */
  breaksNext = false
  asked = 0

  private constructor(engineUrl: string) {
    const port = Number(new URL(engineUrl).port)
    this.#server = net.createServer(client => {
      const engine = net.connect(port, '127.0.0.1')
      for (const socket of [client, engine]) {
        this.#sockets.add(socket)
        socket.on('error', () => {}).on('close', () => this.#sockets.delete(socket))
      }
      client.on('data', () => this.asked++)
      client.pipe(engine)
      engine.on('data', bytes => {
        if (this.breaksNext) void this.end()
        else client.write(bytes)
      })
      engine.on('close', () => client.destroy())
    })
  }

  static async to(t: Test, engineUrl: string): Promise<Way> {
    const way = new Way(engineUrl)
    way.#server.listen(0, '127.0.0.1')
    await once(way.#server, 'listening')
    t.teardown(() => way.end())
    return way
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as net.AddressInfo).port}`
  }

  /** Nobody is there any more. */
  async end(): Promise<void> {
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
  }
}

t.test('the next address is asked for records, and takes them, once', { skip }, async t => {
  const { engine, dataDir } = await placesOf(t)
  const ways = [await Way.to(t, engine.url), await Way.to(t, engine.url)] as const
  const urls = ways.map(({ url }) => url).join('/default,')
  const store = await openStoreOn(dataDir, urls, { flags: never })
  t.teardown(() => store.close())
  await appendTo(store, 100)
  await store.settle()
  t.equal(await countIn(store), 100)
  t.equal(ways[1].asked, 0)
  await appendTo(store, 50)
  // The insert is carried out, and nobody hears of it.
  ways[0].breaksNext = true
  await store.settle()
  t.equal(await countIn(store), 150)
  t.ok(ways[1].asked > 0)
  const rows = await engine.ask('SELECT count(), uniqExact(Sequence) FROM otel_logs')
  t.equal(rows.trim(), '150\t150')
})

t.test('a server with tables of its own is not asked instead', { skip }, async t => {
  const directory = t.testdir({ one: {}, two: {} })
  const one = await startEngineOf(t, `${directory}/one`)
  const two = await startEngineOf(t, `${directory}/two`)
  const other = await openStoreOn(`${directory}/other`, two.url, { flags: never })
  await other.close()
  const urls = `${one.url}/default,${two.url}`
  const store = await openStoreOn(`${directory}/data`, urls, { flags: never })
  t.teardown(() => store.close())
  await appendTo(store, 100)
  await store.settle()
  await appendTo(store, 10)
  await one.kill()
  await t.rejects(countIn(store), { code: 'clickhouse_unreachable' })
  await one.start()
  await store.settle()
  t.equal(await countIn(store), 110)
  t.equal((await two.ask('SELECT count() FROM otel_logs')).trim(), '0')
})

t.test('several addresses are several flags, or one with commas', async t => {
  const read = (...flags: string[]) =>
    readConfig(['--store', 'clickhouse', ...flags], {}).clickhouseUrl
  const [a, b] = ['http://a:8123/logs', 'http://b:8123/logs']
  t.same(read('--clickhouse-url', `${a},${b}`), [a, b])
  t.same(read('--clickhouse-url', a, '--clickhouse-url', b), [a, b])
  t.throws(() => read('--clickhouse-url', `${a},b`), /expected an address/)
})
