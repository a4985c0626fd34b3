/**
 * Chooses the encoding of a column: the cheapest on disk that returns its exact bytes.
 *
 * Encoders that do not apply find out at the first value or two, so that trying them costs nothing;
 * those that apply are compared by estimates. A further encoding of free text is one more line in
 * `textEncoders`.
 */
import type { EncodedColumn, TextColumn } from './column.ts'
import { encodeConstant } from './constant.ts'
import { encodeDictionary } from './dictionary.ts'
import { estimateBytes } from './estimate.ts'
import { encodeFixedPoint } from './fixed-point.ts'
import { encodeHex } from './hex.ts'
import { encodeInteger } from './integer.ts'
import { encodeTemplate } from './template/encode.ts'
import { encodeText } from './text.ts'

type Encoder = (values: TextColumn) => EncodedColumn | undefined

/** For values of one kind, never larger than the encodings of free text. The first that applies. */
const kindEncoders: readonly Encoder[] = [encodeInteger, encodeFixedPoint, encodeHex]

/** For free text, tried unless a kind or a good dictionary applies; the last one always does. */
const textEncoders: readonly Encoder[] = [encodeTemplate, encodeText]

/** Bytes a value at which a dictionary is good: little is left to gain for anything else. */
const goodDictionaryBytes = 2

/** Chunk bytes a value up to which a kind is as small as a dictionary's codes are. */
const smallKindBytes = 1

/** Encodes a column so that opening it returns the same bytes. */
export function encodeColumn(values: TextColumn): EncodedColumn {
  const valueCount = values.offsets.length - 1
  const constant = encodeConstant(values)
  if (constant !== undefined) return constant
  const kind = firstOf(kindEncoders, values)
  if (kind !== undefined && chunkBytes(kind) <= smallKindBytes * valueCount) return kind
  const dictionary = encodeDictionary(values)
  if (dictionary === undefined) return kind ?? cheapest(encodeAll(values))
  const isGood = () => estimateBytes(dictionary.chunks) <= goodDictionaryBytes * valueCount
  const others = kind !== undefined ? [kind] : isGood() ? [] : encodeAll(values)
  const chosen = cheapest([dictionary, ...others])
  // Counted, whatever is smaller: few values in a small block are a template often.
  const counted = chosen.values ?? dictionary.values
  return counted === undefined ? chosen : { ...chosen, values: counted }
}

function firstOf(encoders: readonly Encoder[], values: TextColumn): EncodedColumn | undefined {
  for (const encode of encoders) {
    const encoded = encode(values)
    if (encoded !== undefined) return encoded
  }
  return undefined
}

function encodeAll(values: TextColumn): EncodedColumn[] {
  return textEncoders.map(encode => encode(values)).filter(encoded => encoded !== undefined)
}

/** The first of the smallest; there is at least one. */
function cheapest(candidates: readonly EncodedColumn[]): EncodedColumn {
  if (candidates.length === 1) return candidates[0]!
  const sizes = candidates.map(candidate => estimateBytes(candidate.chunks))
  return candidates[sizes.indexOf(Math.min(...sizes))]!
}

function chunkBytes(encoded: EncodedColumn): number {
  return encoded.chunks.reduce((sum, chunk) => sum + chunk.length, 0)
}
