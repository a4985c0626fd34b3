/**
 * Thresholds of values and charts. Clients write them in several ways; colours are theirs too, and become
 * the theme's nearest meaning, which can be read on both grounds.
 */

import { isObject, type Json, listAt, numberAt, textAt, valueAt } from './json-tree.ts'

/** What reaching the value means. */
export type Tone = 'bad' | 'warn' | 'good' | 'plain'

export interface Threshold {
  readonly value: number
  readonly label: string
  readonly tone: Tone
}

/** From numbers, or objects with `value`, and perhaps `color` and `label`; by value, the lowest first. */
export function readThresholds(tree: Json | undefined): readonly Threshold[] {
  const list = isObject(tree) ? listAt(tree, ['steps']) : listAt(tree, [])
  const found = list.flatMap(one => {
    const value = numberAt(one, isObject(one) ? ['value'] : [])
    if (value === undefined) return []
    const color = valueAt(one, ['color'])
    const tone = typeof color === 'string' ? toneOf(color) : 'warn'
    return [{ value, label: textAt(one, ['label']) ?? '', tone }]
  })
  return found.toSorted((a, b) => a.value - b.value)
}

/** The highest threshold that `value` reaches; undefined when it reaches none. */
export function reached(value: number, thresholds: readonly Threshold[]): Threshold | undefined {
  return thresholds.findLast(threshold => value >= threshold.value)
}

const words: Readonly<Record<string, Tone>> = {
  red: 'bad',
  error: 'bad',
  critical: 'bad',
  orange: 'warn',
  yellow: 'warn',
  amber: 'warn',
  warning: 'warn',
  green: 'good',
  success: 'good',
}

/** By its name or its hue: red is bad, orange and yellow warn, green is good. */
export function toneOf(color: string): Tone {
  const word = color.trim().toLowerCase()
  if (Object.hasOwn(words, word)) return words[word]!
  const digits = /^#([0-9a-f]{3}|[0-9a-f]{6})$/.exec(word)?.[1]
  if (digits === undefined) return 'plain'
  const width = digits.length / 3
  const [r, g, b] = [0, 1, 2].map(at => {
    const part = digits.slice(at * width, (at + 1) * width)
    return Number.parseInt(part, 16) / (16 ** width - 1)
  }) as [number, number, number]
  const strength = Math.max(r, g, b) - Math.min(r, g, b)
  if (strength < 0.15) return 'plain'
  if (b === Math.max(r, g, b)) return 'plain'
  if (g === Math.max(r, g, b) && g > r) return g - r > 0.12 ? 'good' : 'warn'
  return (g - b) / strength > 0.35 ? 'warn' : 'bad'
}
