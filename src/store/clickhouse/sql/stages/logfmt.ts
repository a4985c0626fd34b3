/**
 * Labels of lines of logfmt: of those whose every part is a key, or a key with a value. Of other lines
 * nothing is known.
 */
import { logqlName } from '../../../../language/logql-names.ts'
import type { Extraction, Stage } from '../../../../language/stage.ts'
import { quoted } from '../../../../match/condition.ts'
import { spaces } from '../expression.ts'
import type { Definitions } from './definitions.ts'
import { keyForm, notTold, wordsOfLabel } from './key-forms.ts'
import { type Found, isErrorKey, type StagedRecord, withFound } from './staged-record.ts'

const value = '(?:"(?:[^"\\\\]|\\\\[^\\n\\r])*"|[^\\s"]*)'
const part = `[^\\s="]+(?:=${value})?`
const parts = `(?:${part}\\s+)*`
const sign = '[^A-Za-z0-9\\s="]'
/** What a key may be. */
const key = /^[^\s="]+$/
const keySign = `[^A-Za-z0-9${spaces}="]`
/** Keys that are the label of an error: it would hide what went wrong. */
const likeError = `(?:\\A|[${spaces}])${keySign}{2}error${keySign}`
/** White space that JavaScript knows and RE2 does not, and such keys. */
const isOdd =
  `[\\x0b\\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}]` +
  `|${likeError}`

export function afterLogfmt(
  before: StagedRecord,
  stage: Extract<Stage, { kind: 'logfmt' }>,
  defined: Definitions,
): StagedRecord {
  const { line, error } = before
  const { bound } = defined
  const isPlain = isPlainOf(line, defined)
  // A part that is no pair is passed over, or, under `--strict`, ends it.
  const failed = stage.isStrict
    ? `if(isNull(${isPlain}), NULL, ${error})`
    : `if(isNull(${line}) OR match(${line}, ${bound.text(likeError)}), NULL, ${error})`
  const formOf = formsOf(stage.extractions, defined)
  const foundOf = (label: string): Found | undefined => {
    const form = formOf(label)
    if (form === 'none') return undefined
    if (form === undefined) return notTold(label, defined)
    return stage.keepsEmpty
      ? valueBehind(form, line, isPlain, defined)
      : textBehind(form, line, isPlain, defined)
  }
  return withFound(before, foundOf, defined, defined.define(failed))
}

/** 1 where all parts of a line are keys, with values or without, NULL elsewhere. */
export function isPlainOf(line: string, defined: Definitions): string {
  const { bound } = defined
  const form = bound.text(`\\A\\s*(?:${part}(?:\\s+${part})*)?\\s*\\z`)
  return defined.define(`multiIf(isNull(${line}), NULL, match(${line}, ${bound.text(isOdd)}), NULL,
    match(${line}, ${form}), 1, NULL)`)
}

/** The form of keys that a label is found under; undefined for what is not told. */
function formsOf(
  extractions: readonly Extraction[],
  defined: Definitions,
): (label: string) => string | 'none' | undefined {
  if (extractions.length === 0) {
    return label => {
      const words = wordsOfLabel(label)
      return words && keyForm(words, sign)
    }
  }
  const paths = new Map(extractions.map(({ label, path }) => [logqlName(label), path]))
  // Which of two keys comes last is not told.
  if (paths.size < extractions.length || [...paths.keys()].some(isErrorKey)) defined.giveUp()
  return label => {
    const path = paths.get(label)
    return path !== undefined && key.test(path) && path.isWellFormed() ? quoted(path) : 'none'
  }
}

/** What stands behind the key and its `=`: of what has none, the whole line. */
function restBehind(form: string, text: string, defined: Definitions) {
  const before = defined.bound.text(`\\A\\s*${parts}(?:${form})=`)
  const rest = defined.define(`replaceRegexpOne(${text}, ${before}, '')`)
  const written = defined.define(`extract(${rest}, ${defined.bound.text(`\\A${value}`)})`)
  const inner = `substring(${written}, 2, length(${written}) - 2)`
  // What escapes stand for is left to us.
  const said = `multiIf(NOT startsWith(${written}, '"'), ${written}, position(${written}, '\\\\') > 0, NULL, ${inner})`
  return { hasValue: `length(${rest}) < length(${text})`, written, said: defined.define(said) }
}

/** The value of a key that is there once with a value; one that is empty is none. */
function textBehind(form: string, line: string, isPlain: string, defined: Definitions): Found {
  const { bound } = defined
  const text = defined.define(`ifNull(${line}, '')`)
  const { hasValue, written, said } = restBehind(form, text, defined)
  const twice = bound.text(`\\A\\s*${parts}(?:${form})=${value}\\s+${parts}(?:${form})=`)
  // Whatever the line is, a key that stands nowhere before a value is not found.
  const isNowhere = `NOT match(${text}, ${bound.text(`(?:${form})=`)})`
  const isThere = `multiIf(isNull(${line}), NULL, ${isNowhere}, 0, isNull(${isPlain}), NULL,
    match(${text}, ${twice}), NULL, ${hasValue} AND ${written} NOT IN ('', '""'))`
  return { isThere: defined.define(isThere), text: said }
}

/** The value of a key that is there once, with a value or not; the empty text where it has none. */
function valueBehind(form: string, line: string, isPlain: string, defined: Definitions): Found {
  const { bound } = defined
  const text = defined.define(`ifNull(${line}, '')`)
  const { hasValue, said } = restBehind(form, text, defined)
  const twice = bound.text(
    `\\A\\s*${parts}(?:${form})(?:=${value})?\\s+${parts}(?:${form})(?:[\\s=]|\\z)`,
  )
  const isNowhere = `NOT match(${text}, ${bound.text(form)})`
  const isAlone = `match(${text}, ${bound.text(`\\A\\s*${parts}(?:${form})(?:\\s|\\z)`)})`
  const isThere = `multiIf(isNull(${line}), NULL, ${isNowhere}, 0, isNull(${isPlain}), NULL,
    match(${text}, ${twice}), NULL, (${hasValue}) OR ${isAlone})`
  return {
    isThere: defined.define(isThere),
    text: defined.define(`if(${hasValue}, ${said}, '')`),
  }
}
