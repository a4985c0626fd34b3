/** Where the first record of each combination of values is, which `| distinct …` leaves. */
import { limits } from '../../../limits.ts'
import type { FirstsRequest, PlainFirsts } from '../../../query/collect/firsts.ts'
import type { PlaceOrder } from '../../../query/top-k.ts'
import { messageLabel } from '../../../record.ts'
import { Bound } from './bound.ts'
import type { CollectedQuestion } from './collected.ts'
import { asManyAsFit, valuesOf } from './groups.ts'
import type { LabelTexts } from './label.ts'

interface Row {
  readonly values: readonly string[]
  readonly place: readonly [time: number | string, sequence: number | string]
}

const firstBy: Readonly<Record<PlaceOrder, string>> = {
  asc: 'argMin((Time, Sequence), (Time, Sequence))',
  desc: 'argMax((Time, Sequence), (Time, Sequence))',
  latest: 'argMax((Time, Sequence), Sequence)',
}

/** `texts`: of attributes, none a kind of messages. Undefined for lines, and for what went wrong. */
export function firstsQuestion(
  { labels, order }: FirstsRequest,
  texts: LabelTexts,
): CollectedQuestion | undefined {
  if (labels.some(isOfStages)) return undefined
  const bound = new Bound('q')
  const values = valuesOf(labels, bound, texts)
  const groups = (from: string) =>
    `SELECT ${values} AS values, ${firstBy[order]} AS place FROM ${from} GROUP BY values`
  const { queryDistinctMax, queryDistinctLengthMax } = limits
  return {
    statement: from => asManyAsFit(groups(from), queryDistinctMax, queryDistinctLengthMax),
    params: bound.params,
    plainOf(answer): PlainFirsts {
      const rows = answer as readonly Row[]
      return {
        keys: rows.map(({ values }) => JSON.stringify(values)),
        timestamps: Float64Array.from(rows, ({ place }) => Number(place[0])),
        sequences: Float64Array.from(rows, ({ place }) => Number(place[1])),
      }
    },
  }
}

function isOfStages(label: string): boolean {
  return label === messageLabel || label.startsWith('__')
}
