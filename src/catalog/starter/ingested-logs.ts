/** The dashboard about whatever logs there are: how many, how bad, from whom, and the latest errors. */
import { levelsOfKind } from '../../levels.ts'
import { chart, gauge, log, stat } from './widgets.ts'

const chosen = 'service.name=~"$service", environment=~"$environment"'
const all = `logs{${chosen}}`
const errors = `logs{${chosen}, log_level=~"${levelsOfKind('fatal', 'error').join('|')}"}`
const timed = `logs{${chosen}, http.route!=""} | unwrap duration_ms`

/** A variable whose values are those that an attribute has; at first all of them. */
const choiceOf = (name: string, attribute: string) => ({
  name,
  defaultValue: '.*',
  overridable: true,
  selectorSettings: { metricName: 'logs', attribute },
})

export const ingestedLogs = {
  settings: {
    hideGlobalEnvironmentSelector: true, // It has one of its own.
    defaultTimeRange: '1h',
  },
  metadata: {
    id: 'starter-ingested-logs',
    title: 'Ingested logs',
    folderPath: '/dashboards/logstrata/',
  },
  content: {
    title: 'Ingested logs',
    variables: [choiceOf('service', 'service.name'), choiceOf('environment', 'environment')],
    widgets: [
      stat({ title: 'Records', at: [0, 0, 3, 2], query: `count(${all})`, reduce: 'sum' }),
      stat({ title: 'Errors', at: [3, 0, 3, 2], query: `count(${errors})`, reduce: 'sum' }),
      gauge({
        title: 'Share of errors',
        at: [6, 0, 3, 2],
        query: `100 * count(${errors}) / count(${all})`,
        reduce: 'avg',
        min: 0,
        max: 100,
        label: '%',
      }),
      stat({
        title: 'Services',
        at: [9, 0, 3, 2],
        query: `count_distinct(${all} | unwrap service.name)`,
        reduce: 'max',
      }),
      chart('bar', {
        title: 'Records per minute by level',
        at: [0, 2, 8, 4],
        queries: { records: `60 * rate by (log_level) (${all})` },
      }),
      chart('bar', {
        title: 'Busiest services, records per minute',
        at: [8, 2, 4, 4],
        queries: { records: `topk(5, 60 * rate by (service.name) (${all}))` },
      }),
      chart('line', {
        title: 'Errors per minute by service',
        at: [0, 6, 6, 4],
        queries: { errors: `60 * rate by (service.name) (${errors})` },
      }),
      chart('line', {
        title: 'Slowest routes, 95 % of requests within ms (http.route, duration_ms)',
        at: [6, 6, 6, 4],
        queries: { p95: `topk(5, quantile by (http.route) (0.95, ${timed}))` },
      }),
      log({
        title: 'Latest errors',
        at: [0, 10, 12, 5],
        query: errors,
        columns: ['log_level', 'service.name', 'message'],
      }),
    ],
  },
}
