import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { everyRecord, type Selector } from '../../../src/language/ast.ts'
import type { Stage } from '../../../src/language/stage.ts'
import { limits } from '../../../src/limits.ts'
import type { RecordsRequest } from '../../../src/store/store.ts'
import { forAllAsync } from '../../for-all.ts'
import { longRuns, share } from '../../long-runs.ts'
import { arbitrarySelector } from '../../query/plain.ts'
import {
  appendTogether,
  countsOf,
  matchingRows,
  openRandomStore,
  type Stored,
  valuesOf,
} from '../random-store.ts'
import { neverAborted, openStoreOf } from '../store-in.ts'

const allTimes = { startTime: 0, endTime: 8.64e15 }

const labels = ['log_level', 'service.name', 'environment']
const attributes = ['user.id', 'status', 'path', 'ключ', '', '__proto__']
/** Of `pattern` each record has a value, and few have it for a field. */
const names = [...labels, 'message', 'absent', 'pattern', ...attributes]

const hasField = (row: Stored, name: string) =>
  name === 'pattern'
    ? row.record.attributes.some((text, i) => i % 2 === 0 && text === name)
    : valuesOf([row], name).length > 0

const arbitraryRequest: fc.Arbitrary<RecordsRequest> = fc
  .tuple(
    fc.oneof(fc.constant(everyRecord), arbitrarySelector),
    fc.integer({ min: -10, max: 90 }),
    fc.oneof(fc.nat(100), fc.constant(200)),
  )
  .map(([selector, startTime, length]) => ({ selector, startTime, endTime: startTime + length }))

/** What a facet must be, worked out in the plainest way. */
function facetPlainly(rows: readonly Stored[], field: string, limit: number) {
  const values = valuesOf(rows, field)
  const counts = countsOf(values)
  const shown = counts.slice(0, limit).map(([value, count]) => ({ value, count }))
  return {
    field,
    values: shown,
    others: values.length - shown.reduce((sum, { count }) => sum + count, 0),
    missing: rows.length - values.length,
  }
}

t.test('facets, fields and values are what plain counts give', async t => {
  const { store, rows } = await openRandomStore(t, fc.integer({ min: 0, max: 100 }))
  let matched = 0
  await forAllAsync(
    longRuns(150),
    arbitraryRequest,
    fc.shuffledSubarray(names, { minLength: 1 }),
    fc.integer({ min: 1, max: 8 }),
    fc.constantFrom('', '', '', '4', '/a', 'e', 'é'),
    async (request, fields, limit, prefix) => {
      const matching = matchingRows(rows, request)
      const facets = await store.facets({ ...request, fields, limit }, neverAborted)
      assert.deepEqual(
        facets.facets,
        fields.map(field => facetPlainly(matching, field, limit)),
      )

      const named = await store.fields(request, neverAborted)
      const presence = (name: string) => matching.filter(row => hasField(row, name)).map(() => name)
      const expectedFields = countsOf(names.flatMap(presence))
      assert.deepEqual(
        named.fields.map(({ name, count }) => [name, count]),
        expectedFields,
      )

      const field = fields[0]!
      const values = await store.values({ ...request, field, prefix, limit }, neverAborted)
      const begins = valuesOf(matching, field).filter(value => value.startsWith(prefix))
      assert.deepEqual(
        values.values.map(({ value, count }) => [value, count]),
        countsOf(begins).slice(0, limit),
      )
      assert.equal(values.tooManyValues, undefined)
      matched += matching.length > 0 ? 1 : 0
    },
  )
  t.ok(matched > share(60), `${matched} requests found something`)
  const all = { selector: everyRecord, startTime: 0, endTime: 100 }
  const levels = { ...all, field: 'log_level', prefix: '', limit: 8 }
  const { stats } = await store.values(levels, neverAborted)
  t.ok(stats.sourcesFromIndex > 0, 'levels are told by the index')
})

t.test('without fields, useful ones are chosen, wherever the records lie', async t => {
  const store = await openStoreOf(t, t.testdir())
  const rows = Array.from({ length: 300 }, (_, i): Stored => {
    const { stream, attributes } =
      i % 3
        ? { stream: { service: 'api', environment: 'prod' }, attributes: ['status', `${i % 7}`] }
        : { stream: { service: 'jobs', environment: 'prod' }, attributes: ['queue', `q${i % 2}`] }
    const record = {
      timestamp: i,
      level: i % 5 ? 'info' : 'warn',
      message: `m${i % 10}`,
      attributes: ['id', `${i * i}`, ...attributes],
    }
    return { record, stream }
  })
  await appendTogether(store, rows)
  const chosen = async (selector: Selector, startTime: number, endTime: number) => {
    const request = { selector, startTime, endTime, fields: undefined, limit: 10 }
    const { facets } = await store.facets(request, neverAborted)
    const matching = matchingRows(rows, request)
    for (const facet of facets) t.same(facet, facetPlainly(matching, facet.field, 10))
    return facets.map(({ field }) => field)
  }
  const ofJobs = {
    ...everyRecord,
    matchers: [{ label: 'service.name', operator: '=' as const, value: 'jobs' }],
  }
  const ofText = { ...everyRecord, filters: [{ operator: '|=' as const, text: 'm3' }] }
  for (const state of ['in the journal', 'in segments']) {
    t.same(await chosen(everyRecord, 0, 999), [...labels, 'status', 'queue'], state)
    t.same(await chosen(ofJobs, 0, 999), [...labels, 'queue'], state)
    t.same(await chosen(ofText, 100, 250), [...labels, 'queue'], state)
    t.same(await chosen(everyRecord, 5_000, 6_000), labels, state)
    await store.settle()
  }
})

