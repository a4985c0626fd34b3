/**
 * Values as columns get them, biased towards what each encoding takes and what it only just does not,
 * and the questions that a query may ask of them.
 */
import fc from 'fast-check'
import type { TextColumn } from '../../src/columns/column.ts'
import { offsetsFrom } from '../../src/columns/plain.ts'
import { type Condition, conditionOfFilter, conditionOfMatcher } from '../../src/match/condition.ts'

/** A column of texts or, where they are not UTF-8, of bytes. */
export function columnOf(values: readonly (string | Uint8Array)[]): TextColumn {
  const buffers = values.map(value => Buffer.from(value as string))
  return {
    offsets: offsetsFrom(buffers.map(({ length }) => length)),
    bytes: Buffer.concat(buffers),
  }
}

/** The values of a column, as strings that keep every byte. */
export function bytesOf({ offsets, bytes }: TextColumn): string[] {
  return Array.from({ length: offsets.length - 1 }, (_, i) =>
    bytes.toString('latin1', offsets[i], offsets[i + 1]),
  )
}

const integer = fc.oneof(
  fc.integer({ min: -3, max: 120 }),
  fc.integer({ min: 100, max: 70_000 }),
  fc.integer(),
  fc.maxSafeInteger(),
)
const nearInteger = fc.constantFrom(
  ...['00', '007', '-0', '-01', '+1', '1e5', '1.0', ' 1', '1 ', '-', '', '0x1', '--1'],
  ...['9007199254740991', '9007199254740992', '9007199254740993', '-9007199254740993'],
  ...['99999999999999999999', '٣'],
)

const hexDigits = (length: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: length, maxLength: length })
const uuid = hexDigits(32).map(hex =>
  [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join(
    '-',
  ),
)
const nearHex = fc.constantFrom(
  ...['DEADBEEF', 'deadbeeF', 'deadbee', 'deadbeef0', 'deadbeeg', 'dead-beef', 'abcdef'],
  ...['0b5a7c1e-9d2f-4e6a-8b1c-2d3e4f5a6b7C', '0b5a7c1e-9d2f-4e6a-8b1c-2d3e4f5a6b7'],
  ...['0b5a7c1e09d2f04e6a08b1c02d3e4f5a6b7c', '-b5a7c1e-9d2f-4e6a-8b1c-2d3e4f5a6b7c'],
)
const rawBytes = fc.uint8Array({ maxLength: 6 })
const word = fc.constantFrom('api', 'db-1', 'größe', 'a', '', '日本', 'x'.repeat(300))

type Value = string | Uint8Array
const many = (value: fc.Arbitrary<Value>) => fc.array(value, { maxLength: 40 })
const integerText = integer.map(String)
/** With at most so many decimals, as numbers are written. */
const decimalText = (decimals: number) =>
  fc
    .tuple(integer, fc.nat(decimals))
    .map(([digits, places]) => String(Math.trunc(digits / 2) / 10 ** places))
const nearDecimal = fc.constantFrom(
  ...['1.50', '.5', '5.', '-.5', '-0.5', '-0.0', '0.0', '00.5', '1.2.3', '1.-2', '0.1e1', '1e-7'],
  ...['0.0000000000000001', '0.00000000000000001', '9007199254740.991', '9007199254740.993'],
  ...['123456789012345.67', '-12345678901234567.8', '0.5 ', '٣.5'],
)

/** Columns of one kind, of one kind but for a value, and of anything. */
export const values: fc.Arbitrary<Value[]> = fc
  .oneof(
    many(integerText),
    fc.constantFrom(1, 2, 3, 12).chain(decimals => many(decimalText(decimals))),
    fc.tuple(integer, fc.array(fc.integer({ min: -1, max: 9 }))).map(([first, steps]) => {
      let value = Math.trunc(first / 2)
      return steps.map(step => {
        value += step
        return String(value)
      })
    }),
    fc.constantFrom(8, 10, 32).chain(length => many(hexDigits(length))),
    many(uuid),
    many(fc.constantFrom('0b5a7c1e-9d2f-4e6a-8b1c-2d3e4f5a6b7c', '0'.repeat(36))),
    many(word),
    fc
      .tuple(fc.oneof(word, rawBytes), fc.nat(40))
      .map(([value, count]) => Array(count).fill(value)),
    many(fc.string({ unit: 'grapheme' })),
    many(rawBytes),
  )
  .chain((column: readonly Value[]) =>
    fc.oneof<fc.MaybeWeightedArbitrary<Value[]>[]>(
      { weight: 3, arbitrary: fc.constant([...column]) },
      {
        weight: 1,
        arbitrary: fc
          .tuple(fc.nat(column.length), fc.oneof(nearInteger, nearDecimal, nearHex, word, rawBytes))
          .map(([at, value]) => column.toSpliced(at, 0, value)),
      },
      // As a dictionary likes them.
      { weight: 1, arbitrary: fc.constant([...column, ...column, ...column]) },
    ),
  )

/** A needle or a wanted text: a value, a part of one, or something else. */
function wantedFrom(column: readonly Value[]): fc.Arbitrary<string> {
  const texts = column.map(value => Buffer.from(value as string).toString())
  const part = fc
    .tuple(fc.constantFrom('', ...texts), fc.nat(40), fc.nat(8))
    .map(([text, start, length]) => text.slice(start % (text.length + 1)).slice(0, length))
  return fc.oneof(
    fc.constantFrom('', ...texts),
    part,
    integerText,
    fc.oneof(decimalText(3), nearDecimal),
    fc.oneof(nearInteger, nearHex, word),
    fc.constantFrom('-', '.', '0.', '.5', '-1', '0', '00', '05', '5', 'a', '\ufffd', '-4', 'f-'),
    fc.oneof(hexDigits(2), hexDigits(3), hexDigits(8), hexDigits(13), uuid),
  )
}

const patterns = [
  '',
  '.*',
  '.+',
  '-.*',
  '[0-9]+',
  '.*0',
  '[1-4]..',
  'a',
  '[a-f0-9-]+',
  '\\d{2}',
  '\\d+\\.\\d',
  '^1',
]

/** Any condition that a query can put to a column of these values. */
export function conditionsOn(column: readonly Value[]): fc.Arbitrary<Condition> {
  const wanted = wantedFrom(column)
  return fc.oneof(
    wanted.map(value => conditionOfMatcher({ operator: '=', value })),
    wanted.map(text => conditionOfFilter({ operator: '|=', text })),
    fc.constantFrom(...patterns).map(value => conditionOfMatcher({ operator: '=~', value })),
    fc.constantFrom(...patterns).map(text => conditionOfFilter({ operator: '|~', text })),
  )
}

/** Which values are wanted: undefined for all. */
export function masksFor(column: readonly Value[]): fc.Arbitrary<Uint8Array | undefined> {
  const { length } = column
  const mask = fc.array(fc.nat(1), { minLength: length, maxLength: length })
  return fc.option(
    mask.map(bits => Uint8Array.from(bits)),
    { nil: undefined },
  )
}
