/** `| unpack`: what Promtail has packed. The line is one of the members of its object. */
import type { Definitions } from './definitions.ts'
import { behindPaths, failedUnless, isObjectOf, saidBy, scalarAt, sign } from './json-lines.ts'
import { keyForm, notTold, wordsOfLabel } from './key-forms.ts'
import { type Found, type StagedRecord, withFound } from './staged-record.ts'
import { allOf, choose, whereKnown } from './unknown.ts'

export function afterUnpack(before: StagedRecord, defined: Definitions): StagedRecord {
  const { line } = before
  const isObject = isObjectOf(line, defined)
  const entry = textOf('_entry', line, isObject, defined)
  const foundOf = (label: string): Found => {
    const words = wordsOfLabel(label)
    if (words === undefined) return notTold(label, defined)
    const { isThere, text } = textOf(keyForm(words, sign), line, isObject, defined)
    return { isThere: defined.define(allOf([entry.isThere, isThere])), text }
  }
  const isJson = defined.define(whereKnown([line], `${line} = '' OR ${isObject}`))
  const error = failedUnless(isJson, before.error, defined)
  const unpacked = defined.define(choose(entry.isThere, entry.text, line))
  return { ...withFound(before, foundOf, defined, error), line: unpacked }
}

/** A member that is a string; others are none. */
function textOf(form: string, line: string, isObject: string, defined: Definitions): Found {
  const { isThere, rest } = behindPaths([[form]], line, { leaves: [form] }, defined)
  const written = scalarAt(rest, defined)
  const isText = choose(isThere, `startsWith(${written}, '"')`, '0')
  return {
    isThere: defined.define(choose(isObject, isText, '0')),
    text: saidBy(written, defined),
  }
}
