/**
 * Messages for the tests of template columns: adversarial ones over few characters, and ones made
 * from templates with variables of every kind; and the template column of any messages, however
 * little it gains.
 */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { EncodedColumn, TextColumn } from '../../../src/columns/column.ts'
import { offsetsFrom } from '../../../src/columns/plain.ts'
import { encodeSplit } from '../../../src/columns/template/encode.ts'
import { openTemplate, type TemplateColumn } from '../../../src/columns/template/open.ts'
import { splitTexts } from '../../../src/columns/template/split.ts'
import { chunksOf, throughMsgpack } from '../reopen.ts'

/** Texts whose characters stand for bytes. */
export function columnOfBytes(messages: readonly string[]): TextColumn {
  const offsets = offsetsFrom(messages.map(({ length }) => length))
  return { offsets, bytes: Buffer.from(messages.join(''), 'latin1') }
}

export function encodeAnyway(values: TextColumn): EncodedColumn {
  const split = splitTexts(values, Number.POSITIVE_INFINITY)
  assert.ok(split !== undefined)
  const encoded = encodeSplit(values, split)
  assert.ok(encoded !== undefined)
  return encoded
}

/** `asked` collects the numbers of the chunks that are read. */
export function reopenTemplate(
  encoded: EncodedColumn,
  valueCount: number,
  asked: number[] = [],
): TemplateColumn {
  return openTemplate(throughMsgpack(encoded.meta), valueCount, chunksOf(encoded, asked))
}

/** A character as the bytes of its UTF-8, each as a character. */
const utf8 = (text: string) => Buffer.from(text).toString('latin1')

const pieces = [
  ...['a', 'b', 'ab', 'B', '1', '2', '0', '12', '00', 'a1', '1b'],
  ...[' ', '-', '.', ' ', '\n', '\0', utf8('é'), utf8('日'), '\xff', '\xc3'],
]

const adversarial = fc.array(
  fc.array(fc.constantFrom(...pieces), { maxLength: 10 }).map(parts => parts.join('')),
  { maxLength: 30 },
)

const digits = (length: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: length, maxLength: length })
const hex = (length: number) =>
  fc.string({ unit: fc.constantFrom(...'01289abef'), minLength: length, maxLength: length })

/** What may stand in a slot: each a kind of variable, or almost one. */
const slotValues: readonly fc.Arbitrary<string>[] = [
  fc.nat(9).map(String),
  fc.nat(300).map(value => String(1_000 + value)),
  fc.nat(70_000).map(String),
  fc.nat(2 ** 31 - 1).map(String),
  fc.maxSafeInteger().map(value => String(Math.abs(value))),
  fc.constantFrom('9007199254740991', '9007199254740992', '0', '10', '00'),
  digits(2),
  digits(17),
  hex(2),
  hex(8),
  hex(5),
  fc.constantFrom('node1', 'node2', 'node12'),
  fc.constantFrom('red', 'green', 'blue', 'black', 'white', 'grey', 'pink', 'gold'),
  fc.string({ unit: fc.constantFrom('a', '1', 'Z'), minLength: 1, maxLength: 6 }),
  fc.constant('same1'),
]
const staticParts = ['', ' ', 'user ', ' took ', ' ms', '-', '.', ': ', utf8(' für '), '="', '"']

/** A template: static parts with slots between them, some of which touch. */
const template = fc.array(
  fc.tuple(fc.constantFrom(...staticParts), fc.nat(slotValues.length - 1)),
  { maxLength: 4 },
)

const realistic = fc.array(template, { minLength: 1, maxLength: 3 }).chain(templates =>
  fc.array(
    fc
      .constantFrom(...templates)
      .chain(parts =>
        fc
          .tuple(...parts.map(([part, slot]) => slotValues[slot]!.map(value => part + value)))
          .map(filled => filled.join('')),
      ),
    { maxLength: 60 },
  ),
)

/** Messages as bytes; one character a byte. */
export const messages: fc.Arbitrary<string[]> = fc.oneof(adversarial, realistic)
