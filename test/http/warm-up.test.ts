/** What a service asks itself over HTTP after a start, with a real store behind it. */
import { setTimeout as pause } from 'node:timers/promises'
import t from 'tap'
import { warmUpHttp } from '../../src/http/warm-up.ts'
import { askAgainAndAgain, askAsPeople } from '../../src/http/warm-up-questions.ts'
import type { SelectRequest, SelectResult } from '../../src/store/store.ts'
import { allRecords, neverAborted, openStoreOf } from '../store/store-in.ts'
import { until } from '../until.ts'
import { config, standIns } from './stand-ins.ts'

const stream = { service: 'shop', environment: 'test' }
const record = { timestamp: 90_000, level: 'error', message: 'an error', attributes: ['host', 'a'] }

t.test('it asks what a first look at the page asks, and none of it is counted', async t => {
  let counted = 0
  const metrics = { noteQuery: () => counted++, noteFailedQuery() {}, noteDamagedBlocks() {} }
  const store = await openStoreOf(t, t.testdir(), { metrics })
  await store.append(record, stream)
  const { dependencies, logged } = standIns()
  const asked: string[] = []
  const noting = (name: string | symbol, ask: unknown) =>
    typeof ask === 'function'
      ? (...request: unknown[]) => {
          asked.push(String(name))
          return ask.apply(store.own, request)
        }
      : ask
  const own = new Proxy(store.own, { get: (door, name) => noting(name, Reflect.get(door, name)) })
  const turns = { isWanted: () => store.isAsked, signal: neverAborted }
  await warmUpHttp({ ...dependencies, store: own }, turns, askAsPeople)
  const kinds = [...new Set(asked)].sort()
  t.same(kinds, ['facets', 'fields', 'histogram', 'select'])
  t.ok(asked.length > 50 && asked.length < 500, `${asked.length} questions`)
  t.same(logged, [], 'none failed')
  t.equal(counted, 0)
  await store.select({ ...allRecords, limit: 1 }, neverAborted)
  t.equal(counted, 1, "a client's is")
})

t.test('it gives way to whoever asks, and ends when it is told to', async t => {
  const { dependencies, selections } = standIns()
  let isWanted = true
  const select: typeof dependencies.store.select = (...asked) => {
    isWanted = true // Somebody asks while it does.
    return dependencies.store.select(...asked)
  }
  const ending = new AbortController()
  const warming = warmUpHttp(
    { ...dependencies, store: { ...dependencies.store, select } },
    { isWanted: () => isWanted, signal: ending.signal },
    askAsPeople,
  )
  for (const times of [0, 1, 2]) {
    await pause(100)
    t.equal(selections.length, times, 'one question a pause')
    isWanted = false
    await until(() => selections.length > times)
  }
  ending.abort(new Error('the service ends'))
  await t.rejects(warming, { name: 'AbortError' })
})

t.test('what is short is asked again and again, of ids that no record has', async t => {
  const store = await openStoreOf(t, t.testdir())
  const attributes = ['host', 'a', 'trace_id', '0af7651916cd43dd8448eb211c80319c']
  await store.append({ ...record, attributes }, stream)
  const { dependencies, logged } = standIns()
  const asked: SelectRequest[] = []
  const results: SelectResult[] = []
  const select: typeof store.select = async (request, signal) => {
    asked.push(request)
    const result = await store.own.select(request, signal)
    results.push(result)
    return result
  }
  const turns = { isWanted: () => false, signal: neverAborted }
  const own = { ...dependencies, store: { ...dependencies.store, select } }
  await warmUpHttp(own, turns, askAgainAndAgain)
  t.same(logged, [], 'none failed')
  t.ok(asked.length > 100 && asked.length <= 1_800, `${asked.length} questions`)
  const ids = asked.flatMap(({ selector }) => {
    const [matcher] = selector.matchers
    return matcher?.label === 'trace_id' && 'value' in matcher ? [String(matcher.value)] : []
  })
  t.ok(ids.length >= asked.length / 6 - 1)
  t.equal(new Set(ids).size, ids.length, 'another id each time')
  t.ok(ids.every(id => id.length === 32 && id.startsWith('0af7651916cd43dd8448eb21')))
  const found = results.filter(({ count }) => count === 1)
  t.equal(found.length, results.length - ids.length, 'all else is found')
})

/** Who answers each question with the same record, and says it took so long, ms. */
function answering(attributes: Record<string, string>, tookMs: number) {
  const newest = { timestamp: 90_000, log_level: 'error', attributes }
  const queries: string[] = []
  const asked = {
    workedMs: 0,
    async ask(_path: string, body: object) {
      queries.push((body as { query: string }).query)
      asked.workedMs += tookMs
      return JSON.stringify({ logs: [newest] })
    },
  }
  return { asked, queries }
}

const ofNobody = { 'service.name': 'a service with a name', environment: 'production' }

t.test('where short questions take longer, fewer are asked', async t => {
  const { asked, queries } = answering(ofNobody, 30)
  await askAgainAndAgain(asked)
  t.equal(queries.length, 134, 'as many as take 4 s')
})

t.test('what is not short after all is asked once', async t => {
  const { asked, queries } = answering(ofNobody, 60)
  await askAgainAndAgain(asked)
  t.equal(queries.filter(query => query !== 'count(logs)').length, 4)
})

t.test('only what may be an id is asked for as one', async t => {
  const idsOf = async (own: Record<string, string>) => {
    const { asked, queries } = answering({ ...ofNobody, ...own }, 20)
    await askAgainAndAgain(asked)
    return queries.map(query => /logs\{id="(.*)"\}/.exec(query)?.[1]).filter(id => id !== undefined)
  }
  t.same(await idsOf({}), [])
  t.same(await idsOf({ id: 'x'.repeat(65), host: 'web-1' }), [], 'too long, and too short')
  const cut = await idsOf({ id: `abc${'😀'.repeat(3)}1234567` })
  t.ok(cut.length > 20)
  t.ok(
    cut.every(id => /^abc😀😀\ufffd[0-9a-f]{8}$/.test(id)),
    'no half of a character',
  )
})

t.test('a service without records is asked once, and then no more', async t => {
  const { dependencies, selections } = standIns()
  const turns = { isWanted: () => false, signal: neverAborted }
  await warmUpHttp(dependencies, turns, askAgainAndAgain)
  t.equal(selections.length, 1)
})

t.test('its socket speaks without TLS, and lets in nobody else', async t => {
  const tls = { ...config, tlsCert: '/nowhere.pem', tlsKey: '/nowhere.pem' }
  const { dependencies, selections } = standIns()
  const { apiKeys } = dependencies.catalog
  const catalog = {
    ...dependencies.catalog,
    apiKeys: { ...apiKeys, find: () => t.fail('a key was looked up') },
  }
  const turns = { isWanted: () => false, signal: neverAborted }
  await warmUpHttp({ ...dependencies, config: tls, catalog: catalog as never }, turns, askAsPeople)
  t.ok(selections.length > 10, `${selections.length} selections`)
})
