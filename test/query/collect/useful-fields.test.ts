import t, { type Test } from 'tap'
import { makeRecords } from '../../../bench/records.ts'
import { streams } from '../../../bench/streams.ts'
import { parseEvent } from '../../../src/ingest/json.ts'
import { normalise } from '../../../src/ingest/normalise.ts'
import { Facets } from '../../../src/query/collect/facets.ts'
import { Fields } from '../../../src/query/collect/fields.ts'
import {
  candidateFields,
  chooseUseful,
  usefulBounds,
} from '../../../src/query/collect/useful-fields.ts'
import type { StreamRecord } from '../../segment/sealed.ts'
import { batchOf } from '../parts.ts'

/** The fields that are chosen, as the store chooses them. */
function chosenOf(records: readonly StreamRecord[]): string[] {
  const batch = batchOf(records)
  const all = new Uint8Array(records.length).fill(1)
  const names = new Fields('forget-rare')
  names.add(batch, all)
  const candidates = candidateFields(names.toPlain())
  const facets = new Facets(candidates, { prefix: '', bounds: usefulBounds })
  facets.add(batch, all)
  return chooseUseful(facets.fields, records.length).map(({ field }) => field)
}

const labels = ['log_level', 'service.name', 'environment']

t.test('of realistic records, fields of few values are chosen, and no ids', async t => {
  const records = Array.from(makeRecords({ seed: 3, count: 5_000 }), ({ json, stream }) => {
    const { service, environment } = streams[stream]!
    const record = normalise(parseEvent(Buffer.from(json)), {
      receivedAt: 1,
      timestampField: 'ts',
    })
    return { ...record, stream: { service, environment } }
  })
  const chosen = chosenOf(records)
  t.same(chosen, [...labels, 'http.method', 'http.status', 'thread', 'host', 'logger'])
  t.same(chosenOf(records.toReversed()), chosen, 'in whatever order they come')
  t.same(
    chosenOf(records.filter(({ level }) => level === 'error')),
    [...labels, 'http.method', 'http.status', 'thread', 'host', 'logger'],
    'of a part of them, too',
  )
  t.same(chosenOf(records.slice(0, 1)), labels, 'one record says nothing yet')
})

const stream = { service: 'a', environment: 'b' }

/** Records 0 to 99 with the attributes that `attributesOf` gives each. */
function hundred(attributesOf: (i: number) => Record<string, unknown>): StreamRecord[] {
  return Array.from({ length: 100 }, (_, i) => {
    const attributes = Object.entries(attributesOf(i)).flatMap(([name, value]) =>
      value === undefined ? [] : [name, String(value)],
    )
    return { timestamp: i, level: 'info', message: 'm', attributes, stream }
  })
}

const chooses = (
  t: Test,
  attributesOf: (i: number) => Record<string, unknown>,
  expected: string[],
) => t.same(chosenOf(hundred(attributesOf)).slice(labels.length), expected, expected.join())

t.test('fewer values go before more, and more records before fewer', async t => {
  chooses(t, i => ({ b: i % 2, a: i % 9, c: i % 5 }), ['b', 'c', 'a'])
  chooses(t, i => ({ rare: i % 10 ? undefined : i % 4, common: i % 30 }), ['common', 'rare'])
  chooses(t, i => ({ z: i % 2, a: i % 2 }), ['a', 'z'])
})

t.test('a value that all records share tells nothing, and comes last', async t => {
  chooses(t, i => ({ same: 'x', half: i % 2 ? 'y' : undefined, many: i % 40 }), [
    'half',
    'many',
    'same',
  ])
})

t.test('ids, measurements and long texts are left out', async t => {
  chooses(t, i => ({ id: i, nearly: i >> 1, kind: i % 3 }), ['kind', 'nearly'])
  chooses(t, i => ({ id: `${i}-${i * i}`, text: 'x'.repeat(60_000) + (i % 2) }), [])
  chooses(t, i => ({ text: 'x'.repeat(30_000) + (i % 2) }), ['text'])
})

t.test('no more than eight are chosen', async t => {
  const nine = Array.from({ length: 9 }, (_, n) => `f${n}`)
  t.equal(chosenOf(hundred(i => Object.fromEntries(nine.map(name => [name, i % 2])))).length, 8)
})

t.test('of very many attributes, those that most records have are candidates', async t => {
  const names = Array.from({ length: 5_000 }, (_, i): [string, number] => [`n${i}`, i])
  const candidates = candidateFields(names)
  t.equal(candidates.length, 103)
  t.same(candidates.slice(0, 5), [...labels, 'n4999', 'n4998'])
})
