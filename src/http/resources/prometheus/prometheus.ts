/**
 * Prometheus' HTTP API over our language, so that what charts metrics charts logs: Grafana's stock
 * Prometheus data source, client libraries, scripts. The records are one metric, `logs`; each stream
 * and level is a series of it.
 *
 * The point of a range at time t is about the records after t - step, up to and including t; that
 * of an instant query goes back by `lookback_delta`, 5 minutes by default.
 */

import type { Selector } from '../../../language/ast.ts'
import { limits } from '../../../limits.ts'
import { evaluate } from '../../../query/evaluate/evaluate.ts'
import { type Labels, labelsKey } from '../../../query/evaluate/series.ts'
import type { SeriesBuckets } from '../../../query/series/cells.ts'
import { addSelectStats } from '../../../store/answer/select-stats.ts'
import type { SelectStats } from '../../../store/store.ts'
import type { Reply } from '../../reply/reply.ts'
import type { FormRequest } from '../../routes.ts'
import type { QueryDependencies } from '../query/query.ts'
import { readVariables } from '../query/query-variables.ts'
import { timeMax } from '../query/records-request.ts'
import {
  instantReply,
  type Notes,
  noNotes,
  type QueryResult,
  rangeReply,
  successReply,
} from './answers.ts'
import {
  invalid,
  readDurationMs,
  readLimit,
  readTime,
  requiredParameter,
  requiredTime,
} from './parameters.ts'
import {
  metricName,
  nameLabel,
  readLabelName,
  readMatches,
  readQuery,
  seriesLabels,
} from './selectors.ts'

const lookbackMsDefault = 5 * 60_000

/** As Prometheus: more points than pixels help nobody. */
const pointsPerSeriesMax = 11_000

/** The API that we speak. Clients choose by it what they may ask: quoted label names need 3.0. */
const apiVersion = '3.0.0'

type Handle = (request: FormRequest) => Promise<Reply>

export interface PrometheusHandlers {
  readonly query: Handle
  readonly queryRange: Handle
  readonly labels: Handle
  readonly labelValues: Handle
  readonly series: Handle
  /** What there is none of here, and Grafana asks for nevertheless. */
  readonly exemplars: () => Reply
  readonly rules: () => Reply
  readonly alerts: () => Reply
  readonly metadata: (request: FormRequest) => Reply
  readonly buildInfo: () => Reply
}

