/** Times that templates read in texts, as `query/stages/dates.ts` does: of the years 1900 to 2298. */
import { quoted } from '../../../../match/condition.ts'
import { dayNames, monthNames, piecesOf } from '../../../../query/stages/dates.ts'
import { dayMs } from '../../../../time-units.ts'
import type { Definitions } from './definitions.ts'
import { type SqlInstant, short } from './template-instants.ts'

interface Taking {
  /** With a group for each of these. */
  readonly form: string
  readonly keys: readonly string[]
  /** Takes as many digits as there are. */
  readonly isOpen?: boolean
}

const taking = (key: string, form: string, isOpen = false): Taking => ({
  ...{ form: `(${form})`, keys: [key], isOpen },
})
/** In letters of both cases one by one: when RE2 ignores case, more than these are letters of the names. */
const nameForm = (names: readonly string[]) => {
  const inBothCases = (letter: string) => `[${letter.toUpperCase()}${letter.toLowerCase()}]`
  return `(?:${names.map(name => name.replaceAll(/./g, inBothCases)).join('|')})`
}

const takings: Readonly<Record<string, Taking>> = {
  January: taking('monthName', nameForm(monthNames)),
  Jan: taking('monthName', nameForm(short(monthNames))),
  Monday: { form: nameForm(dayNames), keys: [] },
  Mon: { form: nameForm(short(dayNames)), keys: [] },
  ...{ '1': taking('month', '[0-9]{1,2}', true), '01': taking('month', '[0-9]{2}') },
  ...{ '2': taking('day', '[0-9]{1,2}', true), '02': taking('day', '[0-9]{2}') },
  _2: taking('day', ' ?[0-9]{1,2}', true),
  '15': taking('hour', '[0-9]{2}'),
  ...{ '3': taking('hour', '[0-9]{1,2}', true), '03': taking('hour', '[0-9]{2}') },
  ...{ '4': taking('minute', '[0-9]{1,2}', true), '04': taking('minute', '[0-9]{2}') },
  '2006': taking('year', '[0-9]{4}'),
  PM: taking('half', '[AP]M'),
  pm: taking('half', '[ap]m'),
  MST: { form: '(?:UTC|GMT)', keys: [] },
}

const isFraction = (part: string) => /^[.,]/.test(part)

/** Undefined for parts that are read by us. */
function takingOf(part: string, next: string): Taking | undefined {
  if (part === '5' || part === '05') {
    const whole = part === '5' ? '[0-9]{1,2}' : '[0-9]{2}'
    if (isFraction(next)) return taking('second', whole)
    return { form: `(${whole})(?:[.,]([0-9]+))?`, keys: ['second', 'fraction'], isOpen: true }
  }
  if (isFraction(part)) {
    if (part[1] === '0') return taking('fraction', `[0-9]{${part.length - 1}}`)
    return { form: '(?:[.,]([0-9]+))?', keys: ['fraction'], isOpen: true }
  }
  if (/^[-Z]/.test(part)) return takingOffset(part)
  return takings[part]
}

function takingOffset(part: string): Taking {
  const more = part.slice(3).replaceAll('00', '([0-9]{2})')
  const numbers = `([-+])([0-9]{2})${more}`
  const keys = ['sign', 'offsetHours', 'offsetMinutes', 'offsetSeconds']
  return {
    form: part.startsWith('Z') ? `(?:Z|${numbers})` : numbers,
    keys: keys.slice(0, 2 + more.split('(').length - 1),
  }
}

/**
 * The time that a text says, which is written as a layout has it; NULL where it is none of these years, and
 * where it is no time. Undefined for layouts of which SQL does not say what is read.
 */
