/** The number of a message's pattern is that of its id, or it is not told; and finding it out is bounded. */

import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import t from 'tap'
import { patternOfMessage } from '../../src/columns/patterns/message-pattern.ts'
import { LongColumn } from '../../src/store/clickhouse/native-columns.ts'
import { PatternNumbers, tellingBytes } from '../../src/store/clickhouse/pattern-numbers.ts'
import { anyCodePoint } from '../any-code-point.ts'
import { forAll } from '../for-all.ts'
import { longRuns } from '../long-runs.ts'

/** One for all: a new one is 32 KB, as much as a block begins with. */
const column = new LongColumn()

function numberOf(numbers: PatternNumbers, message: string): bigint {
  const bytes = Buffer.from(`1${message}`)
  numbers.add(bytes, 1, bytes.length, column)
  return column.take().readBigUInt64LE(0)
}

function plainNumberOf(message: string): bigint {
  return BigInt(`0x${patternOfMessage(message).id.slice('p1-'.length)}`)
}

const lettersOf = (i: number) =>
  [...String(1_000_000 + i)].map(digit => 'ghijklmnop'[+digit]).join('')

t.test('a number is that of the id, whatever came before', async () => {
  const numbers = new PatternNumbers()
  const part = fc.constantFrom(
    'took ',
    '1 ms',
    'user bob ',
    'é',
    '\n',
    '{',
    '"a":1',
    'x'.repeat(300),
  )
  const message = fc.oneof(
    fc.array(part, { maxLength: 6 }).map(all => all.join('')),
    fc.string({ unit: anyCodePoint }),
  )
  forAll(longRuns(2_000), message, message => {
    assert.equal(numberOf(numbers, message), plainNumberOf(message))
  })
})

t.test('a message whose begin does not tell its kind tells none', async t => {
  const numbers = new PatternNumbers()
  const long = '1'.repeat(tellingBytes)
  t.equal(numberOf(numbers, `x ${long} y`), 0n)
  t.equal(numberOf(numbers, `x ${long}`), plainNumberOf(`x ${long}`))
  const trace = `x failed\n${'  at y\n'.repeat(tellingBytes)}`
  t.equal(numberOf(numbers, trace), plainNumberOf(trace))
  t.equal(numberOf(numbers, `x${' '.repeat(tellingBytes)}y`), 0n, 'nor does what is behind spaces')
})

t.test('of many new ones few are told, the same ones again are, and all are right', async t => {
  const numbers = new PatternNumbers()
  let told = 0
  for (let i = 0; i < 100_000; i++) {
    const message = lettersOf(i)
    const number = numberOf(numbers, message)
    if (number === 0n) continue
    told++
    if (i % 50 === 0) assert.equal(number, plainNumberOf(message))
  }
  const most = 8_192 + Math.ceil(100_000 / 16)
  t.ok(told <= most && told > most - 10, `${told} are told`)
  for (let i = 0; i < 16; i++) numberOf(numbers, 'w')
  t.equal(numberOf(numbers, 'w'), plainNumberOf('w'), 'what comes often is told')
})

/** Of arrays that are in use: memory of others is given back beside what runs. */
async function arrayBytes(): Promise<number> {
  setFlagsFromString('--expose-gc')
  const collectGarbage: () => void = runInNewContext('gc')
  let least = Number.POSITIVE_INFINITY
  for (let times = 0; times < 10; times++) {
    collectGarbage()
    await pause(20)
    least = Math.min(least, process.memoryUsage().arrayBuffers)
  }
  return least
}

t.test('memory is bounded, whatever messages are', async t => {
  const numbers = new PatternNumbers()
  const before = await arrayBytes()
  for (let i = 0; i < 60_000; i++) numberOf(numbers, `${lettersOf(i)} ${'word '.repeat(190)}`)
  const grown = (await arrayBytes()) - before
  t.ok(grown < 16 * 2 ** 20, `${grown} bytes`)
  t.equal(typeof numberOf(numbers, 'w'), 'bigint', 'and is still in use')
})
