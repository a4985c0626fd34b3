import t from 'tap'
import { hourMs } from '../../src/time-units.ts'
import { serviceOfProcess } from './shared-service.ts'

const service = await serviceOfProcess('explore')

const startTime = Date.UTC(2026, 0, 1)

const time = (i: number) => new Date(startTime + i * 1_000)
await send(
  'checkout',
  Array.from({ length: 60 }, (_, i) => ({
    ...{ time: time(i), level: i % 4 ? 'info' : 'error', message: `paid ${i}` },
    ...{ trace: `t${i}`, http: { status: i % 3 ? 200 : 500 }, host: `h${i % 5}` },
  })),
)
await send('search', [{ time: time(7), message: 'found', host: 'h1' }])

async function send(serviceName: string, events: readonly object[]): Promise<void> {
  await service.send(await service.makeToken(serviceName, 'prod'), events, 'time')
}

const ask = (operation: string, more: object = {}) =>
  service.call('POST', `/api/v1/query/logs/${operation}`, {
    body: { query: 'logs', startTime, endTime: startTime + hourMs, ...more },
  })

const counted = (counts: Record<string, number>) =>
  Object.entries(counts).map(([value, count]) => ({ value, count }))

t.test('facets are chosen, with exact counts', async t => {
  const { status, body } = await ask('facets')
  t.equal(status, 200)
  t.same(body.facets, [
    { field: 'log_level', values: counted({ info: 46, error: 15 }), others: 0, missing: 0 },
    { field: 'service.name', values: counted({ checkout: 60, search: 1 }), others: 0, missing: 0 },
    { field: 'environment', values: counted({ prod: 61 }), others: 0, missing: 0 },
    {
      field: 'http.status',
      values: [
        { value: '200', count: 40 },
        { value: '500', count: 20 },
      ],
      ...{ others: 0, missing: 1 },
    },
    {
      field: 'host',
      values: counted({ h1: 13, h0: 12, h2: 12, h3: 12, h4: 12 }),
      ...{ others: 0, missing: 0 },
    },
  ])
  t.type(body.stats.elapsedMs, 'number')
})

t.test('facets are given for the fields and the query that are asked for', async t => {
  const more = { query: 'logs{log_level="error"}', fields: ['trace', 'host', 'nobody'], limit: 1 }
  const { body } = await ask('facets', more)
  t.same(body.facets, [
    { field: 'trace', values: counted({ t0: 1 }), others: 14, missing: 0 },
    { field: 'host', values: counted({ h0: 3 }), others: 12, missing: 0 },
    { field: 'nobody', values: [], others: 0, missing: 15 },
  ])
  const nothing = await ask('facets', { endTime: startTime, startTime: 0, query: 'logs |= "x"' })
  t.same(
    nothing.body.facets.map(({ field, values, missing }: Record<string, unknown>) => [
      ...[field, values, missing],
    ]),
    [
      ['log_level', [], 0],
      ['service.name', [], 0],
      ['environment', [], 0],
    ],
  )
})

t.test('fields are named with the number of records that have them', async t => {
  const { body } = await ask('fields')
  t.same(
    body.fields.map(({ name, count }: Record<string, unknown>) => `${name} ${count}`),
    [
      ...['environment 61', 'host 61', 'log_level 61', 'message 61', 'service.name 61'],
      ...['http.status 60', 'trace 60'],
    ],
  )
  t.same((await ask('fields', { startTime: 0, endTime: 1 })).body.fields, [])
})

t.test('values are those that begin with the prefix, in its case', async t => {
  const valuesAre = async (more: object, expected: object) =>
    t.same((await ask('values', more)).body.values, expected, JSON.stringify(more))
  await valuesAre({ field: 'service.name' }, counted({ checkout: 60, search: 1 }))
  await valuesAre({ field: 'service.name', prefix: 's' }, counted({ search: 1 }))
  await valuesAre({ field: 'service.name', prefix: 'S' }, [])
  await valuesAre({ field: 'trace', prefix: 't5', limit: 3 }, counted({ t5: 1, t50: 1, t51: 1 }))
  await valuesAre({ field: 'message', prefix: 'fo' }, counted({ found: 1 }))
  await valuesAre({ field: 'nobody' }, [])
  await valuesAre({ field: '' }, [])
})

t.test('the context of a record is what its stream has before and after it', async t => {
  const { body: found } = await ask('../logs', { query: 'logs |= "paid 7"', limit: 1 })
  const [record] = found.logs
  const context = async (more: object) => {
    const { status, body } = await ask('context', more)
    t.equal(status, 200)
    const messages = (records: { message: string }[]) => records.map(({ message }) => message)
    return [...messages(body.before), `[${body.record.message}]`, ...messages(body.after)]
  }
  t.same(await context({ id: record.id, before: 2, after: 2 }), [
    ...['paid 5', 'paid 6', '[paid 7]', 'paid 8', 'paid 9'],
  ])
  t.same(await context({ id: record.id, before: 500, after: 0 }), [
    ...['paid 0', 'paid 1', 'paid 2', 'paid 3', 'paid 4', 'paid 5', 'paid 6', '[paid 7]'],
  ])
  t.equal((await context({ id: record.id })).length, 7 + 1 + 10)
  const { body } = await ask('context', { id: record.id })
  t.same(body.record, record, 'the record is as every answer gives it')
})

t.test('a context that cannot be is refused', async t => {
  const refuses = async (id: unknown, status: number, code: string) => {
    const { status: actual, body } = await ask('context', { id })
    t.same([actual, body.code], [status, code])
    return body
  }
  await refuses('1.1', 404, 'record_unknown')
  t.equal((await refuses('nonsense', 400, 'field_invalid')).field, 'id')
  t.equal((await refuses(undefined, 400, 'field_invalid')).field, 'id')
})
