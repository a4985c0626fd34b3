/** Kinds of messages as a model reads them: without what only a chart can show. */

import type { PatternAnswer } from '../../../store/answer/pattern-answers.ts'
import { shownTime } from './asked-range.ts'

/** Services, and values of a variable, beyond these tell a model nothing. */
const servicesMax = 5
const samplesMax = 2

export function shownPattern(found: PatternAnswer) {
  const { pattern, text, count, share, levels, services, variables, change } = found
  const samples = variables.map(variable => variable.samples.slice(0, samplesMax))
  return {
    ...{ pattern, text, count, share: rounded(share), levels },
    services: Object.entries(services)
      .slice(0, servicesMax)
      .map(([service, count]) => ({ service, count })),
    firstSeen: shownTime(found.firstSeen),
    lastSeen: shownTime(found.lastSeen),
    ...(samples.length > 0 && { samples }),
    ...(change && { change: { ...change, score: rounded(change.score) } }),
  }
}

/** Three digits that tell. */
export function rounded(value: number): number {
  return Number(value.toPrecision(3))
}
