/**
 * Which fields are worth a facet when none are asked for: level, service and environment, and then the
 * attributes that tell many records apart by few values. Ids do not: hardly any value occurs twice.
 *
 * Two steps, so that nothing is read in vain. Candidates are the attributes that most records of the
 * streams have, known from directories. Their values are counted once, for the very records that
 * match, and giving up on what has too many; then these counts decide.
 */
import { levelLabel, streamLabels } from '../../record.ts'
import type { FieldValues } from './facets.ts'
import { byCount, type NameCount } from './fields.ts'
import type { ValueBounds } from './value-counts.ts'

/** The most facets that are chosen. */
const usefulFieldsMax = 8

/** Attributes whose values are counted. More than records of one kind have; each may keep values up
 *  to the bounds below, in every thread. */
const candidatesMax = 100

/** Where stages make them, each that is counted takes a run of the stages. */
export const stagedCandidatesMax = 24

/** Records of a batch or block whose labels are looked at, where stages make them. */
export const stagedSample = 64

/** A field beyond these is an id, a measurement or free text, and not worth a facet unless asked for. */
export const usefulBounds: ValueBounds = { countMax: 1_000, lengthMax: 64_000 }

const labels: readonly string[] = [levelLabel, streamLabels.service, streamLabels.environment]

/** The fields to count, from the attributes that there are. */
export function candidateFields(names: readonly NameCount[], max = candidatesMax): string[] {
  const attributes = byCount(names).slice(0, max)
  return [...labels, ...attributes.map(([name]) => name)]
}

/** Of the candidates' values in `recordCount` records, those to show, the most useful first. */
export function chooseUseful(counted: readonly FieldValues[], recordCount: number): FieldValues[] {
  const attributes = counted
    .filter(({ field }) => !labels.includes(field))
    .filter(({ counts, present }) => counts.size > 0 && 2 * counts.size <= present)
    .map(values => ({ values, use: useOf(values, recordCount) }))
    .sort((a, b) => b.use - a.use || (a.values.field < b.values.field ? -1 : 1))
    .slice(0, usefulFieldsMax - labels.length)
  return [
    ...counted.filter(({ field }) => labels.includes(field)),
    ...attributes.map(({ values }) => values),
  ]
}

/** The more records have the field and the fewer values it has, the better. */
function useOf({ counts, present }: FieldValues, recordCount: number): number {
  // A single value tells only who has the field from who has not.
  if (counts.size === 1) return Math.min(present, recordCount - present)
  return present / Math.log2(1 + counts.size)
}
