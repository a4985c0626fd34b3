import t from 'tap'
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
  t.match(patterns.get(patternOfMessage('often').id), { count: 2, samples: ['often'] })

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
