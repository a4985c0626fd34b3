/** Functions of templates about times. What is no time makes a template fail, and is unknown. */
import { dayMs } from '../../../../time-units.ts'
import type { Definitions } from './definitions.ts'
import { readAs } from './template-instant-texts.ts'
import { type SqlInstant, writtenAs } from './template-instants.ts'
import type { SqlFunction } from './template-texts.ts'
import {
  givenText,
  instantValue,
  madeNumber,
  madeText,
  textOfValue,
  type Value,
} from './template-values.ts'

/** As our times are texts. */
const ownLayout = '2006-01-02T15:04:05Z07:00'

function instantOf(value: Value, defined: Definitions): SqlInstant {
  if (value.kind === 'instant') return { ms: value.sql, nanos: value.nanos! }
  return readAs(ownLayout, textOfValue(value, defined), defined)!
}

/** A whole number is a time in seconds. */
const dated: SqlFunction = ([layout, time], defined) => {
  const written = givenText(layout!)
  if (written === undefined) return undefined
  if (time!.kind === 'instant') {
    return madeText(writtenAs(written, instantOf(time!, defined), defined), defined)
  }
  const text = textOfValue(time!, defined)
  const { ms, nanos } = instantOf(time!, defined)
  const isWhole = defined.define(`match(${text}, '\\\\A-?[0-9]{1,12}\\\\z')`)
  const seconds = `toInt64OrZero(ifNull(${text}, ''))`
  const either = {
    ms: defined.define(`if(${isWhole}, ${seconds} * 1000, ${ms})`),
    nanos: defined.define(`if(${isWhole}, 0, ${nanos})`),
  }
  return madeText(writtenAs(written, either, defined), defined)
}

const read = (layout: Value, text: Value, defined: Definitions): Value | undefined => {
  const written = givenText(layout)
  if (written === undefined) return undefined
  const instant = readAs(written, textOfValue(text, defined), defined)
  return instant && instantValue(instant)
}

const isUtc = (zone: Value) => ['UTC', 'Local', ''].includes(givenText(zone) ?? 'another')

/** The unit follows from how many digits there are. */
const ofEpoch: SqlFunction = ([epoch], defined) => {
  const text = textOfValue(epoch!, defined)
  const isTime = `match(${text}, '\\\\A[0-9]+\\\\z')`
  const number = defined.define(`toUInt64OrZero(ifNull(${text}, ''))`)
  const ofLength = (by: Readonly<Record<number, string>>, otherwise: string) => {
    const branches = Object.entries(by).map(
      ([length, sql]) => `length(${text}) = ${length}, ${sql}`,
    )
    return `multiIf(isNull(${text}) OR NOT ${isTime}, NULL, ${branches.join(', ')}, ${otherwise})`
  }
  const ms = ofLength(
    {
      ...{ 5: `toInt64(${number} * ${dayMs})`, 10: `toInt64(${number} * 1000)` },
      ...{ 13: `toInt64(${number})`, 16: `toInt64(intDiv(${number}, 1000))` },
      19: `toInt64(intDiv(${number}, 1000000))`,
    },
    'NULL',
  )
  const nanos = ofLength({ 16: `${number} % 1000 * 1000`, 19: `${number} % 1000000` }, '0')
  return instantValue({ ms: defined.define(ms), nanos: defined.define(nanos) })
}

export const dateFunctions: Readonly<Record<string, SqlFunction>> = {
  now: (_, defined) => instantValue({ ms: nowIn(defined), nanos: '0' }),
  date: dated,
  toDate: ([layout, s], defined) => read(layout!, s!, defined),
  toDateInZone: ([layout, zone, s], defined) =>
    isUtc(zone!) ? read(layout!, s!, defined) : undefined,
  unixToTime: ofEpoch,
  unixEpoch: ([time], defined) => {
    const { ms } = instantOf(time!, defined)
    return madeNumber(`toFloat64(intDiv(${ms} - positiveModulo(${ms}, 1000), 1000))`, defined)
  },
  unixEpochMillis: ([time], defined) =>
    madeNumber(`toFloat64(${instantOf(time!, defined).ms})`, defined),
  unixEpochNanos: ([time], defined) => {
    const { ms, nanos } = instantOf(time!, defined)
    return madeText(`toString(toInt128(${ms}) * 1000000 + ${nanos})`, defined)
  },
}

/** Of all records that are told the time when they are asked for. */
const nowIn = (defined: Definitions) =>
  defined.define(`toInt64(${defined.bound.number(Date.now())})`)
