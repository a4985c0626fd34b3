/** Functions of templates that make texts of texts, where ClickHouse does the same to each byte. */
import type { Definitions } from './definitions.ts'
import { givenWhole, madeBytesMax, madeText, textOfValue, type Value } from './template-values.ts'
import { choose } from './unknown.ts'

/** Undefined for operands of which SQL does not say what comes of them. */
export type SqlFunction = (operands: readonly Value[], defined: Definitions) => Value | undefined

/** Of ASCII: what each version of Unicode does to other letters may differ. */
const ofAscii =
  (name: 'lower' | 'upper'): SqlFunction =>
  ([s], defined) => {
    const text = textOfValue(s!, defined)
    return madeText(`if(length(${text}) = lengthUTF8(${text}), ${name}(${text}), NULL)`, defined)
  }

/** The first letter of each word: words have letters, digits, `_` and `'`. */
const titled: SqlFunction = ([s], defined) => {
  const text = textOfValue(s!, defined)
  const words = `extractAll(ifNull(${text}, ''), '[A-Za-z0-9_\\']+|[^A-Za-z0-9_\\']+')`
  const made = `arrayStringConcat(arrayMap(word -> concat(upper(substring(word, 1, 1)), substring(word, 2)), ${words}))`
  return madeText(`if(length(${text}) = lengthUTF8(${text}), ${made}, NULL)`, defined)
}

const space = '[\\\\t-\\\\r ]'
/** Beside what is no ASCII there may be white space that it knows and JavaScript does, too. */
const trimmed: SqlFunction = ([s], defined) => {
  const text = textOfValue(s!, defined)
  const isOdd = `match(${text}, '\\\\A${space}*[^\\\\x00-\\\\x7f]|[^\\\\x00-\\\\x7f]${space}*\\\\z')`
  const made = `replaceRegexpAll(${text}, '\\\\A${space}+|${space}+\\\\z', '')`
  return madeText(`if(${isOdd}, NULL, ${made})`, defined)
}

const cutting =
  (name: 'trimBoth' | 'trimLeft' | 'trimRight', isCutFirst = false): SqlFunction =>
  (operands, defined) => {
    const [s, cut] = isCutFirst ? [operands[1]!, operands[0]!] : [operands[0]!, operands[1]!]
    if (cut.given === undefined || /[^\0-\x7f]/.test(cut.given)) return undefined
    const text = textOfValue(s, defined)
    return madeText(cut.given === '' ? text : `${name}(${text}, ${cut.sql})`, defined)
  }

const withoutEnd =
  (end: 'prefix' | 'suffix', isEndFirst: boolean): SqlFunction =>
  (operands, defined) => {
    const [s, cut] = (isEndFirst ? operands.toReversed() : operands).map(one =>
      textOfValue(one, defined),
    )
    const from = end === 'prefix' ? `length(${cut}) + 1` : '1'
    const has = `${end === 'prefix' ? 'starts' : 'ends'}With(${s}, ${cut})`
    const rest = `substring(${s}, ${from}, toUInt64(greatest(length(${s}) - length(${cut}), 0)))`
    return madeText(choose(has, rest, s!), defined)
  }

/** A text of which none that is too long is made, for any record. */
function ifFits(s: string, bytes: string, defined: Definitions): { fits: string; short: string } {
  const fits = defined.define(`ifNull(${bytes} <= ${madeBytesMax}, 0)`)
  return { fits, short: defined.define(`if(${fits}, ${s}, '')`) }
}

function replaced(
  [s, old, by]: readonly [Value, Value, Value],
  name: 'replaceAll' | 'replaceOne',
  defined: Definitions,
): Value {
  const [text, from, to] = [s, old, by].map(one => textOfValue(one, defined))
  const count =
    name === 'replaceOne' ? '1' : `countSubstrings(ifNull(${text}, ''), ifNull(${from}, ''))`
  const { fits, short } = ifFits(text!, `length(${text}) + ${count} * length(${to})`, defined)
  // The empty text stands before each character: that is left to us.
  return madeText(`if(${fits} AND ${from} != '', ${name}(${short}, ${from}, ${to}), NULL)`, defined)
}

const replacedUpTo: SqlFunction = ([s, old, by, count], defined) => {
  const most = givenWhole(count!)
  if (most === undefined || most > 1) return undefined
  if (most === 0) return madeText(textOfValue(s!, defined), defined)
  return replaced([s!, old!, by!], most === 1 ? 'replaceOne' : 'replaceAll', defined)
}

/** Of characters, as both have them. */
const substring: SqlFunction = ([from, to, s], defined) => {
  const [first, last] = [givenWhole(from!), givenWhole(to!)]
  if (first === undefined || last === undefined) return undefined
  const text = textOfValue(s!, defined)
  if (first < 0) return madeText(`substringUTF8(${text}, 1, ${Math.max(0, last)})`, defined)
  if (last < 0) return madeText(`substringUTF8(${text}, ${first + 1})`, defined)
  return madeText(`substringUTF8(${text}, ${first + 1}, ${Math.max(0, last - first)})`, defined)
}