export function readAs(layout: string, text: string, defined: Definitions): SqlInstant | undefined {
  const form = formOf(layout)
  if (form === undefined) return undefined
  const source = defined.bound.text(form.source)
  const groups = defined.define(`extractGroups(ifNull(${text}, ''), ${source})`)
  const said = (key: string) => {
    const place = form.keys.lastIndexOf(key) + 1
    return place === 0 ? undefined : `${groups}[${place}]`
  }
  const whole = (key: string, otherwise: number) => {
    const digits = said(key)
    return digits === undefined ? `${otherwise}` : `toInt64OrZero(trimLeft(${digits}))`
  }
  const name = said('monthName')
  const shortName = `lower(substring(${name}, 1, 3))`
  const names = short(monthNames).map(name => `'${name.toLowerCase()}'`)
  const month =
    name === undefined ? whole('month', 1) : `indexOf([${names.join(', ')}], ${shortName})`
  const [year, day] = [whole('year', 0), whole('day', 1)]
  const [hour, minute, second] = [whole('hour', 0), whole('minute', 0), whole('second', 0)]
  const half = said('half')
  const isAfternoon = half && `startsWith(lower(${half}), 'p')`
  const hours = isAfternoon ? `(${hour} % 12 + if(${isAfternoon}, 12, 0))` : hour
  const date = defined.define(`makeDate32(${year}, ${month}, ${day})`)
  const isDate = `toYear(${date}) = ${year} AND toMonth(${date}) = ${month} AND toDayOfMonth(${date}) = ${day}`
  const isOfYears = `${year} BETWEEN 1900 AND 2298`
  const isTime = `${hours} < 24 AND ${minute} < 60 AND ${second} < 60`
  const isKnown = defined.define(
    `match(ifNull(${text}, ''), ${source}) AND ${isOfYears} AND ${isDate} AND ${isTime}`,
  )
  const seconds = `((${hours} * 60 + ${minute}) * 60 + ${second}) - ${offsetOf(said)}`
  const fraction = said('fraction')
  const nanos = defined.define(
    fraction === undefined ? '0' : `toInt64OrZero(rightPad(substring(${fraction}, 1, 9), 9, '0'))`,
  )
  const ms = `toInt64(toInt32(${date})) * ${dayMs} + (${seconds}) * 1000 + intDiv(${nanos}, 1000000)`
  return {
    ms: defined.define(`if(isNotNull(${text}) AND ${isKnown}, ${ms}, NULL)`),
    nanos: defined.define(`${nanos} % 1000000`),
  }
}

/** Seconds by which what is said is later than UTC. */
function offsetOf(said: (key: string) => string | undefined): string {
  const sign = said('sign')
  if (sign === undefined) return '0'
  const parts = ['offsetHours', 'offsetMinutes', 'offsetSeconds'].map((key, i) => {
    const digits = said(key)
    return digits === undefined ? '0' : `toInt64OrZero(${digits}) * ${60 ** (2 - i)}`
  })
  return `if(${sign} = '-', -1, 1) * (${parts.join(' + ')})`
}

/** What a literal of a layout takes: spaces stand for one or more. */
const literalForm = (text: string) => text.split(/ +/).map(quoted).join(' +')

/** The expression for texts of a layout, and what its groups are. */
function formOf(layout: string): { source: string; keys: readonly string[] } | undefined {
  const pieces = piecesOf(layout)
  const keys: string[] = []
  let source = '\\A'
  for (const [i, piece] of pieces.entries()) {
    if ('text' in piece) {
      source += literalForm(piece.text)
      continue
    }
    const next = pieces[i + 1]
    const behind = next === undefined ? '' : 'text' in next ? next.text : next.part
    const taking = takingOf(piece.part, next !== undefined && 'part' in next ? behind : '')
    // What takes as much as it can must not have to leave any of it to what comes behind.
    if (taking === undefined || (taking.isOpen && /^[0-9.,_]/.test(behind))) return undefined
    source += taking.form
    keys.push(...taking.keys)
  }
  const isDated = keys.includes('year') && new Set(keys).size === keys.length
  return isDated ? { source: `${source}\\z`, keys } : undefined
}
