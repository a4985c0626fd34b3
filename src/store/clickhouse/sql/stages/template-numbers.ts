/** Functions of templates that compute numbers, and conditions. */

import { quantityIn } from '../quantity.ts'
import type { Definitions } from './definitions.ts'
import type { SqlFunction } from './template-texts.ts'
import {
  givenWhole,
  isTrue,
  madeCondition,
  madeNumber,
  numberOfValue,
  textOfValue,
  type Value,
  wholeOfValue,
} from './template-values.ts'
import { choose } from './unknown.ts'

type NumberOf = typeof numberOfValue

/** One operation on all in their turn. */
const reduced =
  (numberOf: NumberOf, by: (a: string, b: string) => string): SqlFunction =>
  (values, defined) => {
    const numbers = values.map(value => numberOf(value, defined))
    return madeNumber(
      numbers.reduce((a, b) => defined.define(by(a, b))),
      defined,
    )
  }

const added = (a: string, b: string) => `${a} + ${b}`
const taken = (a: string, b: string) => `${a} - ${b}`
const times = (a: string, b: string) => `${a} * ${b}`
const dividedBy = (a: string, b: string) => `${a} / ${b}`
const greatest = (a: string, b: string) => choose(`${a} >= ${b}`, a, b)
const least = (a: string, b: string) => choose(`${a} <= ${b}`, a, b)
/** By 0 the template fails. */
const quotient = (a: string, b: string) => `trunc(${a} / nullIf(${b}, 0))`
const rest = (a: string, b: string) => `${a} - ${b} * ${quotient(a, b)}`

const ofOne =
  (name: 'trunc' | 'ceil' | 'floor' | ''): SqlFunction =>
  ([value], defined) =>
    madeNumber(`${name}(${numberOfValue(value!, defined)})`, defined)

const inUnit =
  (unit: 'duration' | 'bytes', divisor: number): SqlFunction =>
  ([value], defined) => {
    const text = textOfValue(value!, defined)
    const read = quantityIn(text, unit)
    const isWritten = defined.define(`if(${text} = '', 0, ${read.isWritten})`)
    return madeNumber(`if(${isWritten}, ${read.value} / ${divisor}, NULL)`, defined)
  }

const found =
  (name: 'position' | 'startsWith' | 'endsWith'): SqlFunction =>
  (operands, defined) => {
    const [part, text] = operands.map(one => textOfValue(one, defined))
    const found = `${name}(${text}, ${part})`
    return madeCondition(name === 'position' ? `${found} > 0` : found, defined)
  }

const compared =
  (operator: '<' | '<=' | '>' | '>='): SqlFunction =>
  ([a, b], defined) => {
    const [x, y] = [numberOfValue(a!, defined), numberOfValue(b!, defined)]
    const [text, other] = [textOfValue(a!, defined), textOfValue(b!, defined)]
    const isText = `(${isNoNumber(a!, text)} OR ${isNoNumber(b!, other)})`
    const areAscii = `length(${text}) = lengthUTF8(${text}) AND length(${other}) = lengthUTF8(${other})`
    const numbers = `isNotNull(${x}) AND isNotNull(${y})`
    return madeCondition(
      `multiIf(${numbers}, ${x} ${operator} ${y}, ${isText} AND ${areAscii}, ${text} ${operator} ${other}, NULL)`,
      defined,
    )
  }

/** A text that JavaScript surely does not read as a number. */
function isNoNumber({ kind }: Value, text: string): string {
  if (kind !== 'text') return '0'
  return `(${text} = '' OR (match(${text}, '[^\\\\x00-\\\\x20]') AND NOT match(${text}, '[0-9]|Infinity')))`
}

/** The first that is true, or is not; else the last. */
const chosen =
  (isWanted: boolean): SqlFunction =>
  (values, defined) => {
    const last = values.at(-1)!
    if (last.kind === 'instant' || values.some(({ kind }) => kind !== last.kind)) return undefined
    const sql = values.slice(0, -1).reduceRight((other, value) => {
      const is = isTrue(value, defined)
      return defined.define(isWanted ? choose(is, value.sql, other) : choose(is, other, value.sql))
    }, last.sql)
    return { kind: last.kind, sql }
  }

const sameTexts = ([a, b]: readonly Value[], operator: '=' | '!=', defined: Definitions) =>
  madeCondition(`${textOfValue(a!, defined)} ${operator} ${textOfValue(b!, defined)}`, defined)

/** As `toFixed` writes it, and below that as JavaScript writes numbers. */
const fixedEnd = 1e21

/** With so many digits behind the point, as JavaScript's `toFixed` rounds. */
export function fixed(number: string, digits: number): string {
  const isFixed = `abs(${number}) < ${fixedEnd}`
  return `if(${isFixed}, toDecimalString(if(${isFixed} AND ${number} != 0, ${number}, 0), ${digits}), NULL)`
}

/** Up where what is cut off is `on` or more. */
const rounded: SqlFunction = ([value, count, on], defined) => {
  const digits = givenWhole(count!)
  if (digits === undefined || digits < 0 || digits > 15) return undefined
  const number = numberOfValue(value!, defined)
  const half = defined.define(`toFloat64(${defined.define(fixed(number, digits))})`)
  if (on === undefined) return madeNumber(half, defined)
  const from = numberOfValue(on, defined)
  const raised = defined.define(`${number} * ${10 ** digits}`)
  const below = defined.define(`floor(${raised})`)
  const other = `if(${raised} - ${below} >= ${from}, ${below} + 1, ${below}) / ${10 ** digits}`
  return madeNumber(choose(`${from} = 0.5`, half, other), defined)
}

export const numberFunctions: Readonly<Record<string, SqlFunction>> = {
  default: ([other, s], defined) => chosen(true)([s!, other!], defined),
  ...{ or: chosen(true), and: chosen(false) },
  not: ([value], defined) => madeCondition(`NOT ${isTrue(value!, defined)}`, defined),
  ...{ contains: found('position'), hasPrefix: found('startsWith'), hasSuffix: found('endsWith') },
  eq: (values, defined) => sameTexts(values, '=', defined),
  ne: (values, defined) => sameTexts(values, '!=', defined),
  ...{ lt: compared('<'), le: compared('<='), gt: compared('>'), ge: compared('>=') },
  len: ([s], defined) => madeNumber(`toFloat64(length(${textOfValue(s!, defined)}))`, defined),
  ...{ int: ofOne('trunc'), float64: ofOne(''), ceil: ofOne('ceil'), floor: ofOne('floor') },
  ...{ add: reduced(wholeOfValue, added), addf: reduced(numberOfValue, added) },
  ...{ sub: reduced(wholeOfValue, taken), subf: reduced(numberOfValue, taken) },
  ...{ mul: reduced(wholeOfValue, times), mulf: reduced(numberOfValue, times) },
  ...{ div: reduced(wholeOfValue, quotient), divf: reduced(numberOfValue, dividedBy) },
  mod: reduced(wholeOfValue, rest),
  round: rounded,
  ...{ max: reduced(wholeOfValue, greatest), maxf: reduced(numberOfValue, greatest) },
  ...{ min: reduced(wholeOfValue, least), minf: reduced(numberOfValue, least) },
  ...{ duration: inUnit('duration', 1e9), duration_seconds: inUnit('duration', 1e9) },
  bytes: inUnit('bytes', 1),
}
