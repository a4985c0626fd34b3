/** Numbers, durations and sizes that texts write: read by ClickHouse as `language/quantity.ts` reads them. */
import type { QuantityMatcher } from '../../../language/ast.ts'
import type { QuantityKind } from '../../../language/quantity.ts'
import type { Bound } from './bound.ts'
import { literal, spaces } from './expression.ts'
import { exactly, type Truth } from './truth.ts'

/** Of every statement with conditions: else ClickHouse reads numbers quickly, and some of them wrong. */
export const exactNumbers = { precise_float_parsing: 1 } as const

const digits = '(?:[0-9]+(?:[.][0-9]*)?|[.][0-9]+)'
const numberForm = literal(`\\A[-+]?${digits}(?:[eE][-+]?[0-9]+)?\\z`)

const durationPart = `(${digits})(ns|us|µs|μs|ms|s|m|h|d|w|y)`
const durationForm = literal(`\\A[-+]?(?:0|(?:${durationPart})+)\\z`)
const durationParts = literal(durationPart)
const oneDuration = literal(`\\A[-+]?${durationPart}\\z`)

const space = `[${spaces}]`
/** Letters of both cases one by one: when RE2 ignores case, the Kelvin sign is a `k`. */
const bytesForm = literal(
  `\\A${space}*(${digits})${space}*((?:[kKmMgGtTpPeE][iI]?)?)[bB]?${space}*\\z`,
)

const nanoseconds: ReadonlyMap<string, number> = new Map([
  ...([
    ['ns', 1],
    ['us', 1e3],
    ['µs', 1e3],
    ['μs', 1e3],
    ['ms', 1e6],
    ['s', 1e9],
  ] as const),
  ...([
    ['m', 60e9],
    ['h', 3_600e9],
    ['d', 86_400e9],
    ['w', 604_800e9],
    ['y', 31_536_000e9],
  ] as const),
])

const powers = ['', 'k', 'm', 'g', 't', 'p', 'e'] as const
const bytes: ReadonlyMap<string, number> = new Map(
  powers.flatMap((power, i): [string, number][] => {
    const decimal: [string, number] = [power, 1_000 ** i]
    return power === '' ? [decimal] : [decimal, [`${power}i`, 1_024 ** i]]
  }),
)

/** The number that a text writes; NULL where it writes none, infinite where it is too large. */
export function numberIn(text: string): string {
  return `if(match(${text}, ${numberForm}), toFloat64OrNull(${text}), NULL)`
}

/** What a text writes: `value`, in nanoseconds or bytes, means something where `isWritten` is 1. */
interface Read {
  readonly isWritten: string
  readonly value: string
}

/** `text`: in SQL. `define`: gives an expression a name, so that it is computed once. */
export function quantityIn(text: string, unit: QuantityKind, define = (sql: string) => sql): Read {
  switch (unit) {
    case 'number': {
      const value = define(numberIn(text))
      return { isWritten: `ifNull(isFinite(${value}), 0)`, value }
    }
    case 'duration':
      return { isWritten: `match(${text}, ${durationForm})`, value: durationIn(text, define) }
    case 'bytes':
      return { isWritten: `match(${text}, ${bytesForm})`, value: bytesIn(text) }
  }
}

/** Parts are added up in the order in which they stand. Most durations are one, which takes no sum. */
function durationIn(text: string, define: (sql: string) => string): string {
  const whole = define(`ifNull(${text}, '')`)
  const one = define(`extractGroups(${whole}, ${oneDuration})`)
  const isOne = define(`notEmpty(${one})`)
  const several = define(`if(${isOne}, '', ${whole})`)
  const all = `extractAllGroupsVertical(${several}, ${durationParts})`
  const added = `sumBefore + ${product('onePart', nanoseconds)}`
  const sum = `arrayFold((sumBefore, onePart) -> ${added}, ${all}, toFloat64(0))`
  const size = `if(${isOne}, ${product(one, nanoseconds)}, ${sum})`
  return `(if(startsWith(${text}, '-'), -1, 1) * ${size})`
}

function bytesIn(text: string): string {
  const groups = `extractGroups(assumeNotNull(${text}), ${bytesForm})`
  return `floor(${product(groups, bytes)})`
}

/** Of a count, the first of two groups, and what the second stands for. */
function product(groups: string, factors: ReadonlyMap<string, number>): string {
  const names = [...factors.keys()].map(name => `'${name}'`).join(', ')
  const values = [...factors.values()].map(value => `toFloat64(${value})`).join(', ')
  const factor = `transform(lower(${groups}[2]), [${names}], [${values}], toFloat64(0))`
  return `ifNull(toFloat64OrNull(${groups}[1]), 0) * ${factor}`
}

export function comparesQuantity(
  text: string,
  { unit, operator, value }: Pick<QuantityMatcher, 'unit' | 'operator' | 'value'>,
  bound: Bound,
): Truth {
  const read = quantityIn(text, unit)
  const compared = `${read.value} ${operator} ${bound.number(value)}`
  return exactly(`(${read.isWritten} AND ifNull(${compared}, 0))`)
}
