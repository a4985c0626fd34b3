/**
 * Messages by their patterns: split as those of a segment's blocks are, into words that stay and words
 * that vary (`columns/template/`).
 */

import { splitTexts } from '../../../../columns/template/split.ts'
import { logqlName } from '../../../../language/logql-names.ts'
import { levelLabel } from '../../../../record.ts'
import type { LokiEntry } from '../../../../store/answer/loki-entry.ts'
import { toMs } from '../times.ts'

export interface Pattern {
  /** As LogQL writes it: `<_>` stands for what varies. */
  readonly pattern: string
  readonly level: string
  /** Begins of steps, s since 1970, in order; and numbers of messages. */
  readonly samples: readonly (readonly [second: number, count: number])[]
}

/** Characters of a message that are looked at: of longer ones the begin is their kind. */
const lengthMax = 500

const capture = '<_>'

/** The most frequent first. */
export function patternsOf(entries: readonly LokiEntry[], stepMs: number): Pattern[] {
  const lines = entries.map(({ line }) => Buffer.from(line.slice(0, lengthMax)))
  const offsets = new Uint32Array(lines.length + 1)
  lines.forEach((line, i) => {
    offsets[i + 1] = offsets[i]! + line.length
  })
  // Undefined only for more templates than there may be texts here.
  const split = splitTexts({ bytes: Buffer.concat(lines), offsets }, 1)!
  const patterns = split.templates.map(patternOf)
  const kinds = new Map<string, { pattern: string; level: string; counts: Map<number, number> }>()
  entries.forEach(({ line, metadata, time }, i) => {
    const rest = line.length > lengthMax ? capture : ''
    const pattern = joined(patterns[split.templateIds[i]!]! + rest)
    const level = metadata[logqlName(levelLabel)]!
    const key = JSON.stringify([pattern, level])
    const kind = kinds.get(key) ?? { pattern, level, counts: new Map() }
    const second = Math.floor((Math.floor(toMs(time) / stepMs) * stepMs) / 1000)
    kind.counts.set(second, (kind.counts.get(second) ?? 0) + 1)
    kinds.set(key, kind)
  })
  const totalOf = ({ samples }: Pattern) => samples.reduce((sum, [, count]) => sum + count, 0)
  return [...kinds.values()]
    .map(({ pattern, level, counts }) => {
      const samples = [...counts.entries()].sort(([a], [b]) => a - b)
      return { pattern, level, samples }
    })
    .sort((a, b) => totalOf(b) - totalOf(a))
}

/** `template`: latin1, with "0" for each variable. */
function patternOf(template: string): string {
  return Buffer.from(template, 'latin1').toString().replaceAll('0', capture)
}

/** Captures that only marks as of dates and addresses part are one: LogQL has none side by side. */
function joined(pattern: string): string {
  return pattern.replaceAll(/<_>(?:[-:./_+@#%,]*<_>)+/g, capture)
}
