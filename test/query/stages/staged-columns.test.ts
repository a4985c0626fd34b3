import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import type { Selector } from '../../../src/language/ast.ts'
import { logqlName } from '../../../src/language/logql-names.ts'
import type { Stage } from '../../../src/language/stage.ts'
import { limits } from '../../../src/limits.ts'
import { Fields } from '../../../src/query/collect/fields.ts'
import { Groups } from '../../../src/query/collect/groups.ts'
import { rowTextOf } from '../../../src/query/export/text.ts'
import { Predicate } from '../../../src/query/predicate.ts'
import { DistinctAccumulator } from '../../../src/query/series/distinct.ts'
import { pipelineOf } from '../../../src/query/stages/pipeline.ts'
import { Row } from '../../../src/query/stages/row.ts'
import { forAll } from '../../for-all.ts'
import { longRuns } from '../../long-runs.ts'
import type { StreamRecord } from '../../segment/sealed.ts'
import { batchOf, makeParts } from '../parts.ts'
import {
  arbitraryStage,
  arbitraryStaged,
  arbitraryStages,
  type PlainRow,
  plainName,
  throughPlainly,
} from './plain.ts'

/** Some with attributes of names that LogQL has for what all records have. */
const arbitraryRecord = fc
  .tuple(arbitraryStaged, fc.subarray(['service_name', 'detected_level']), fc.nat(2))
  .map(([record, names, n]) => ({
    ...record,
    attributes: [...record.attributes, ...names.flatMap(name => [name, ['api', '1', 'error'][n]!])],
  }))

const allRecords: Selector = { kind: 'selector', matchers: [], filters: [], names: 'logql' }

t.test('batches and blocks come through stages as the plainest reading of them', async t => {
  const parts = makeParts(t.testdir(), arbitraryRecord)
  const ofAll = ['service_name', 'detected_level']
  const labels = [
    ...ofAll,
    'a',
    'n',
    'in_x',
    'b',
    'status',
    'user_id',
    '__error__',
    'status_extracted',
  ]
  forAll(
    longRuns(400),
    fc.constantFrom(...parts),
    arbitraryStages,
    fc.subarray(labels, { minLength: 1, maxLength: 2 }),
    ({ records, columns }, stages, by) => {
      const predicate = new Predicate({ ...allRecords, stages })
      const selected = predicate.select(columns, 0, 100, { isStagedNext: true })?.slice()
      const expected = records.flatMap(record => throughPlainly(stages, record) ?? [])
      if (selected === undefined) {
        assert.equal(expected.length, 0)
        return
      }
      const staged = predicate.staged(columns, selected)
      const groups = new Groups(by)
      groups.add(staged, selected)
      const found = Map.groupBy(expected, ({ labels }) => by.map(name => labels.get(name) ?? ''))
      const counts = new Map<string, number>()
      for (const [key, rows] of found) {
        const text = JSON.stringify(key)
        counts.set(text, (counts.get(text) ?? 0) + rows.length)
      }
      const grouped = groups.toPlain().map(([values, n]) => [JSON.stringify(values), n] as const)
      assert.deepEqual(new Map([...grouped].sort()), new Map([...counts].sort()))

      const lines: string[] = []
      for (let row = 0; row < selected.length; row++) {
        if (selected[row] === 1) lines.push(staged.record(row).message)
      }
      assert.deepEqual(lines.sort(), expected.map(({ line }) => line).sort())
    },
  )
})

/** Stages that change, or take away, what all records have. */
const arbitraryChange = fc.constantFrom<Stage>(
  { kind: 'keep', labels: ['service_name', 'a'] },
  { kind: 'keep', labels: ['environment', 'detected_level'] },
  { kind: 'drop', labels: ['service_name'] },
  { kind: 'drop', labels: ['environment', 'detected_level'] },
  { kind: 'label_format', assignments: [{ label: 'environment', from: 'status' }] },
  { kind: 'label_format', assignments: [{ label: 'b', from: 'service_name' }] },
  {
    kind: 'label_format',
    assignments: [
      { label: 'detected_level', template: '{{.a}}-{{.n}}' },
      { label: 'service_name', from: 'environment' },
    ],
  },
)

