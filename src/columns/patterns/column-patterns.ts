/** The kinds of all messages of a column, as small numbers: no message is made. */

import type { SearchableColumn, TextColumn } from '../column.ts'
import type { Integers } from '../integers.ts'
import { PlainColumn } from '../plain.ts'
import { type MessagePattern, patternOfMessage, patternOfWholeSkeleton } from './message-pattern.ts'
import { SkeletonTable } from './skeleton-table.ts'
import type { PatternTable } from './told-patterns.ts'

/** Message i is of the pattern `patternOf(codes[i])`. */
export interface PatternCodes {
  /** Not to be changed. */
  readonly codes: Integers
  /** All codes are below it; not all need occur. */
  readonly codeCount: number
  /** Two codes may have the same. Throws TurnOver. */
  patternOf(code: number): MessagePattern
}

/** `told`: of the messages, where they are told of. Throws TurnOver. */
export function patternCodes(column: SearchableColumn, told?: PatternTable): PatternCodes {
  const own = column.patternCodes?.(told)
  if (own !== undefined) return own
  const coded = column instanceof PlainColumn ? undefined : column.codes?.()
  if (coded === undefined) return ofTexts(column.toTextColumn())
  const { codes, codeCount, textOf } = coded
  return { codes, codeCount, patternOf: code => patternOfMessage(textOf(code)) }
}

/**
 * Of the last columns: what is not yet done with one when its turn is over goes on with these. Nothing else
 * keeps those of columns without templates, so they are few, and let go of by `forgetCodes`.
 */
const begun: { readonly column: SearchableColumn; readonly coded: PatternCodes }[] = []
const begunMax = 4

/** The same as `patternCodes`, until `forgetCodes`. Throws TurnOver. */
export function begunCodes(column: SearchableColumn, told?: PatternTable): PatternCodes {
  const known = begun.find(one => one.column === column)
  if (known !== undefined) return known.coded
  const coded = patternCodes(column, told)
  if (begun.length === begunMax) begun.shift()
  begun.push({ column, coded })
  return coded
}

/** To be called when all is known that somebody wanted of the codes of a column. */
export function forgetCodes(column: SearchableColumn): void {
  const at = begun.findIndex(one => one.column === column)
  if (at !== -1) begun.splice(at, 1)
}

/** Skeletons of a thread, so that those of one batch after the other are told by their numbers. */
const skeletonsMax = 16_384
let skeletons = new SkeletonTable()

function ofTexts({ offsets, bytes }: TextColumn): PatternCodes {
  const codes = new Uint32Array(offsets.length - 1)
  const codeOf = new Map<number, number>()
  const ofCode: string[] = []
  for (let i = 0; i < codes.length; i++) {
    if (skeletons.count >= skeletonsMax) {
      skeletons = new SkeletonTable()
      codeOf.clear()
    }
    const skeleton = skeletons.add(bytes, offsets[i]!, offsets[i + 1]!)
    let code = codeOf.get(skeleton)
    if (code === undefined) {
      code = ofCode.push(skeletons.latin1Of(skeleton)) - 1
      codeOf.set(skeleton, code)
    }
    codes[i] = code
  }
  return {
    codes,
    codeCount: ofCode.length,
    patternOf: code => patternOfWholeSkeleton(ofCode[code]!),
  }
}