t.test('what stages make is chosen, too, and counted as they leave it', async t => {
  const store = await openStoreOf(t, t.testdir())
  const rows = Array.from({ length: 200 }, (_, i): Stored => {
    const message = JSON.stringify({ id: i * i, user: { plan: i % 4 ? 'free' : 'pro' } })
    const attributes = ['host', `h${i % 3}`, 'zone', 'eu']
    const record = { timestamp: i, level: 'info', message, attributes }
    return { record, stream: { service: 'api', environment: 'prod' } }
  })
  await appendTogether(store, rows)
  const stages: Stage[] = [
    { kind: 'json', extractions: [] },
    { kind: 'drop', labels: ['zone'] },
  ]
  for (const state of ['in the journal', 'in segments']) {
    const request = { selector: { ...everyRecord, stages }, startTime: 100, endTime: 999 }
    const { facets } = await store.facets({ ...request, fields: undefined, limit: 5 }, neverAborted)
    t.same(facets.map(({ field }) => field).slice(labels.length), ['user_plan', 'host'], state)
    t.match(facets[labels.length], {
      values: [
        { value: 'free', count: 75 },
        { value: 'pro', count: 25 },
      ],
      missing: 0,
    })
    await store.settle()
  }
})

t.test('more values than may be counted are said to be too many', async t => {
  const store = await openStoreOf(t, t.testdir())
  const count = limits.fieldValuesMax + 1
  const rows = Array.from({ length: count }, (_, i): Stored => {
    const id = i.toString(16).padStart(16, '0')
    const attributes = ['id', id, ...(i < 10 ? ['few', `${i % 2}`] : [])]
    const record = { timestamp: i, level: 'info', message: `m${i}`, attributes }
    return { record, stream: { service: 'a', environment: 'b' } }
  })
  await appendTogether(store, rows)
  const request = { selector: everyRecord, ...allTimes, limit: 3 }
  for (const state of ['in the journal', 'in segments']) {
    const fields = ['id', 'few']
    const { facets } = await store.facets({ ...request, fields }, neverAborted)
    t.same(
      facets,
      [
        { field: 'id', values: [], others: count, missing: 0, tooManyValues: true },
        {
          field: 'few',
          values: [
            { value: '0', count: 5 },
            { value: '1', count: 5 },
          ],
          others: 0,
          missing: count - 10,
        },
      ],
      state,
    )
    const values = async (prefix: string) => {
      const { stats: _, ...rest } = await store.values(
        { ...request, field: 'id', prefix },
        neverAborted,
      )
      return rest
    }
    t.same(await values(''), { values: [], tooManyValues: true }, state)
    t.same(await values('000000000000000a'), { values: [{ value: '000000000000000a', count: 1 }] })
    t.same(
      (await values('000000000000001')).values.map(({ value }) => value.at(-1)),
      ['0', '1', '2'],
      state,
    )
    const inRange = { ...request, startTime: 1, field: 'id', prefix: '' }
    t.equal((await store.values(inRange, neverAborted)).tooManyValues, undefined, state)
    await store.settle()
  }
})

t.test('more names than may be are refused, and facets are chosen all the same', async t => {
  const store = await openStoreOf(t, t.testdir())
  const rows = Array.from({ length: 20 }, (_, i): Stored => {
    const attributes = ['kind', `${i % 2}`]
    for (let n = 0; n < limits.fieldNamesMax / 20; n++) attributes.push(`${i}.${n}`, 'x')
    const record = { timestamp: i, level: 'info', message: 'm', attributes }
    return { record, stream: { service: 'a', environment: 'b' } }
  })
  await appendTogether(store, rows)
  const request = { selector: everyRecord, ...allTimes, limit: 3 }
  for (const state of ['in the journal', 'in segments']) {
    await t.rejects(store.fields(request, neverAborted), { code: 'query_too_large' })
    const { fields } = await store.fields({ ...request, startTime: 1 }, neverAborted)
    t.equal(fields.length, 4 + 1 + (limits.fieldNamesMax / 20) * 19, state)
    const { facets } = await store.facets({ ...request, fields: undefined }, neverAborted)
    t.same(facets[3], facetPlainly(rows, 'kind', 3), state)
    await store.settle()
  }
})

t.test('of sealed records the index alone knows labels, and directories know fields', async t => {
  const store = await openStoreOf(t, t.testdir())
  const record = { timestamp: 5, level: 'info', message: 'm', attributes: ['a', '1', 'b', '2'] }
  const stream = { service: 'a', environment: 'b' }
  await appendTogether(store, [{ record, stream }])
  await store.settle()
  const request = { selector: everyRecord, ...allTimes, limit: 3 }
  const facets = await store.facets({ ...request, fields: labels }, neverAborted)
  t.match(facets.stats, { blocksScanned: 0, sourcesFromIndex: 1 })
  for (const field of labels) {
    const { stats } = await store.values({ ...request, field, prefix: '' }, neverAborted)
    t.match(stats, { blocksScanned: 0, sourcesFromIndex: 1 }, field)
  }
  const { fields } = await store.fields(request, neverAborted)
  const expected = ['a', 'b', 'environment', 'log_level', 'message', 'service.name']
  t.same(
    fields,
    expected.map(name => ({ name, count: 1 })),
  )
})

t.test('what is aborted throws the reason', async t => {
  const store = await openStoreOf(t, t.testdir())
  const reason = new Error('the client went away')
  const signal = AbortSignal.abort(reason)
  const request = { selector: everyRecord, ...allTimes, limit: 3 }
  await t.rejects(store.facets({ ...request, fields: undefined }, signal), reason)
  await t.rejects(store.fields(request, signal), reason)
  await t.rejects(store.values({ ...request, field: 'a', prefix: '' }, signal), reason)
  await t.rejects(store.context({ id: '1.1', before: 1, after: 1 }, signal), reason)
})