t.test(
  'groups and values are of what stages have left of service, environment and level',
  async t => {
    const parts = makeParts(t.testdir(), arbitraryRecord)
    const anyStages = fc
      .array(fc.oneof(arbitraryStage, arbitraryChange), { maxLength: 3 })
      .chain(stages => fc.tuple(fc.constant(stages), arbitraryChange, fc.nat(stages.length)))
      .map(([stages, change, place]) => stages.toSpliced(place, 0, change))
    forAll(
      longRuns(500),
      fc.constantFrom(...parts),
      anyStages,
      fc.subarray(['service.name', 'environment', 'log_level', 'a', 'status'], { minLength: 1 }),
      ({ records, columns }, stages, by) => {
        const predicate = new Predicate({ ...allRecords, stages })
        const selected =
          predicate.select(columns, 0, 100, { isStagedNext: true })?.slice() ??
          new Uint8Array(columns.recordCount)
        const staged = predicate.staged(columns, selected, by)
        const rows = records.flatMap(record => throughPlainly(stages, record) ?? [])
        const counted = (values: readonly string[]) =>
          [...Map.groupBy(values, value => value)]
            .map(([value, { length }]) => [value, length])
            .sort()
        const textOf = (label: string, row: PlainRow) => row.labels.get(plainName(label)) ?? ''

        const groups = new Groups(by)
        if (selected.includes(1)) groups.add(staged, selected)
        const found = groups
          .toPlain()
          .flatMap(([values, count]) => Array<string>(count).fill(JSON.stringify(values)))
        const expected = rows.map(row => JSON.stringify(by.map(label => textOf(label, row))))
        assert.deepEqual(counted(found), counted(expected))

        const [first] = by
        const distinct = new DistinctAccumulator(first!)
        const codes = distinct.read(staged, selected)
        const values = [...selected.keys()]
          .filter(row => selected[row] === 1)
          .map(row => codes.textOf(codes.codes?.[row] ?? 0))
        assert.deepEqual(counted(values), counted(rows.map(row => textOf(first!, row))))
      },
    )
  },
)

t.test('records show what stages have made of them', async t => {
  const parts = makeParts(t.testdir(), arbitraryStaged)
  const hidden = ['service_name', 'environment', 'detected_level']
  forAll(
    longRuns(300),
    fc.constantFrom(...parts),
    arbitraryStages,
    ({ records, columns }, stages) => {
      const predicate = new Predicate({ ...allRecords, stages })
      const selected =
        predicate.select(columns, 0, 100, { isStagedNext: true })?.slice() ?? new Uint8Array()
      const staged = predicate.staged(columns, selected)
      const shown: string[] = []
      for (let row = 0; row < selected.length; row++) {
        if (selected[row] === 0) continue
        const { attributes } = staged.record(row)
        const pairs: string[] = []
        for (let i = 0; i < attributes.length; i += 2) {
          const name = attributes[i]!.replace(/\W/g, '_')
          if (![...hidden, '__error_details__'].includes(name))
            pairs.push(`${name}=${attributes[i + 1]}`)
        }
        shown.push(pairs.sort().join(' '))
      }
      const expected = records
        .flatMap(record => throughPlainly(stages, record) ?? [])
        .map(({ labels }) =>
          [...labels]
            .filter(([name]) => !hidden.includes(name))
            .map(pair => pair.join('='))
            .sort()
            .join(' '),
        )
      assert.deepEqual(shown.sort(), expected.sort())
    },
  )
})

t.test('exports and fields have of each record just the attributes that it shows', async t => {
  const names = ['service_name', 'detected_level', 'user_id']
  const alike = fc
    .tuple(arbitraryStaged, fc.subarray(names), fc.constantFrom('api', '1', ''))
    .map(([record, more, value]) => ({
      ...record,
      attributes: [...record.attributes, ...more.flatMap(name => [name, value])],
    }))
  const parts = makeParts(t.testdir(), alike)
  const anyStages = fc.array(fc.oneof(arbitraryStage, arbitraryChange), { maxLength: 3 })
  forAll(longRuns(500), fc.constantFrom(...parts), anyStages, ({ columns }, stages) => {
    const predicate = new Predicate({ ...allRecords, ...(stages.length > 0 && { stages }) })
    const selected =
      predicate.select(columns, 0, 100, { isStagedNext: true })?.slice() ??
      new Uint8Array(columns.recordCount)
    const staged = predicate.staged(columns, selected)
    const rows = [...selected.keys()].filter(row => selected[row] === 1)
    const shown = rows.map(row => pairsOf(staged.record(row).attributes))

    const textOf = rowTextOf(staged, 'ndjson')
    const exported = rows.map(row => {
      const { 'service.name': _, environment: _e, ...own } = JSON.parse(textOf(row)).attributes
      return Object.entries<string>(own).sort()
    })
    assert.deepEqual(exported, shown)

    const fields = new Fields('refuse')
    fields.add(staged, selected)
    const counted = Object.entries(Object.groupBy(shown.flat(), ([name]) => name))
    assert.deepEqual(
      fields.toPlain().sort(),
      counted.map(([name, all]) => [name, all!.length]).sort(),
    )
  })
})

