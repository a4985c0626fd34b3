/** The document's words on Prometheus' API. */

import { type TProperties, Type } from 'typebox'
import {
  buildInfoAnswer,
  instantAnswer,
  metadataAnswer,
  noAlertsAnswer,
  noExemplarsAnswer,
  noRulesAnswer,
  rangeAnswer,
  seriesAnswer,
  textsAnswer,
} from '../schemas/prometheus.ts'
import { type DescribedFields, described, jsonAnswer, type Operation } from './operation.ts'
import { queryProblems } from './route-problems.ts'

const text = Type.String()
const optional = Type.Optional(text)
const selectors = Type.Array(Type.String())

/** Parameters are texts of their own kind, which their handlers read; here they are only named. */
function parameters<P extends TProperties>(
  properties: P,
  meanings: { readonly [K in keyof P]: string },
): DescribedFields {
  return described(Type.Object(properties), meanings)
}

const time = 'seconds since 1970, or RFC 3339'
const duration = 'seconds, or such as `5m`'
const query = `A query; see the language above. A bare selector counts its records by series. Its variables
are parameters of their own: \`var.NAME=VALUE\`.`

const bounds = { timeout: optional, limit: optional }
const boundMeanings = {
  timeout: `How long the answer may take: ${duration}.`,
  limit: 'How many results at most; all when 0 or absent.',
}

const range = { start: optional, end: optional }
const rangeMeanings = {
  start: `Begin of the range: ${time}. From the first record on when absent.`,
  end: `End of the range: ${time}. To the last record when absent.`,
}

const matches = 'Selectors; what any of them finds is in the answer.'

const emptyList = 'There are none here; Grafana asks nevertheless.'

/** Errors have Prometheus' form, its statuses (422 for a query too large) and no `code`. */
const problems = queryProblems

export const prometheusOperations = {
  query: {
    id: 'prometheusQuery',
    tag: 'Prometheus',
    summary: 'The value of a query at one time',
    parameters: parameters(
      { query: text, time: optional, lookback_delta: optional, stats: optional, ...bounds },
      {
        query,
        time: `When: ${time}. Now when absent.`,
        lookback_delta: `How far back records are taken: ${duration}. 5 minutes when absent.`,
        stats: 'Anything but empty: the answer has `stats`.',
        ...boundMeanings,
      },
    ),
    answers: { 200: jsonAnswer('One value for each series.', instantAnswer) },
    problems,
    sample: {
      parameters: { query: 'count by (log_level) (logs)', lookback_delta: '1h' },
    },
  },

  queryRange: {
    id: 'prometheusQueryRange',
    tag: 'Prometheus',
    summary: 'The values of a query over time',
    description: `The point at time t is about the records after t − \`step\`, up to and including t.`,
    parameters: parameters(
      { query: text, start: text, end: text, step: text, stats: optional, ...bounds },
      {
        query,
        start: `The first time: ${time}.`,
        end: `The last time: ${time}.`,
        step: `Between two times: ${duration}.`,
        stats: 'Anything but empty: the answer has `stats`.',
        ...boundMeanings,
      },
    ),
    answers: { 200: jsonAnswer('The values of each series.', rangeAnswer) },
    problems,
    sample: {
      parameters: {
        query: 'rate(logs{log_level="error"})',
        start: '2026-11-20T00:00:00Z',
        end: '2026-11-21T00:00:00Z',
        step: '1h',
      },
    },
  },

  exemplars: {
    id: 'prometheusExemplars',
    tag: 'Prometheus',
    summary: 'No exemplars',
    description: emptyList,
    answers: { 200: jsonAnswer('None.', noExemplarsAnswer) },
    sample: {},
  },

  labels: {
    id: 'prometheusLabels',
    tag: 'Prometheus',
    summary: 'The names of all labels',
    parameters: parameters(
      { 'match[]': Type.Optional(selectors), ...range, ...bounds },
      { 'match[]': matches, ...rangeMeanings, ...boundMeanings },
    ),
    answers: { 200: jsonAnswer('Names in order.', textsAnswer) },
    problems,
    sample: {},
  },

  labelValues: {
    id: 'prometheusLabelValues',
    tag: 'Prometheus',
    summary: 'The values of a label',
    pathParameters: {
      name: 'The label, as it is or in the escaping that Prometheus calls values.',
    },
    parameters: parameters(
      { 'match[]': Type.Optional(selectors), ...range, ...bounds },
      { 'match[]': matches, ...rangeMeanings, ...boundMeanings },
    ),
    answers: { 200: jsonAnswer('Values in order.', textsAnswer) },
    problems,
    sample: { path: { name: 'log_level' } },
  },

  series: {
    id: 'prometheusSeries',
    tag: 'Prometheus',
    summary: 'The series that match',
    description: 'Of the one metric `logs`: each stream and level is a series of it.',
    parameters: parameters(
      { 'match[]': selectors, ...range, ...bounds },
      { 'match[]': matches, ...rangeMeanings, ...boundMeanings },
    ),
    answers: { 200: jsonAnswer('The labels of each.', seriesAnswer) },
    problems,
    sample: { parameters: { 'match[]': 'logs{log_level="error"}' } },
  },

  metadata: {
    id: 'prometheusMetadata',
    tag: 'Prometheus',
    summary: 'What the metric is',
    parameters: parameters({ metric: optional }, { metric: 'Only this metric.' }),
    answers: { 200: jsonAnswer('The metric `logs`.', metadataAnswer) },
    sample: {},
  },

  rules: {
    id: 'prometheusRules',
    tag: 'Prometheus',
    summary: 'No rules',
    description: emptyList,
    answers: { 200: jsonAnswer('None.', noRulesAnswer) },
    sample: {},
  },

  alerts: {
    id: 'prometheusAlerts',
    tag: 'Prometheus',
    summary: 'No alerts',
    description: emptyList,
    answers: { 200: jsonAnswer('None.', noAlertsAnswer) },
    sample: {},
  },

  buildInfo: {
    id: 'prometheusBuildInfo',
    tag: 'Prometheus',
    summary: 'Which API is spoken',
    answers: { 200: jsonAnswer('The version.', buildInfoAnswer) },
    sample: {},
  },
} as const satisfies Record<string, Operation>
