/** The streams of a range: the combinations of stream labels that occur, with their numbers of records. */

import type { Selector } from '../../../language/ast.ts'
import { logqlName } from '../../../language/logql-names.ts'
import { type LokiLabels, lokiStreamLabels } from '../../../store/answer/loki-entry.ts'
import type { SelectStats } from '../../../store/store.ts'
import type { StoreDoor } from '../../dependencies.ts'
import { withOwnFields } from './own-fields.ts'
import { millisecondsOf, type TimeRange } from './times.ts'

export interface StreamGroup {
  /** Under LogQL's names. */
  readonly labels: LokiLabels
  readonly count: number
}

export interface StreamGroups {
  /** In order of their labels' values. */
  readonly groups: readonly StreamGroup[]
  readonly stats: SelectStats | undefined
}

/** Throws as the store. */
export async function streamGroups(
  store: Pick<StoreDoor, 'select' | 'fields'>,
  selector: Selector,
  range: TimeRange,
  stop: AbortSignal,
): Promise<StreamGroups> {
  const times = millisecondsOf(range)
  if (times === undefined) return { groups: [], stats: undefined }
  const own = await withOwnFields(store, selector, range, stop)
  const by = lokiStreamLabels
  const asked = { selector: own, ...times, by, limit: 0, order: 'asc', cursor: undefined } as const
  const { groups = [], stats } = await store.select(asked, stop)
  const shown = groups.map(({ labels, count }) => ({
    labels: Object.fromEntries(by.map(label => [logqlName(label), labels[label]!])),
    count,
  }))
  const keyOf = ({ labels }: StreamGroup) => Object.values(labels).join('\0')
  return { groups: shown.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)), stats }
}
