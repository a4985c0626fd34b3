/**
 * Labels of lines of logfmt: of those whose every part is a key, or a key with a value, without escapes.
 * Of other lines nothing is known.
 */
import { logqlName } from '../../../../language/logql-names.ts'
import type { Stage } from '../../../../language/stage.ts'
import { quoted } from '../../../../match/condition.ts'
import type { Definitions } from './definitions.ts'
import { keyForm, wordsOfLabel } from './key-forms.ts'
import { type Found, isErrorKey, type StagedRecord, withFound } from './staged-record.ts'
import { unknown } from './unknown.ts'

const part = '[^\\s="]+(?:=(?:"[^"]*"|[^\\s"]*))?'
const value = '("[^"]*"|[^\\s"]*)(?:\\s|\\z)'
const sign = '[^A-Za-z0-9\\s="]'
/** Keys that may be the label of an error: it would hide what went wrong. */
const likeError = '[^A-Za-z0-9]{2}error'
/** White space that JavaScript knows and RE2 does not, escapes, and such keys. */
const isOdd =
  `[\\x0b\\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}\\\\]` +
  `|${likeError}`

export function afterLogfmt(
  before: StagedRecord,
  { extractions, isStrict, keepsEmpty }: Extract<Stage, { kind: 'logfmt' }>,
  defined: Definitions,
): StagedRecord {
  // Which keys are there without a value is not asked.
  if (keepsEmpty || extractions.some(({ label }) => isErrorKey(logqlName(label)))) defined.giveUp()
  const { line, error } = before
  const { bound } = defined
  const isPlain = isPlainOf(line, defined)
  const ofPaths = new Map(extractions.map(({ label, path }) => [logqlName(label), path]))
  // A part that is no pair is passed over, or, under `--strict`, ends it.
  const failed = isStrict
    ? `if(isNull(${isPlain}), NULL, ${error})`
    : `if(match(${line}, ${bound.text(likeError)}), NULL, ${error})`
  const foundOf = (key: string): Found | undefined => {
    if (extractions.length > 0) {
      const path = ofPaths.get(key)
      return path === undefined ? undefined : valueBehind(quoted(path), line, isPlain, defined)
    }
    const words = wordsOfLabel(key)
    if (words !== undefined) return valueBehind(keyForm(words, sign), line, isPlain, defined)
    if (!/^(?:log_level|detected_level|service_name|environment)$/.test(key)) defined.giveUp()
    return { isThere: unknown, text: unknown }
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

/** The value of a key that is there once; one that is empty is none. */
function valueBehind(form: string, line: string, isPlain: string, defined: Definitions): Found {
  const { bound } = defined
  const text = `ifNull(${line}, '')`
  const count = `countMatches(${text}, ${bound.text(`(?:\\A|\\s)(?:${form})=`)})`
  const behind = bound.text(`\\A(?:\\s*${part}\\s)*?\\s*(?:${form})=${value}`)
  const raw = defined.define(`extract(${text}, ${behind})`)
  const inner = `substring(${raw}, 2, length(${raw}) - 2)`
  const found = defined.define(`if(startsWith(${raw}, '"'), ${inner}, ${raw})`)
  // Whatever the line is, a key that stands nowhere before a value is not found.
  const isNowhere = `NOT match(${text}, ${bound.text(`(?:${form})=`)})`
  const isThere = `multiIf(isNull(${line}), NULL, ${isNowhere}, 0, isNull(${isPlain}), NULL, ${count} = 0, 0, ${count} > 1, NULL, ${found} != '')`
  return { isThere: defined.define(isThere), text: found }
}