t.test('of labels that LogQL cannot tell apart the one that is spelt so comes first', async t => {
  const value = fc.constantFrom('', '1', '20', 'x')
  const spelt = fc
    .record({ 'user.id': value, user_id: value, '1x': value, _1x: value }, { requiredKeys: [] })
    .map(own => ({ ...recordOf(Object.entries(own).flat()), message: '{"user.id":"1","1x":"x"}' }))
  const names = ['user.id', 'user_id', '1x', '_1x']
  const parts = makeParts(t.testdir(), spelt)
  const filter = fc.record({
    label: fc.constantFrom(...names),
    operator: fc.constantFrom('!=' as const, '>' as const),
    value: fc.constantFrom(1, 20),
  })
  const anyStages = fc
    .tuple(fc.boolean(), fc.array(filter, { maxLength: 2 }))
    .map(([isParsed, filters]): Stage[] => [
      ...(isParsed ? [{ kind: 'json' as const, extractions: [] }] : []),
      ...filters.map((one): Stage => {
        const quantity = { kind: 'quantity', ...one, unit: 'number', text: `${one.value}` } as const
        return { kind: 'filter', condition: quantity }
      }),
    ])
  forAll(
    longRuns(300),
    fc.constantFrom(...parts),
    anyStages,
    fc.constantFrom(...names),
    ({ columns, records }, stages, by) => {
      const predicate = new Predicate({ ...allRecords, stages })
      const selected =
        predicate.select(columns, 0, 100, { isStagedNext: true })?.slice() ??
        new Uint8Array(columns.recordCount)
      const groups = new Groups([by])
      groups.add(predicate.staged(columns, selected), selected)
      const found = groups.toPlain().flatMap(([[text], n]) => Array<string>(n).fill(text!))
      const run = pipelineOf(stages)
      const expected = records.flatMap(({ message, attributes }) => {
        const own = new Map(pairsOf(attributes))
        const text = (name: string) => {
          const alike = names.filter(other => logqlName(other) === logqlName(name))
          return own.get(name) || (alike.map(other => own.get(other)).find(Boolean) ?? '')
        }
        const row = new Row(1, message, { text })
        // What came under the very name is there, though it be empty.
        return run(row) ? ((row.hasOwn(by) ? own.get(by) : undefined) ?? row.label(by)) : []
      })
      assert.deepEqual(found.sort(), expected.sort())
    },
  )
})

function pairsOf(attributes: readonly string[]): [name: string, value: string][] {
  return attributes
    .flatMap((name, i): [string, string][] => (i % 2 === 0 ? [[name, attributes[i + 1]!]] : []))
    .sort()
}

const stream = { service: 'api', environment: 'prod' }
const recordOf = (attributes: string[]): StreamRecord => ({
  timestamp: 1,
  level: 'info',
  message: 'm',
  attributes,
  stream,
})

t.test('fields and exports have the records as they are shown', async t => {
  const batch = batchOf([recordOf(['a', '1', 'note', '']), recordOf(['b', '2'])])
  const staged = (stages: Stage[]) => {
    const predicate = new Predicate({ ...allRecords, stages })
    const selected = predicate.select(batch, 0, 100, { isStagedNext: true })!.slice()
    return { columns: predicate.staged(batch, selected), selected }
  }
  const first = staged([
    { kind: 'filter', condition: { kind: 'text', label: 'a', operator: '=', value: '1' } },
  ])
  const fields = new Fields('refuse')
  fields.add(first.columns, first.selected)
  t.same(fields.toPlain(), [
    ['a', 1],
    ['note', 1],
  ])
  t.match(JSON.parse(rowTextOf(first.columns, 'ndjson')(0)), { attributes: { a: '1', note: '' } })
})

t.test('no attribute that stages make has the name of the environment', async t => {
  const batch = batchOf([recordOf(['a', '1'])])
  const stages: Stage[] = [
    { kind: 'label_format', assignments: [{ label: 'environment', template: 'x' }] },
  ]
  const predicate = new Predicate({ ...allRecords, stages })
  const selected = predicate.select(batch, 0, 100, { isStagedNext: true })!.slice()
  const columns = predicate.staged(batch, selected)
  t.same(columns.record(0).attributes, ['a', '1'])
  t.match(rowTextOf(columns, 'ndjson')(0), /"environment":"prod","a":"1"}}/)
})

t.test('what stages make of a block has a bound', async t => {
  const length = limits.queryTemplateTextMax
  const fitting = limits.queryStagedLengthMax / length
  const batch = batchOf(Array.from({ length: fitting + 1 }, () => recordOf([])))
  const template = `{{ repeat ${length} "x" }}`
  const stages: Stage[] = [
    { kind: 'label_format', assignments: [{ label: 'x', template }] },
    { kind: 'line_format', text: template },
  ]
  const of = (count: number) => {
    const marks = new Uint8Array(batch.recordCount).fill(1, 0, count)
    return new Predicate({ ...allRecords, stages }).staged(batch, marks)
  }
  t.equal(of(fitting).attribute('x')!.column.valueCount, fitting)
  t.throws(() => of(fitting + 1).attribute('x'), { name: 'StagedTooLong' })
  t.throws(() => of(fitting + 1).message, { name: 'StagedTooLong' })
})
