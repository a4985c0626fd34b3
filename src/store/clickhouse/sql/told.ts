/** What ClickHouse can tell by itself of the records that a selector selects. */
import type { Selector } from '../../../language/ast.ts'
import type { CollectorRequest } from '../../../query/collect/collector.ts'
import type { QueryParams } from '../connection.ts'
import { type CollectedQuestion, collectedQuestion } from './collected.ts'
import { conditionOf } from './condition.ts'
import { textsAsTheyCame } from './label.ts'
import { LogqlFields } from './logql-fields.ts'
import { collectsPatterns, isNotTold, isTold, patternText, selectsPatterns } from './pattern-id.ts'
import { Definitions } from './stages/definitions.ts'
import { StagedLabels } from './stages/labels.ts'
import { shownNames } from './stages/shown-names.ts'
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
  /** Undefined where all records are known as they are. */
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
  const asksForKinds = selectsPatterns(selector)
  if (!conditionOf(selector, false, asksForKinds ? 'told' : 'all').isExact) return undefined
  if (stages !== undefined) {
    return asksForKinds ? undefined : toldBehind({ ...selector, stages }, request)
  }
  const { names = 'ours' } = selector
  const texts = textsAsTheyCame(names)
  const areOurs = names === 'ours'
  const logql = areOurs ? undefined : new LogqlFields()
  const asked = {
    ...{ texts, attributes: texts, names: () => 'mapKeys(LogAttributes)', tellsKinds: areOurs },
    ...(logql && { fields: logql.fields }),
  }
  const question = request && collectedQuestion(request, asked)
  if (request !== undefined && question === undefined) return undefined
  const isOfKinds = asksForKinds || (request !== undefined && collectsPatterns(request))
  return { question, staging: isOfKinds ? byKinds : logql?.staging }
}

/** Those that do not tell of which kind they are are looked at by us. `*` leaves out the id, an ALIAS. */
const byKinds: Staging = {
  layers: [[patternText]],
  params: {},
  isKnown: isTold,
  isUnknown: isNotTold,
}

function toldBehind(
  { stages = [] }: Selector,
  request: CollectorRequest | undefined,
): Told | undefined {
  const defined = new Definitions()
  const staged = stagedBy(stages, defined)
  if (staged === undefined) return undefined
  const { record } = staged
  const labels = new StagedLabels(stages, record, defined)
  const { texts, attributes, fields } = labels
  const names = () => {
    const shown = shownNames(staged, defined)
    if (shown !== undefined) labels.askFor(shown.isKnown)
    return shown?.names
  }
  const asked = { texts, attributes, fields, names, tellsKinds: false }
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