/** That many first characters; of a negative number, the last. */
export function truncated(text: string, count: number): string {
  if (count >= 0) return `substringUTF8(${text}, 1, ${count})`
  const from = `greatest(toInt64(lengthUTF8(${text})) - ${-count}, 0) + 1`
  return `substringUTF8(${text}, ${from})`
}

/** Spaces, or zeros, on one side, up to as many characters as `width`. */
export function padded(text: string, width: number, side: 'left' | 'right', by = ' '): string {
  return `if(lengthUTF8(${text}) >= ${width}, ${text}, ${side}PadUTF8(${text}, ${width}, '${by}'))`
}

const aligned =
  (side: 'left' | 'right'): SqlFunction =>
  ([count, s], defined) => {
    const width = givenWhole(count!)
    if (width === undefined || width > madeBytesMax) return undefined
    const text = textOfValue(s!, defined)
    if (width < 0) return madeText(text, defined)
    const kept = defined.define(truncated(text, side === 'left' || width === 0 ? width : -width))
    return madeText(padded(kept, width, side === 'left' ? 'right' : 'left'), defined)
  }

const repeated: SqlFunction = ([count, s], defined) => {
  const times = givenWhole(count!)
  if (times === undefined || times < 0) return undefined
  const text = textOfValue(s!, defined)
  const { fits, short } = ifFits(text, `length(${text}) * ${times}`, defined)
  return madeText(`if(${fits}, repeat(${short}, ${Math.min(times, madeBytesMax)}), NULL)`, defined)
}

const indented =
  (before: '' | '\\n'): SqlFunction =>
  ([count, s], defined) => {
    const width = givenWhole(count!)
    if (width === undefined || width < 0 || width > madeBytesMax) return undefined
    const text = textOfValue(s!, defined)
    const lines = `(countSubstrings(ifNull(${text}, ''), '\\n') + 1)`
    const { fits, short } = ifFits(text, `length(${text}) + ${lines} * ${width}`, defined)
    const spaces = `repeat(' ', ${width})`
    const made = `concat('${before}', ${spaces}, replaceAll(${short}, '\\n', concat('\\n', ${spaces})))`
    return madeText(`if(${fits}, ${made}, NULL)`, defined)
  }

const isBase64 = "'\\\\A(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?\\\\z'"

/** Of what is written as it has to be, and is a text. */
const fromBase64: SqlFunction = ([s], defined) => {
  const text = textOfValue(s!, defined)
  const proper = `if(match(${text}, ${isBase64}), ${text}, '')`
  const made = defined.define(`tryBase64Decode(${proper})`)
  const isSame = `base64Encode(${made}) = ${text} AND isValidUTF8(${made})`
  return madeText(`if(${isSame}, ${made}, NULL)`, defined)
}

const isUrlText = "'\\\\A(?:[^%]|%[0-9a-fA-F]{2})*\\\\z'"

const fromUrl: SqlFunction = ([s], defined) => {
  const text = textOfValue(s!, defined)
  const made = defined.define(`decodeURLFormComponent(${text})`)
  const isText = `match(${text}, ${isUrlText}) AND isValidUTF8(${made})`
  return madeText(`if(${isText}, ${made}, NULL)`, defined)
}

const madeBy =
  (name: string): SqlFunction =>
  ([s], defined) =>
    madeText(`${name}(${textOfValue(s!, defined)})`, defined)

const joined: SqlFunction = (values, defined) =>
  madeText(`concat('', ${values.map(one => textOfValue(one, defined)).join(', ')})`, defined)

export const textFunctions: Readonly<Record<string, SqlFunction>> = {
  ...{ ToLower: ofAscii('lower'), lower: ofAscii('lower') },
  ...{ ToUpper: ofAscii('upper'), upper: ofAscii('upper') },
  title: titled,
  ...{ TrimSpace: trimmed, trim: trimmed },
  ...{ Trim: cutting('trimBoth'), trimAll: cutting('trimBoth', true) },
  ...{ TrimLeft: cutting('trimLeft'), TrimRight: cutting('trimRight') },
  ...{ TrimPrefix: withoutEnd('prefix', false), trimPrefix: withoutEnd('prefix', true) },
  ...{ TrimSuffix: withoutEnd('suffix', false), trimSuffix: withoutEnd('suffix', true) },
  Replace: replacedUpTo,
  replace: ([old, by, s], defined) => replaced([s!, old!, by!], 'replaceAll', defined),
  substr: substring,
  trunc: ([count, s], defined) => {
    const most = givenWhole(count!)
    return most === undefined
      ? undefined
      : madeText(truncated(textOfValue(s!, defined), most), defined)
  },
  repeat: repeated,
  ...{ indent: indented(''), nindent: indented('\\n') },
  ...{ alignLeft: aligned('left'), alignRight: aligned('right') },
  print: joined,
  ...{ b64enc: madeBy('base64Encode'), b64dec: fromBase64 },
  ...{ urlencode: madeBy('encodeURLFormComponent'), urldecode: fromUrl },
}
