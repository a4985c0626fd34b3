/**
 * The value of an expression over records, as `/query/logs` shows it beside the records: one value,
 * or one per group.
 */
import { type Expression, operandsOf } from '../../../language/ast.ts'
import { comparePoints } from '../../../query/evaluate/sorting.ts'
import type { Order } from '../../../query/top-k.ts'
import type { TimeRange } from '../../../record.ts'
import { evaluateStored } from '../../../store/answer/evaluate-stored.ts'
import type { StoreDoor } from '../../dependencies.ts'
import type { ShownGroup, ShownNumber } from './select-answer.ts'

export interface ShownValue {
  /** Of an expression that groups by nothing; absent when there is none, as of an average of nothing. */
  readonly value?: ShownNumber
  /** In their order under `topk`, `bottomk` and `sort`, else largest first. */
  readonly groups?: readonly ShownGroup[]
  /** Records whose value was no number, where the expression asks for numbers. */
  readonly valuesSkipped: number
}

/** Evaluates an expression over one range, both ends inclusive, as one point. Throws as the store. */
export async function valueOver(
  store: Pick<StoreDoor, 'series'>,
  expression: Expression,
  { startTime, endTime, order }: TimeRange & { readonly order: Order },
  signal: AbortSignal,
): Promise<ShownValue> {
  const range = { origin: startTime, stepMs: endTime - startTime + 1, pointCount: 1, order }
  const found = await evaluateStored(store, expression, range, signal)
  const { value, skipped: valuesSkipped } = found
  if (value.kind === 'scalar') return { value: shown(value.value), valuesSkipped }
  const points = value.series.map(({ labels, points }) => ({ labels, point: points[0]! }))
  if (!isGrouped(expression)) {
    const [only] = points
    return { ...(only && { value: shown(only.point) }), valuesSkipped }
  }
  if (!hasOrder(expression)) points.sort((a, b) => comparePoints(a.point, b.point, -1))
  const groups = points.map(({ labels, point }) => ({ labels, value: shown(point) }))
  return { groups, valuesSkipped }
}

const hasOrder = ({ kind }: Expression) => kind === 'ranking' || kind === 'sorting'

/** Whether the answer has groups: known from the query alone, whatever records there are. */
function isGrouped(expression: Expression): boolean {
  switch (expression.kind) {
    case 'number':
    case 'vector':
      return false
    case 'aggregate':
      return expression.by.length > 0
    case 'range':
      return expression.grouping === undefined || expression.grouping.labels.length > 0
    case 'aggregation':
      return expression.grouping.labels.length > 0
    case 'label_replace':
      return true
    default:
      return operandsOf(expression).some(isGrouped)
  }
}

function shown(value: number): ShownNumber {
  if (Number.isFinite(value)) return value
  if (Number.isNaN(value)) return 'NaN'
  return value > 0 ? '+Inf' : '-Inf'
}