export function prometheusHandlers(
  { store, config, runner }: QueryDependencies,
  now: () => number = Date.now,
): PrometheusHandlers {
  /** Runs a query within the service's bounds, and within its own where it has one. */
  const run = <T>(
    { parameters, signal, caller }: FormRequest,
    work: (stop: AbortSignal) => Promise<T>,
  ): Promise<T> => {
    const asked = readDurationMs(parameters, 'timeout', config.queryTimeoutMs)
    const timeoutMs = Math.min(asked, config.queryTimeoutMs)
    return runner.run(work, { timeoutMs, clientSignal: signal(), asker: caller.apiKey?.id })
  }

  const evaluateOver = (request: FormRequest, buckets: SeriesBuckets): Promise<QueryResult> => {
    const { parameters } = request
    const text = requiredParameter(parameters, 'query')
    const { expression, hasName } = readQuery(text, readVariables(parameters))
    const limit = readLimit(parameters)
    let skippedCount = 0
    let cost: SelectStats | undefined
    return run(request, async stop => {
      const whole = await evaluate(
        expression,
        async aggregate => {
          const { series, skipped, stats } = await store.series({ aggregate, ...buckets }, stop)
          skippedCount += skipped
          cost = cost === undefined ? stats : addSelectStats(cost, stats)
          return series
        },
        buckets.pointCount,
        stop,
      )
      const isCut = whole.kind === 'vector' && whole.series.length > limit
      const value = isCut ? { ...whole, series: whole.series.slice(0, limit) } : whole
      const wantsStats = (parameters.get('stats') ?? '') !== ''
      const stats = wantsStats ? { ...cost, valuesSkipped: skippedCount } : undefined
      return { value, hasName, stats, notes: notesOf(isCut, skippedCount, cost) }
    })
  }

  /** Asks for names or values under each selector of `match[]`, and gives all of them in order. */
  const gather = async (
    request: FormRequest,
    ask: (selector: Selector, stop: AbortSignal) => Promise<readonly string[]>,
    isWhole: () => boolean = () => true,
  ): Promise<Reply> => {
    const limit = readLimit(request.parameters)
    const found = new Set<string>()
    await run(request, async stop => {
      for (const selector of readMatches(request.parameters)) {
        for (const text of await ask(selector, stop)) found.add(text)
      }
    })
    const texts = [...found].sort()
    const notes = notesOf(texts.length > limit, 0, undefined)
    const tooMany = 'the label has too many values: none of them is shown'
    return successReply(
      texts.slice(0, limit),
      isWhole() ? notes : { ...notes, warnings: [...notes.warnings, tooMany] },
    )
  }

  return {
    async query(request) {
      const { parameters } = request
      const time = readTime(parameters, 'time', undefined) ?? now()
      const stepMs = readDurationMs(parameters, 'lookback_delta', lookbackMsDefault)
      const buckets = { origin: time - stepMs + 1, stepMs, pointCount: 1 }
      return instantReply(await evaluateOver(request, buckets), time)
    },

    async queryRange(request) {
      const range = readRange(request.parameters)
      const { start, stepMs, pointCount } = range
      const buckets = { origin: start - stepMs + 1, stepMs, pointCount }
      return rangeReply(await evaluateOver(request, buckets), range)
    },

    async labels(request) {
      const times = readTimes(request.parameters)
      return gather(request, async (selector, stop) => {
        const { fields } = await store.fields({ selector, ...times }, stop)
        return [nameLabel, ...fields.map(({ name }) => name)]
      })
    },

    async labelValues(request) {
      const times = readTimes(request.parameters)
      const field = readLabelName(request.pathParameter('name'))
      if (field === nameLabel) return gather(request, async () => [metricName])
      let isWhole = true
      const ask = async (selector: Selector, stop: AbortSignal) => {
        const asked = { selector, ...times, field, prefix: '', limit: limits.fieldValuesMax }
        const { values, tooManyValues } = await store.values(asked, stop)
        if (tooManyValues === true) isWhole = false
        return values.map(({ value }) => value).filter(value => value !== '')
      }
      return gather(request, ask, () => isWhole)
    },

    async series(request) {
      const { parameters } = request
      if (!parameters.has('match[]')) throw invalid('match[]', '"match[]" is missing')
      const times = readTimes(parameters)
      const limit = readLimit(parameters)
      const found = new Map<string, Labels>()
      await run(request, async stop => {
        for (const selector of readMatches(parameters)) {
          const asked = { selector, ...times, by: seriesLabels, limit: 0, cursor: undefined }
          const { groups = [] } = await store.select({ ...asked, order: 'asc' }, stop)
          for (const { labels } of groups) found.set(labelsKey(labels), labels)
        }
      })
      const all = [...found.entries()].sort(([a], [b]) => (a < b ? -1 : 1))
      const shown = all
        .slice(0, limit)
        .map(([, labels]) => ({ [nameLabel]: metricName, ...labels }))
      return successReply(shown, notesOf(all.length > limit, 0, undefined))
    },

    exemplars: () => successReply([]),
    rules: () => successReply({ groups: [] }),
    alerts: () => successReply({ alerts: [] }),

    metadata({ parameters }) {
      const asked = parameters.get('metric') ?? ''
      const isShown = asked === '' || asked === metricName
      const about = { type: 'gauge', help: 'log records, by stream and level', unit: '' }
      return successReply(isShown ? { [metricName]: [about] } : {})
    },

    buildInfo: () =>
      successReply({
        version: apiVersion,
        revision: '',
        branch: '',
        buildUser: '',
        buildDate: '',
        goVersion: '',
        application: 'logstrata',
      }),
  }
}

function readRange(parameters: URLSearchParams) {
  const start = requiredTime(parameters, 'start')
  const end = requiredTime(parameters, 'end')
  requiredParameter(parameters, 'step')
  const stepMs = readDurationMs(parameters, 'step', 1)
  if (end < start) throw invalid('end', '"end" must not be before "start"')
  const stepCount = Math.floor((end - start) / stepMs)
  if (stepCount > pointsPerSeriesMax) {
    const detail = `"step" makes more than ${pointsPerSeriesMax} points per series: take a longer one`
    throw invalid('step', detail, parameters.get('step')!)
  }
  return { start, stepMs, pointCount: stepCount + 1 }
}

/** `start` and `end` of operations about labels: everything when they are absent. */
function readTimes(parameters: URLSearchParams): { startTime: number; endTime: number } {
  const startTime = readTime(parameters, 'start', -timeMax)
  const endTime = readTime(parameters, 'end', timeMax)
  if (endTime < startTime) throw invalid('end', '"end" must not be before "start"')
  return { startTime, endTime }
}

function notesOf(isCut: boolean, skippedCount: number, cost: SelectStats | undefined): Notes {
  const warnings = isCut ? ['results truncated due to limit'] : []
  const damagedCount = (cost?.damagedBlocks ?? 0) + (cost?.damagedFrames ?? 0)
  if (damagedCount > 0) {
    warnings.push(`parts of the data are damaged and not in the answer: ${damagedCount}`)
  }
  if (skippedCount === 0) return { ...noNotes, warnings }
  const records = skippedCount === 1 ? '1 record has' : `${skippedCount} records have`
  return {
    warnings,
    infos: [`PromQL info: ${records} no number to take, and no part in the result`],
  }
}
