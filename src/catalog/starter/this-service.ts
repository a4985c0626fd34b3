/** The dashboard about this service itself, from the records that `observe/self-log.ts` makes. */
import { selfStream } from '../self-stream.ts'
import { chart, log, markdown, stat } from './widgets.ts'

const { serviceName, environment } = selfStream
const stream = `service.name="${serviceName}", environment="${environment}"`
const metric = (operation: 'avg' | 'max' | 'sum', name: string) =>
  `${operation}(logs{${stream}} | unwrap ${name})`
const mebibytes = (operation: 'avg' | 'max', name: string) => `${metric(operation, name)} / 1048576`

const about = `This dashboard shows what the service tells about itself, when it is started with \`--self-log\`
(or \`LOGSTRATA_SELF_LOG=on\`; \`--demo\` includes it): every 15 seconds a record of figures, and its own log
lines, as service \`${serviceName}\` in environment \`${environment}\`. Without it, all of this is empty. The same
figures, and more, are at \`/metrics\` at any time.`

export const thisService = {
  settings: {
    hideGlobalEnvironmentSelector: true, // It is about one.
    defaultTimeRange: '1h',
  },
  metadata: {
    id: 'starter-this-service',
    title: 'This service',
    folderPath: '/dashboards/logstrata/',
  },
  content: {
    title: 'This service',
    variables: [],
    widgets: [
      markdown(about, [0, 0, 12, 2]),
      stat({
        title: 'Records stored',
        at: [0, 2, 3, 2],
        query: metric('max', 'records'),
        reduce: 'last',
      }),
      stat({
        title: 'On disk, MiB',
        at: [3, 2, 3, 2],
        query: `${mebibytes('max', 'segment_bytes')} + ${mebibytes('max', 'journal_bytes')}`,
        reduce: 'last',
      }),
      stat({
        title: 'Memory, MiB',
        at: [6, 2, 3, 2],
        query: mebibytes('max', 'memory_bytes'),
        reduce: 'last',
      }),
      stat({
        title: 'Slowest query p99, ms',
        at: [9, 2, 3, 2],
        query: metric('max', 'query_p99_ms'),
        reduce: 'max',
      }),
      chart('line', {
        title: 'Events per second',
        at: [0, 4, 6, 3],
        queries: { stored: metric('avg', 'events_per_second') },
      }),
      chart('line', {
        title: 'Queries and requests per second',
        at: [6, 4, 6, 3],
        queries: {
          queries: metric('avg', 'queries_per_second'),
          requests: metric('avg', 'requests_per_second'),
        },
      }),
      chart('line', {
        title: 'Duration of queries, ms',
        at: [0, 7, 6, 3],
        queries: { p50: metric('avg', 'query_p50_ms'), p99: metric('max', 'query_p99_ms') },
      }),
      chart('line', {
        title: 'Write with its sync, and delay of the main thread, ms',
        at: [6, 7, 6, 3],
        queries: { write: metric('avg', 'commit_ms'), delay: metric('max', 'loop_delay_p99_ms') },
      }),
      chart('line', {
        title: 'Memory, MiB',
        at: [0, 10, 4, 3],
        queries: {
          process: mebibytes('max', 'memory_bytes'),
          heap: mebibytes('max', 'heap_bytes'),
        },
      }),
      chart('line', {
        title: 'CPU, % of one core',
        at: [4, 10, 4, 3],
        queries: { cpu: metric('avg', 'cpu_percent') },
      }),
      chart('line', {
        title: 'On disk, MiB',
        at: [8, 10, 4, 3],
        queries: {
          segments: mebibytes('max', 'segment_bytes'),
          journal: mebibytes('max', 'journal_bytes'),
        },
      }),
      chart('line', {
        title: 'Backlog: files to seal, scans that wait',
        at: [0, 13, 6, 3],
        queries: { files: metric('max', 'unsealed_files'), scans: metric('max', 'queued_scans') },
      }),
      chart('bar', {
        title: 'Refused events, failed queries, server errors',
        at: [6, 13, 6, 3],
        queries: {
          events: metric('sum', 'events_rejected'),
          queries: metric('sum', 'queries_failed'),
          errors: metric('sum', 'server_errors'),
        },
      }),
      log({
        title: 'What the service logged',
        at: [0, 16, 12, 4],
        query: `logs{${stream}, kind!="figures"}`,
        columns: ['log_level', 'message'],
      }),
    ],
  },
}
