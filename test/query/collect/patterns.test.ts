import t from 'tap'
import { patternCodes } from '../../../src/columns/patterns/column-patterns.ts'
import { patternOfMessage } from '../../../src/columns/patterns/message-pattern.ts'
import { PlainColumn } from '../../../src/columns/plain.ts'
import type { RecordColumns } from '../../../src/columns/record-columns.ts'
import { limits } from '../../../src/limits.ts'
import { Patterns } from '../../../src/query/collect/patterns.ts'

const request = { bucketMs: 1_000, samples: 2 }

/** As many words without digits as there are. */
function wordOf(number: number): string {
  return [...number.toString(26)]
    .map(digit => 'ghijklmnopqrstuvwxyzABCDEF'[Number.parseInt(digit, 26)])
    .join('')
}

function columnsOf(messages: readonly string[]): RecordColumns {
  const offsets = new Uint32Array(messages.length + 1)
  messages.forEach((message, i) => {
    offsets[i + 1] = offsets[i]! + Buffer.byteLength(message)
  })
  return {
    recordCount: messages.length,
    minTimestamp: 0,
    maxTimestamp: 0,
    isSorted: false,
    streams: [{ service: 'a', environment: 'b' }],
    streamCodes: new Uint8Array(messages.length),
    levels: ['info'],
    levelCodes: new Uint8Array(messages.length),
    message: new PlainColumn({ offsets, bytes: Buffer.from(messages.join('')) }),
    sortedTimes: undefined,
    timestamp: () => 0,
    sequence: row => row,
    attributeNames: [],
    attributeValueCount: () => 0,
    attribute: () => undefined,
    record: () => t.fail('no record is made') as never,
  }
}

const all = (count: number) => new Uint8Array(count).fill(1)

t.test('of too many patterns the rare ones are let go, and counted', async t => {
  const patterns = new Patterns(request)
  const rare = Array.from({ length: limits.patternsMax - 1 }, (_, i) => `rare ${wordOf(i)}`)
  const messages = ['often', 'often', ...rare]
  patterns.add(columnsOf(messages), all(messages.length))
  t.equal(patterns.all.length, limits.patternsMax)
  t.equal(patterns.forgottenCount, 0, 'at the bound all are there')
  patterns.add(columnsOf(['one more']), all(1))
  t.equal(patterns.all.length, limits.patternsMax / 2)
  t.equal(patterns.forgottenCount, limits.patternsMax / 2 + 1)
  t.match(patterns.get(patternOfMessage('often')), { count: 2, samples: ['often'] })

  const merged = new Patterns(request)
  merged.addPlain(patterns.toPlain())
  t.equal(merged.forgottenCount, patterns.forgottenCount)
  t.equal(merged.all.length, patterns.all.length)
})

t.test('samples are of begins of messages, none twice', async t => {
  const patterns = new Patterns(request)
  const messages = ['took 1', 'took 1', 'took 2', `took 3 ${'x '.repeat(5_000)}`]
  patterns.add(columnsOf(messages), all(messages.length))
  const [took, long] = patterns.all
  t.same(took!.samples, ['took 1', 'took 2'])
  t.ok(long!.samples[0]!.length <= 2_000)
})

t.test('few texts are made of a kind that has few different ones', async t => {
  const columns = columnsOf(['all the same', 'took 1', 'took 1'])
  let madeCount = 0
  const message = new Proxy(columns.message, {
    get: (column, name) => {
      if (name === 'textAt') madeCount++
      const member = Reflect.get(column, name)
      return typeof member === 'function' ? member.bind(column) : member
    },
  })
  const patterns = new Patterns(request)
  for (let block = 0; block < 100; block++) patterns.add({ ...columns, message }, all(3))
  t.equal(patterns.get(patternOfMessage('took 1'))!.count, 200)
  t.ok(madeCount <= 1 + 4 * request.samples, `${madeCount} texts`)
})

t.test('what is kept of a whole block is not taken for a part of it', async t => {
  const columns = columnsOf(['took 1', 'all the same', 'took 2'])
  const codes = patternCodes(columns.message)
  const message = Object.assign(Object.create(columns.message), { patternCodes: () => codes })
  const sorted = { ...columns, message, isSorted: true }
  const took = patternOfMessage('took 1')
  for (const [selected, count] of [
    [[1, 1, 1], 2],
    [[1, 1, 0], 1],
    [[1, 1, 1], 2],
    [[0, 1, 0], undefined],
  ] as const) {
    const patterns = new Patterns(request)
    patterns.add(sorted, Uint8Array.from(selected))
    t.equal(patterns.get(took)?.count, count, selected.join())
    t.equal(patterns.get(patternOfMessage('all the same'))!.count, 1)
  }
})

t.test('a few milliseconds of a block of years take no room for its years', async t => {
  const patterns = new Patterns({ ...request, bucketMs: 1 })
  const times = [0, 5_000, 5_003, 2 ** 40]
  const columns = columnsOf(['far', 'near', 'near', 'far'])
  const ofYears: RecordColumns = {
    ...columns,
    maxTimestamp: 2 ** 40,
    timestamp: row => times[row]!,
  }
  patterns.add(ofYears, Uint8Array.of(0, 1, 1, 0))
  const { first, counts } = patterns.all[0]!.buckets.toPlain()
  t.same([first, ...counts], [5_000, 1, 0, 0, 1])
})
