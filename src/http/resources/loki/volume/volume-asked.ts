/** The parameters that `index/volume` and `index/volume_range` share: whose volume, by which labels. */

import type { Selector } from '../../../../language/ast.ts'
import { ownName } from '../../../../language/logql-names.ts'
import { limits } from '../../../../limits.ts'
import { lokiStreamLabels } from '../../../../store/answer/loki-entry.ts'
import { optional, text } from '../../prometheus/described.ts'
import { invalid } from '../../prometheus/parameters.ts'
import { range, rangeMeanings } from '../described.ts'
import { readCount, requiredSelector } from '../parameters.ts'
import { readRange, type TimeRange } from '../times.ts'

export interface VolumeAsked {
  readonly selector: Selector
  readonly range: TimeRange
  /** Ours, none twice, at least one. */
  readonly by: readonly string[]
  readonly aggregateBy: 'series' | 'labels'
  /** Series in the answer: those of the largest volume. */
  readonly limit: number
}

const seriesLimit = { absent: 100, maximum: limits.queryGroupsMax } as const

export const volumeParameters = {
  query: text,
  ...range,
  limit: optional,
  targetLabels: optional,
  aggregateBy: optional,
}

export const volumeMeanings = {
  query: 'A selector; see the language above.',
  ...rangeMeanings('an hour'),
  limit: `How many series, at most ${seriesLimit.maximum}; ${seriesLimit.absent} when absent.`,
  targetLabels: 'Names with commas; the labels that the selector tests when absent.',
  aggregateBy: '`series`: by the values of the labels, when absent; `labels`: by their names.',
}

export const volumeDescription = `Bytes, estimated: as stored, in the share of the records. Numbers of records are exact.`

export function readVolume(parameters: URLSearchParams): VolumeAsked {
  const selector = requiredSelector(parameters, 'query')
  return {
    selector,
    range: readRange(parameters),
    by: labelsBy(parameters, selector),
    aggregateBy: readAggregateBy(parameters),
    limit: readCount(parameters, 'limit', seriesLimit),
  }
}

function labelsBy(parameters: URLSearchParams, { matchers }: Selector): readonly string[] {
  const named = (parameters.get('targetLabels') ?? '')
    .split(',')
    .map(name => name.trim())
    .filter(name => name !== '')
    .map(ownName)
  const by = [...new Set(named.length > 0 ? named : matchers.map(({ label }) => label))]
  if (by.length > limits.queryGroupLabelsMax) {
    const detail = `"targetLabels" must be at most ${limits.queryGroupLabelsMax} labels, were ${by.length}`
    throw invalid('targetLabels', detail)
  }
  return by.length > 0 ? by : lokiStreamLabels
}

function readAggregateBy(parameters: URLSearchParams): VolumeAsked['aggregateBy'] {
  const text = parameters.get('aggregateBy') ?? ''
  if (text === '' || text === 'series') return 'series'
  if (text === 'labels') return 'labels'
  throw invalid('aggregateBy', '"aggregateBy" must be "series" or "labels"', text)
}
