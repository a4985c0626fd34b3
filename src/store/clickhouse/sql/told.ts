/** What ClickHouse can tell by itself of the records that a selector selects. */
import type { Selector } from '../../../language/ast.ts'
import type { CollectorRequest } from '../../../query/collect/collector.ts'
import type { QueryParams } from '../connection.ts'
import { type CollectedQuestion, collectedQuestion } from './collected.ts'
import { conditionOf } from './condition.ts'
import { textsAsTheyCame } from './label.ts'
import { Definitions } from './stages/definitions.ts'
import { StagedLabels } from './stages/labels.ts'
import { stagedBy } from './stages/staged.ts'

/** What is made of a record, as columns, and conditions on these. */
export interface Staging {
  /** Columns of SELECTs within each other, the innermost first. */
  readonly layers: readonly (readonly string[])[]
  readonly params: QueryParams
  /** Comes through the stages, and all that is asked of it is known. */
  readonly isKnown: string
  /** May come through, and is to be looked at by us. */
  readonly isUnknown: string
}

export interface Told {
  /** Undefined where nothing is collected. */
  readonly question: CollectedQuestion | undefined
  /** Undefined without stages. */
  readonly staging: Staging | undefined
}

/** `from`: a table, and `WHERE` with a condition. Returns one of what is made of its records. */
export function stagedTable(from: string, { layers }: Pick<Staging, 'layers'>): string {
  let inner = from
  for (const columns of layers) inner = `(SELECT *, ${columns.join(', ')} FROM ${inner})`
  return inner === from ? `(SELECT * FROM ${from})` : inner
}

/** Undefined where records have to be looked at by us. */
export function toldOf(
  { stages, ...selector }: Selector,
  request: CollectorRequest | undefined,
): Told | undefined {
  if (!conditionOf(selector, false).isExact) return undefined
  if (stages !== undefined) return toldBehind({ ...selector, stages }, request)
  const { names = 'ours' } = selector
  const texts = textsAsTheyCame(names)
  const asked = { texts, attributes: texts, areAsTheyCame: names === 'ours' }
  const question = request && collectedQuestion(request, asked)
  if (request !== undefined && question === undefined) return undefined
  return { question, staging: undefined }
}

function toldBehind(
  { stages = [] }: Selector,
  request: CollectorRequest | undefined,
): Told | undefined {
  const defined = new Definitions()
  const record = stagedBy(stages, defined)
  if (record === undefined) return undefined
  const labels = new StagedLabels(stages, record, defined)
  const { texts, attributes } = labels
  const asked = { texts, attributes, areAsTheyCame: false }
  const question = request && collectedQuestion(request, asked)
  if (request !== undefined && question === undefined) return undefined
  const { areKnown, areUnknown } = labels
  if (defined.isHopeless) return undefined
  const { passes } = record
  const staging: Staging = {
    layers: defined.layers,
    params: defined.bound.params,
    isKnown: `ifNull(${passes}, 0) AND ${areKnown}`,
    isUnknown: `(isNull(${passes}) OR (${passes} AND ${areUnknown}))`,
  }
  return { question, staging }
}
