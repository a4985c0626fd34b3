import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { encodeColumn } from '../../src/columns/choose.ts'
import type { SearchableColumn, TextColumn } from '../../src/columns/column.ts'
import { encodeConstant } from '../../src/columns/constant.ts'
import { decimalOf, parseDecimals } from '../../src/columns/decimal.ts'
import { encodeDictionary } from '../../src/columns/dictionary.ts'
import { encodeFixedPoint } from '../../src/columns/fixed-point.ts'
import { encodeHex } from '../../src/columns/hex.ts'
import { encodeInteger } from '../../src/columns/integer.ts'
import { PlainColumn } from '../../src/columns/plain.ts'
import { encodeText } from '../../src/columns/text.ts'
import type { Condition } from '../../src/match/condition.ts'
import { forAll } from '../for-all.ts'
import { longRuns } from '../long-runs.ts'
import { bytesOf, columnOf, conditionsOn, masksFor, values } from './arbitraries.ts'
import { equals, reopen } from './reopen.ts'

/** All encodings that take the values, and the one that is chosen. */
function reopenAll(texts: TextColumn): { encoding: string; column: SearchableColumn }[] {
  const encoders = [
    encodeConstant,
    encodeDictionary,
    encodeInteger,
    encodeFixedPoint,
    encodeHex,
    encodeText,
  ]
  return [...encoders, encodeColumn].flatMap(encode => {
    const encoded = encode(texts)
    if (encoded === undefined) return []
    const column = reopen(encoded, texts.offsets.length - 1)
    return [{ encoding: encoded.encoding, column }]
  })
}

function hitsOf(
  column: SearchableColumn,
  condition: Condition,
  isWanted: Uint8Array | undefined,
): number[] {
  const hits = new Uint8Array(column.valueCount)
  column.markHits(condition, hits, isWanted)
  return Array.from(hits, (hit, i) => (isWanted?.[i] === 0 ? 0 : hit))
}

t.test('every encoding gives back the exact bytes and texts', async () => {
  forAll(longRuns(1_000), values, list => {
    const texts = columnOf(list)
    const plain = new PlainColumn(texts)
    for (const { encoding, column } of reopenAll(texts)) {
      assert.deepEqual(bytesOf(column.toTextColumn()), bytesOf(texts), encoding)
      list.forEach((_, i) => {
        assert.equal(column.textAt(i), plain.textAt(i), encoding)
        const json = column.jsonAt?.(i)
        if (json !== undefined) assert.equal(json, JSON.stringify(plain.textAt(i)), encoding)
      })
    }
  })
})

t.test('every encoding finds what the plain way finds', async () => {
  const questions = values.chain(list =>
    fc.tuple(fc.constant(list), fc.array(conditionsOn(list), { minLength: 1 }), masksFor(list)),
  )
  forAll(longRuns(2_000), questions, ([list, conditions, isWanted]) => {
    const texts = columnOf(list)
    const plain = new PlainColumn(texts)
    const opened = reopenAll(texts)
    for (const condition of conditions) {
      const expected = hitsOf(plain, condition, isWanted)
      for (const { encoding, column } of opened) {
        assert.deepEqual(hitsOf(column, condition, isWanted), expected, encoding)
        const count = column.countHits?.(condition.test)
        if (count === undefined) continue
        const all = hitsOf(plain, condition, undefined)
        assert.equal(count, all.filter(hit => hit === 1).length, encoding)
      }
    }
  })
})

t.test('counts per value are those of a plain count', async () => {
  const selections = values.chain(list => fc.tuple(fc.constant(list), masksFor(list)))
  forAll(longRuns(1_000), selections, ([list, mask]) => {
    const texts = columnOf(list)
    const plain = new PlainColumn(texts)
    const selected = mask ?? new Uint8Array(list.length).fill(1)
    const expected = new Map<string, number>()
    list.forEach((_, i) => {
      if (selected[i] === 1) add(expected, plain.textAt(i), 1)
    })
    for (const { encoding, column } of reopenAll(texts)) {
      if (column.countValues === undefined) continue
      const counts = new Map<string, number>()
      column.countValues(selected, (text, count) => add(counts, text, count))
      assert.deepEqual(counts, expected, encoding)
    }
  })
})

t.test('codes stand for the texts, and the same bytes have the same code', async () => {
  forAll(longRuns(1_000), values, list => {
    const texts = columnOf(list)
    const plain = new PlainColumn(texts)
    for (const { encoding, column } of [
      ...reopenAll(texts),
      { encoding: 'plain', column: plain },
    ]) {
      const values = column.codes?.()
      if (values === undefined) continue
      const { codes, codeCount, textOf } = values
      assert.equal(codes.length, list.length, encoding)
      const seen = new Map<string, number>()
      codes.forEach((code, i) => {
        assert.ok(code < codeCount, encoding)
        assert.equal(textOf(code), plain.textAt(i), encoding)
        const bytes = bytesOf(texts)[i]!
        assert.equal(seen.get(bytes) ?? code, code, encoding)
        seen.set(bytes, code)
      })
    }
  })
})

t.test('numbers are those that the texts write', async () => {
  forAll(longRuns(1_000), values, list => {
    const texts = columnOf(list)
    const expected = [...parseDecimals(texts)]
    list.forEach((_, i) => {
      assert.equal(expected[i], decimalOf(new PlainColumn(texts).textAt(i)))
    })
    for (const { encoding, column } of reopenAll(texts)) {
      if (column.numbers === undefined) continue
      assert.deepEqual([...column.numbers()], expected, encoding)
    }
  })
})

function add(counts: Map<string, number>, text: string, count: number): void {
  counts.set(text, (counts.get(text) ?? 0) + count)
}

t.test('hits that are marked already stay marked', async t => {
  for (const { encoding, column } of reopenAll(columnOf(['1', '2', '1', '1']))) {
    const hits = Uint8Array.of(0, 1, 0, 0)
    column.markHits(equals('x'), hits, undefined)
    t.same([...hits], [0, 1, 0, 0], encoding)
  }
})
