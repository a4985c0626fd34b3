/** Which keys were stored, compared with a plain list of them. */
import { createHash } from 'node:crypto'
import fc from 'fast-check'
import t from 'tap'
import {
  eventKeyBytes,
  type FrameReceipts,
  fingerprintBytes,
  hashBytes,
  packReceipts,
  type ReceiptKey,
  unpackReceipts,
} from '../../src/journal/receipts.ts'
import { EventRanges } from '../../src/store/receipts/event-ranges.ts'
import { newEvent, otherEvent, Receipts, repeatedEvent } from '../../src/store/receipts/receipts.ts'
import { forAll } from '../for-all.ts'

const noKeys = new Uint8Array(0)

/** A key of a few, with a body of a few. */
function keyOf(name: number, body: number): ReceiptKey {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return {
    hash: digest(`key ${name}`).subarray(0, hashBytes),
    fingerprint: digest(`body ${body}`).subarray(0, fingerprintBytes),
  }
}

function stored(key: ReceiptKey, time: number, answer = ''): FrameReceipts {
  const whole = { from: 0, to: 1, total: 1, accepted: 1, answer }
  return { time: 0, eventKeys: noKeys, requests: [{ ...key, time, ...whole }] }
}

interface Remembered {
  readonly name: number
  readonly body: number
  readonly at: number
  readonly answer: string
}

t.test('as a list would have it, with bounds of time and number', async t => {
  const step = fc.record({
    name: fc.nat(30),
    body: fc.nat(1),
    seconds: fc.nat(40),
    answer: fc.constantFrom('', '{"rejected":1}'),
    isStored: fc.boolean(),
  })
  const steps = fc.array(step, { maxLength: 120 })
  forAll({ numRuns: 200 }, steps, fc.constantFrom(8, 16, 64), (list, countMax) => {
    let now = Date.UTC(2026, 10, 23)
    const receipts = new Receipts({ countMax, ageMsMax: 100_000, now: () => now })
    let plain: Remembered[] = []
    /** Keys that took a place of the table since then. */
    const places: number[] = []
    for (const { name, body, seconds, answer, isStored } of list) {
      now += seconds * 1_000
      const key = keyOf(name, body)
      const known = plain.find(one => one.name === name && now - one.at <= 100_000)
      const found = receipts.find(key)
      const isRecent = places.slice(-Math.floor(countMax * 0.75)).includes(name)
      // Of what is not among the newest, the table may know or not: it forgets an eighth at once.
      if (known !== undefined && (isRecent || found.state !== 'new')) {
        if (known.body !== body) t.equal(found.state, 'other')
        else t.match(found, { state: 'stored', accepted: 1, answer: known.answer })
        continue
      }
      t.match(found, { state: 'new', stored: undefined })
      const claim = receipts.claimRequest(key)
      t.match(receipts.find(key), { state: 'under way' })
      places.push(name)
      if (isStored) {
        receipts.note(unpackReceipts(packReceipts(stored(key, now, answer))))
        plain = [...plain.filter(one => one.name !== name), { name, body, at: now, answer }]
      }
      claim.end()
      if (!isStored) t.equal(receipts.find(key).state, 'new', 'what failed is new')
      t.ok(receipts.count <= countMax)
    }
  })
})

t.test('events are claimed once, however many claim them at once', async t => {
  const receipts = new Receipts({ countMax: 100_000, ageMsMax: 100_000, now: () => 1_000_000 })
  const keysOf = (names: readonly (readonly [name: number, body: number])[]) =>
    Buffer.concat(names.flatMap(([name, body]) => Object.values(keyOf(name, body)) as Buffer[]))
  const first = await receipts.claimEvents(
    keysOf([
      [1, 1],
      [2, 1],
      [1, 1],
      [2, 2],
    ]),
  )
  t.same([...first.verdicts!], [newEvent, newEvent, repeatedEvent, otherEvent])
  const second = receipts.claimEvents(
    keysOf([
      [2, 1],
      [3, 1],
    ]),
  )
  let isClaimed = false
  void second.then(() => {
    isClaimed = true
  })
  await new Promise(resolve => setImmediate(resolve))
  t.notOk(isClaimed, 'the second waits for the first')
  receipts.note({ time: 1_000_000, eventKeys: keysOf([[2, 1]]), requests: [] })
  first.end(false)
  const { verdicts, end } = await second
  t.same([...verdicts!], [repeatedEvent, newEvent])
  end(false)
  const third = await receipts.claimEvents(
    keysOf([
      [1, 7],
      [3, 7],
    ]),
  )
  t.equal(third.verdicts, undefined, 'what was not stored is new')
  t.equal(keysOf([[1, 1]]).length, eventKeyBytes)
})

t.test('ranges of events are a set of them', async t => {
  const pair = fc.tuple(fc.nat(20), fc.nat(20))
  forAll(fc.array(pair, { maxLength: 12 }), pairs => {
    const ranges = new EventRanges()
    const plain = new Set<number>()
    for (const [a, b] of pairs) {
      const [from, to] = [Math.min(a, b), Math.max(a, b) + 1]
      ranges.add(from, to)
      for (let i = from; i < to; i++) plain.add(i)
    }
    const listed = ranges.list.flatMap(({ from, to }) =>
      Array.from({ length: to - from }, (_, i) => from + i),
    )
    t.same(
      listed,
      [...plain].sort((a, b) => a - b),
    )
    const total = 21
    t.equal(ranges.covers(total), plain.size === total)
  })
})

t.test('only so many answers are kept, and the oldest are forgotten with their keys', async t => {
  const receipts = new Receipts({ countMax: 1_000, ageMsMax: 100_000, now: () => 1_000_000 })
  const answer = 'x'.repeat(3 * 1024 * 1024)
  for (let i = 0; i < 3; i++) receipts.note(stored(keyOf(i, 0), 1_000_000, answer))
  t.equal(receipts.find(keyOf(0, 0)).state, 'new')
  t.match(receipts.find(keyOf(1, 0)), { state: 'stored', answer })
  t.match(receipts.find(keyOf(2, 0)), { state: 'stored', answer })
})
