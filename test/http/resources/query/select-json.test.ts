import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { selectJson } from '../../../../src/http/resources/query/select-json.ts'
import type { AnswerRecord } from '../../../../src/store/store.ts'
import { anyCodePoint } from '../../../any-code-point.ts'
import { forAllAsync } from '../../../for-all.ts'

const arbitraryText = fc.oneof(
  fc.string({ unit: anyCodePoint }),
  fc.constantFrom('"logs":[]', 'é😀', '\u2028', 'x'.repeat(300_000), 'ü"'.repeat(100_000)),
)

const arbitraryRecord: fc.Arbitrary<AnswerRecord> = fc.record(
  {
    id: fc.string(),
    timestamp: fc.integer({ min: 0, max: 4e12 }),
    log_level: fc.constantFrom('info', 'error'),
    message: arbitraryText,
    attributes: fc.dictionary(fc.string(), arbitraryText, { maxKeys: 2 }),
  },
  { noNullPrototype: true },
)

const arbitraryAnswer = fc.record(
  {
    count: fc.nat(),
    logs: fc.array(arbitraryRecord, { maxLength: 12 }),
    cursor: fc.option(fc.string(), { nil: undefined }),
    groups: fc.array(fc.record({ labels: fc.dictionary(fc.string(), fc.string()) })),
  },
  { noNullPrototype: true },
)

t.test('a large answer made in pieces is the JSON of the whole', async () => {
  await forAllAsync({ numRuns: 200 }, arbitraryAnswer, async answer => {
    const json = await selectJson(answer)
    assert.equal(json.toString(), Buffer.from(JSON.stringify(answer)).toString())
  })
})

const record = (length: number): AnswerRecord => ({
  id: 'a',
  timestamp: 1,
  log_level: 'info',
  message: 'x'.repeat(length),
  attributes: {},
})

t.test('a small answer is made at once, as text', async t => {
  const answer = { count: 2, logs: [record(10), record(20)] }
  t.equal(await selectJson(answer), JSON.stringify(answer))
})

t.test('between two pieces of whatever answers the event loop turns', async t => {
  const logs = Array.from({ length: 20 }, () => record(100_000))
  const answers = Array.from({ length: 5 }, () => selectJson({ count: 1, logs }))
  let turns = 0
  let isOver = false
  const turn = () => {
    turns++
    if (!isOver) setImmediate(turn)
  }
  turn()
  for (const json of await Promise.all(answers))
    t.equal(JSON.parse(json.toString()).logs.length, 20)
  isOver = true
  t.ok(turns >= 5 * 6, `${turns} turns for five answers of seven pieces`)
})
