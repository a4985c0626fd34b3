/** Numbers, durations and sizes that texts write: of the forms that ClickHouse reads as we do. */
import type { QuantityKind } from '../../../../language/quantity.ts'
import { numberIn } from '../quantity.ts'

/** What a text writes: `isWritten` is NULL where that is not known, `value` means something where it is 1. */
interface Read {
  readonly isWritten: string
  readonly value: string
}

/** `text`: in SQL; not empty, nor NULL. */
export function quantityIn(text: string, unit: QuantityKind): Read {
  switch (unit) {
    case 'number':
      return { isWritten: `ifNull(isFinite(${numberIn(text)}), 0)`, value: numberIn(text) }
    case 'duration':
      return scaled(text, durationForm, 1, nanoseconds)
    case 'bytes':
      return scaled(text, bytesForm, 2, bytes)
  }
}

const digits = '[0-9]+(?:[.][0-9]*)?|[.][0-9]+'
/** Of one unit: a sum of several is left to us. */
const durationForm = `\\A(${digits})(ns|us|ms|s|m|h|d|w|y)\\z`
const bytesForm = `\\A(${digits}) ?((?:[kKmMgGtTpPeE][iI]?)?)[bB]?\\z`

/** In the order of their names, as `language/quantity.ts` has them. */
const nanoseconds: ReadonlyMap<string, number> = new Map([
  ...([
    ['ns', 1],
    ['us', 1e3],
    ['ms', 1e6],
    ['s', 1e9],
    ['m', 60e9],
  ] as const),
  ...([
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

function scaled(
  text: string,
  form: string,
  kind: 1 | 2,
  factors: ReadonlyMap<string, number>,
): Read {
  const quoted = `'${form.replaceAll('\\', '\\\\')}'`
  const groups = `extractGroups(assumeNotNull(${text}), ${quoted})`
  const names = [...factors.keys()].map(name => `'${name}'`).join(', ')
  const values = [...factors.values()].map(value => `toFloat64(${value})`).join(', ')
  const factor = `transform(lower(${groups}[2]), [${names}], [${values}], toFloat64(0))`
  const value = `(ifNull(toFloat64OrNull(${groups}[1]), 0) * ${factor})`
  return {
    // Without a digit it writes nothing, whatever it is.
    isWritten: `multiIf(match(${text}, ${quoted}), 1, match(${text}, '[0-9]'), NULL, 0)`,
    value: kind === 2 ? `floor(${value})` : value,
  }
}
