/** What ClickHouse can tell by itself of the records that a selector selects. */
import type { Selector } from '../../../language/ast.ts'
import type { Stage } from '../../../language/stage.ts'
import type { CollectorRequest } from '../../../query/collect/collector.ts'
import type { QueryParams } from '../connection.ts'
import { type CollectedQuestion, collectedQuestion } from './collected.ts'
import { conditionOf } from './condition.ts'
import { type LabelTexts, labelText, textsAsTheyCame } from './label.ts'
import { LogqlFields } from './logql-fields.ts'
import { collectsPatterns, isNotTold, isTold, patternText, selectsPatterns } from './pattern-id.ts'
import { Definitions } from './stages/definitions.ts'
import { StagedLabels } from './stages/labels.ts'
import { listedFields } from './stages/listed-fields.ts'
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

/**
 * ClickHouse looks at a condition on columns for what need not be read, and writes it out with all that is in
 * it: each layer takes twice the time. Not through a LIMIT, but then it reads all columns of all records,
 * where some are read only of those that are meant.
 */
const writtenOutMax = 9
const noLimit = 'LIMIT 1000000000000000000'

/** `from`: a table, and `WHERE` with a condition. Returns one of what is made of its records. */
export function stagedTable(from: string, { layers }: Pick<Staging, 'layers'>): string {
  let inner = from
  for (const columns of layers) {
    const end = inner === from && layers.length > writtenOutMax ? ` ${noLimit}` : ''
    inner = `(SELECT *, ${columns.join(', ')} FROM ${inner}${end})`
  }
  return inner === from ? `(SELECT * FROM ${from})` : inner
}

/** Undefined where records have to be looked at by us. */
export function toldOf(
  { stages, ...selector }: Selector,
  request: CollectorRequest | undefined,
): Told | undefined {
  const selectsKinds = selectsPatterns(selector)
  if (!conditionOf(selector, false, selectsKinds ? 'told' : 'all').isExact) return undefined
  if (stages !== undefined) return toldBehind(stages, request, selectsKinds)
  const { names = 'ours' } = selector
  const texts = textsAsTheyCame(names)
  const attributes: LabelTexts = (label, bound) => labelText(label, bound, names)
  const logql = names === 'logql' ? new LogqlFields() : undefined
  const asked = {
    ...{ texts, attributes, names: () => 'mapKeys(LogAttributes)' },
    ...(logql && { fields: logql.fields }),
  }
  const question = request && collectedQuestion(request, asked)
  if (request !== undefined && question === undefined) return undefined
  const isOfKinds = selectsKinds || (request !== undefined && collectsPatterns(request))
  return { question, staging: isOfKinds ? withKinds(logql?.staging) : logql?.staging }
}

/** `*` leaves out the id, an ALIAS. */
const kindLayer = [patternText] as const

/** Those that do not tell of which kind they are are looked at by us, as well. */
function withKinds({ layers, params, isKnown, isUnknown }: Staging = nothingMade): Staging {
  return {
    layers: [kindLayer, ...layers],
    params,
    isKnown: `${isTold} AND ${isKnown}`,
    isUnknown: `(${isNotTold} OR ${isUnknown})`,
  }
}

const nothingMade: Staging = { layers: [], params: {}, isKnown: '1', isUnknown: '0' }

/** `selectsKinds`: whether records are selected by their kinds, as they come. */
function toldBehind(
  stages: readonly Stage[],
  request: CollectorRequest | undefined,
  selectsKinds: boolean,
): Told | undefined {
  const defined = new Definitions()
  const staged = stagedBy(stages, defined)
  if (staged === undefined) return undefined
  const { record } = staged
  const labels = new StagedLabels(staged, defined)
  const { texts, attributes, fields } = labels
  const names = () => {
    const shown = shownNames(staged, defined)
    if (shown !== undefined) labels.askFor(shown.isKnown)
    return shown?.names
  }
  const listed = (of: readonly string[]) => {
    const found = listedFields(of, staged, defined)
    if (found !== undefined) labels.askFor(found.isKnown)
    return found
  }
  const ofKinds = request !== undefined && collectsPatterns(request)
  const changedLine = ofKinds ? labels.changedLine : undefined
  const asked = { texts, attributes, fields, listed, names, changedLine }
  const question = request && collectedQuestion(request, asked)
  if (request !== undefined && question === undefined) return undefined
  if (selectsKinds) labels.askForOwnKind()
  if (request?.kind === 'patterns') labels.askForKind()
  const { areKnown, areUnknown } = labels
  if (defined.isHopeless) return undefined
  const { passes } = record
  const isOfKinds = selectsKinds || (ofKinds && changedLine === undefined)
  const staging: Staging = {
    layers: [...(isOfKinds ? [kindLayer] : []), ...defined.layers],
    params: defined.bound.params,
    isKnown: `ifNull(${passes}, 0) AND ${areKnown}`,
    isUnknown: `(isNull(${passes}) OR (${passes} AND ${areUnknown}))`,
  }
  return { question, staging }
}
