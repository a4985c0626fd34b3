/** Numbers as a query writes them and as one reads them: plain, as a duration, as a size. */

import type { QuantityKind } from '../../language/quantity.ts'
import { numberText } from '../format.ts'

const durations = [
  ['h', 3_600e9],
  ['m', 60e9],
  ['s', 1e9],
  ['ms', 1e6],
  ['us', 1e3],
  ['ns', 1],
] as const
const sizes = [
  ['GB', 1e9],
  ['MB', 1e6],
  ['KB', 1e3],
  ['B', 1],
] as const

/** As the language reads it. @param value In seconds for durations, in bytes for sizes. */
export function quantityText(value: number, unit: QuantityKind): string {
  if (unit === 'number') return String(value)
  const isDuration = unit === 'duration'
  const count = Math.round(isDuration ? value * 1e9 : value)
  const [name, size] = (isDuration ? durations : sizes).find(([, one]) => count % one === 0)!
  return count === 0 ? `0${isDuration ? 's' : 'B'}` : `${count / size}${name}`
}

/** In few digits: `1.2 s`, `340 ms`, `12.5 KB`, `1,234`. */
export function quantityWords(value: number, unit: QuantityKind): string {
  if (unit === 'number') return numberText(rounded(value))
  const scaled = unit === 'duration' ? value * 1e9 : value
  const units = unit === 'duration' ? durations : sizes
  const [name, size] = units.find(([, one]) => Math.abs(scaled) >= one) ?? units.at(-1)!
  return `${numberText(rounded(scaled / size))} ${name}`
}

/** To digits that one compares by. */
export function rounded(value: number): number {
  return Number(value.toPrecision(4))
}
