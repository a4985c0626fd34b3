/**
 * Every setting of the service, once: name, flag, environment variable, kind, default and a line of
 * help. Flags, `--help`, `--print-config` and all checks come from these tables, and nothing
 * else in the project reads the environment.
 *
 * To add a setting: its line in `serviceSettings`, of which `Config` comes.
 */

import { availableParallelism } from 'node:os'
import { limits } from '../limits.ts'
import { machineMemoryBytes, scanCacheBytes } from '../memory-policy.js'
import { dayMs, minuteMs, secondMs } from '../time-units.ts'
import { describeSettings, paragraph, printSettings, twoColumns } from './help.ts'
import { type ListenerSetting, listeners } from './listener-setting.ts'
import {
  address,
  bytes,
  choice,
  clusterName,
  databaseAddress,
  duration,
  integer,
  listOf,
  networks,
  onOff,
  origins,
  text,
} from './setting-kinds.ts'
import type { Environment, ReadSettings, ValuesOf } from './settings.ts'
import { ConfigError, hasSwitch, readSettings, variablesOf, withVariables } from './settings.ts'
import { refuseUnusableTls } from './tls-files.ts'
import { version } from './version.ts'

export { ConfigError }

const kib = 1024
const mib = 1024 * kib
const gib = 1024 * mib

/** A credential travels in an HTTP header, which carries no white space and only ASCII. */
const credential = (lengthMin: number) =>
  text('TEXT', `${lengthMin} to 512 visible ASCII characters without spaces`, text => {
    return text.length >= lengthMin && /^[\x21-\x7e]{1,512}$/.test(text)
  })

const none = { fallback: undefined, fallbackText: 'default: none' } as const

/** The settings of the service itself, in the order of `--help`. */
export const serviceSettings = withVariables({
  host: {
    flag: 'host',
    kind: text('ADDRESS', 'a host name or an IP address'),
    fallback: '127.0.0.1',
    help: 'Address to listen on; 0.0.0.0 or :: for all networks of the machine',
  },
  port: {
    flag: 'port',
    kind: integer(0, 65_535),
    fallback: 7007,
    help: 'Port to listen on; 0 picks a free one, printed as "listening on …"',
  },
  tlsCert: {
    flag: 'tls-cert',
    kind: text('PATH', 'the path of a file'),
    fallback: undefined,
    fallbackText: 'default: none, plain HTTP',
    help: 'Certificate in PEM, with those of its issuers behind it; the service then speaks HTTPS only. Read at the start',
  },
  tlsKey: {
    flag: 'tls-key',
    kind: text('PATH', 'the path of a file'),
    ...none,
    help: 'Private key of the certificate, in PEM, without a passphrase',
  },
  syslog: {
    flag: 'syslog',
    kind: listeners('tcp', 'tls', 'udp'),
    ...none,
    help: 'Take syslog there, as records of the ingestion token of that service and environment; tcp, tls or udp; several with commas, or the flag again. Whoever reaches the port may send: syslog has no credential',
  },
  forward: {
    flag: 'forward',
    kind: listeners('tcp', 'tls'),
    ...none,
    help: 'Take the forward protocol of Fluentd, Fluent Bit and Docker there, as --syslog does; tcp or tls. Without --forward-shared-key whoever reaches the port may send',
  },
  gelf: {
    flag: 'gelf',
    kind: listeners('tcp', 'tls', 'udp'),
    ...none,
    help: 'Take GELF there, as --syslog does; tcp, tls or udp. Whoever reaches the port may send',
  },
  forwardSharedKey: {
    flag: 'forward-shared-key',
    kind: text(),
    ...none,
    isSecret: true,
    help: 'Shared key that senders of the forward protocol must know',
  },
  listenTlsCert: {
    flag: 'listen-tls-cert',
    kind: text('PATH', 'the path of a file'),
    fallback: undefined,
    fallbackText: 'default: that of --tls-cert',
    help: 'Certificate in PEM for what listens at tls://',
  },
  listenTlsKey: {
    flag: 'listen-tls-key',
    kind: text('PATH', 'the path of a file'),
    fallback: undefined,
    fallbackText: 'default: that of --tls-key',
    help: 'Private key of that certificate, in PEM, without a passphrase',
  },
  trustedProxies: {
    flag: 'trusted-proxy',
    kind: networks(),
    ...none,
    help: 'Proxies whose X-Forwarded-For says where a request comes from, when wrong credentials are counted by address',
  },
  corsOrigins: {
    flag: 'cors-origins',
    kind: origins(),
    ...none,
    help: 'Origins of pages that may send events from a browser, such as https://shop.example; * for any. The token stands in the page: make one for it alone',
  },
  dataDir: {
    flag: 'data-dir',
    kind: text('PATH', 'the path of a directory'),
    fallback: './data',
    help: 'Directory for everything that is kept; made when it is missing',
  },
  adminKey: {
    flag: 'admin-key',
    kind: credential(limits.adminKeyLengthMin),
    fallback: undefined,
    fallbackText: 'default: the first start makes one and prints it',
    isSecret: true,
    help: `Text of the admin API key, ${limits.adminKeyLengthMin} characters or more. Flags show in the list of processes: prefer the others`,
  },
  primary: {
    flag: 'primary',
    kind: address(),
    fallback: undefined,
    fallbackText: 'default: none, the settings are its own',
    help: 'Address of the front end whose settings this one has a copy of (tokens, keys, dashboards, rules), and passes changes to; rules are evaluated there alone. Needs --primary-key',
  },
  primaryKey: {
    flag: 'primary-key',
    kind: credential(limits.adminKeyLengthMin),
    fallback: undefined,
    fallbackText: 'default: none, no front end may have a copy',
    isSecret: true,
    help: `Key that a primary and its front ends share, ${limits.adminKeyLengthMin} characters or more: whoever has it reads and changes all settings`,
  },
  store: {
    flag: 'store',
    kind: choice(['local', 'clickhouse']),
    fallback: 'local',
    help: 'Where records are kept behind the journal: in segments in the data directory, or in ClickHouse',
  },
  clickhouseUrl: {
    flag: 'clickhouse-url',
    kind: listOf(databaseAddress()),
    ...none,
    isSecret: true,
    help: 'HTTP interface of ClickHouse and the database in it, for --store clickhouse; tables are made there. Several with commas, or the flag again: the next is asked when one does not answer; all must have the same tables',
  },
  clickhouseCluster: {
    flag: 'clickhouse-cluster',
    kind: clusterName(),
    fallback: undefined,
    fallbackText: 'default: none, all tables are on one server',
    help: 'Cluster of ClickHouse, as its servers name it, on all of whose nodes the tables are made: replicated, with Keeper or ZooKeeper, and Distributed over its shards',
  },
  clickhouseShipAfterMs: {
    flag: 'clickhouse-ship-after',
    kind: duration(100, dayMs),
    fallback: 5 * secondMs,
    help: 'Time after its first record at which a journal file is closed, to be sent to ClickHouse; a full one is at once',
  },
  clickhouseJournalBytes: {
    flag: 'clickhouse-journal-bytes',
    kind: bytes(mib, 1_024 * gib),
    fallback: 10 * gib,
    help: 'Bytes of events that wait for ClickHouse on the local disk, beyond which senders are answered 429',
  },
  clickhouseFetchBytes: {
    flag: 'clickhouse-fetch-bytes',
    kind: bytes(mib, 1_024 * gib),
    fallback: 2 * gib,
    help: 'Bytes of records, on the local disk while it lasts, that a query may take from ClickHouse to be answered here; beyond them it is refused',
  },
  durability: {
    flag: 'durability',
    kind: choice(['disk', 'written']),
    fallback: 'disk',
    help: 'When an event is acknowledged: on disk (survives a power cut), or written to the operating system (survives a crash of the service only)',
  },
  eventBytesMax: {
    flag: 'max-event-bytes',
    // An event becomes one string, and V8 allows none beyond 512 MiB.
    kind: bytes(1 * kib, 256 * mib),
    fallback: 1 * mib,
    help: 'Largest event, after decompression; a larger one is answered 413',
  },
  batchBytesMax: {
    flag: 'max-batch-bytes',
    kind: bytes(1 * kib, 512 * mib),
    fallback: 64 * mib,
    help: 'Largest body of many events, after decompression; a larger one is answered 413',
  },
  pendingBytesMax: {
    flag: 'max-pending-bytes',
    kind: bytes(1 * kib, 16 * gib),
    fallback: 256 * mib,
    help: 'Bytes of events received but not yet on disk, beyond which senders are answered 429',
  },
  journalFileBytes: {
    flag: 'journal-file-bytes',
    kind: bytes(4 * kib, 2 * gib),
    fallback: 32 * mib,
    help: 'Size at which a journal file is closed and a new one begun',
  },
  journalFileRecords: {
    flag: 'journal-file-records',
    kind: integer(1, 2 ** 31),
    fallback: 2 ** 19,
    help: 'Records at which it is closed, too: sealing holds 80 to 160 bytes of memory for each',
  },
  journalFileAgeMs: {
    flag: 'journal-file-age',
    kind: duration(secondMs, dayMs),
    fallback: 5 * minuteMs,
    help: 'Time after its first record at which a journal file is closed',
  },
  retentionAgeMs: {
    flag: 'retention-age',
    kind: duration(limits.retentionAgeMsMin, limits.retentionAgeMsMax),
    fallback: undefined,
    fallbackText: 'default: kept for ever',
    help: 'Age of records beyond which they are deleted, in whole segments',
  },
  retentionBytes: {
    flag: 'retention-bytes',
    kind: bytes(limits.retentionBytesMin, limits.retentionBytesMax),
    fallback: undefined,
    fallbackText: 'default: no bound',
    help: 'Size of all segments beyond which the oldest are deleted',
  },
  acceptClock: {
    flag: 'accept-clock',
    kind: onOff(),
    fallback: false,
    help: 'Believe the machine’s clock at this start: otherwise --retention-age believes one that is days away from the time that is known after a day of running',
  },
  retryAgeMs: {
    flag: 'retry-window',
    kind: duration(secondMs, 365 * dayMs),
    fallback: dayMs,
    help: 'Time for which keys of what was stored are remembered, so that a retry counts once: Idempotency-Key, _id of Elasticsearch’s bulk, cursors of systemd’s journal, chunks of the forward protocol',
  },
  retryKeysMax: {
    flag: 'retry-keys',
    kind: integer(0, 100_000_000),
    fallback: 1_000_000,
    help: 'How many keys are remembered, 40 bytes of memory each, when there are any; beyond them the oldest eighth is forgotten; 0 for none',
  },
  queryTimeoutMs: {
    flag: 'query-timeout',
    kind: duration(1, dayMs),
    fallback: 30 * secondMs,
    help: 'Time after which a query is given up',
  },
  concurrentQueriesMax: {
    flag: 'max-concurrent-queries',
    kind: integer(1, 10_000),
    fallback: 16,
    help: 'Queries under way at once; further ones wait for their turn',
  },
  queryQueueTimeoutMs: {
    flag: 'query-queue-timeout',
    kind: duration(1, dayMs),
    fallback: 15 * secondMs,
    help: 'Time that a query waits for its turn; then it is answered 503 with Retry-After',
  },
  scanThreads: {
    flag: 'scan-threads',
    kind: integer(1, 256),
    fallback: Math.min(8, availableParallelism()),
    fallbackText: 'default: the number of cores, at most 8; half of them with --store clickhouse',
    help: 'Threads that search for queries',
  },
  scanCacheBytes: {
    flag: 'scan-cache-bytes',
    kind: bytes(0, 1_024 * gib),
    fallback: scanCacheBytes(machineMemoryBytes),
    fallbackText: 'default: 3/128 of the memory, 96MiB to 320MiB',
    help: 'Memory for what scan threads have decoded, and a fifth more for filters in the main thread',
  },
  ingestThreads: {
    flag: 'ingest-threads',
    kind: integer(1, 64),
    fallback: Math.min(4, availableParallelism()),
    fallbackText: 'default: the number of cores, at most 4',
    help: 'Threads that parse bodies of many events, as long as there are any',
  },
  scrubIntervalMs: {
    flag: 'scrub-interval',
    kind: duration(100, dayMs),
    fallback: minuteMs,
    help: 'How often the index is compared with the segments, and a part of all files read',
  },
  scrubBytesPerSecond: {
    flag: 'scrub-rate',
    kind: bytes(0, gib),
    fallback: 1 * mib,
    help: 'Bytes per second, on the average, read to find damage before it is needed; 0 for none',
  },
  warmUp: {
    flag: 'warm-up',
    kind: choice(['on', 'off']),
    fallback: 'on',
    help: 'Whether the service asks itself, for some seconds after a start while nobody else asks, what people ask first: so that they are answered at speed',
  },
  publicUrl: {
    flag: 'public-url',
    kind: address(),
    fallback: undefined,
    fallbackText: 'default: where the service listens',
    help: 'Address at which people reach the page, for links in alerts and in answers to assistants',
  },
  alertPrivateNetworks: {
    flag: 'alert-private-networks',
    kind: networks(),
    ...none,
    help: 'Private networks, loopback among them, in which receivers of alerts may be; all others must have public addresses',
  },
  metricsAccess: {
    flag: 'metrics-access',
    kind: choice(['open', 'viewer']),
    fallback: 'open',
    help: 'Who may read /metrics: everybody, or holders of an API key',
  },
  selfLog: {
    flag: 'self-log',
    kind: onOff(),
    fallback: false,
    help: 'Ingest the service’s own log and metrics, as service logstrata in environment self: what the dashboard “This service” shows',
  },
  demo: {
    flag: 'demo',
    kind: onOff(),
    fallback: false,
    help: 'For a first look: the service sends itself events of a made-up shop, the last 4 hours at once and then live; includes --self-log',
  },
  logLevel: {
    flag: 'log-level',
    kind: choice(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    fallback: 'info',
    help: 'Least severe level of the service’s own log: fatal, error, warn, info, debug, trace or silent',
  },
})

export type Config = ValuesOf<typeof serviceSettings>

/** What every command that sends to a running service needs. */
export const clientSettings = withVariables({
  url: {
    flag: 'url',
    kind: address(),
    fallback: 'http://127.0.0.1:7007',
    help: 'Address of the service',
  },
  token: {
    flag: 'token',
    kind: credential(1),
    fallback: undefined,
    isSecret: true,
    help: 'Ingestion token. Flags show in the list of processes: prefer the variable or the file',
  },
})

/** What the commands need that query a running service, or change its settings. */
export const apiSettings = withVariables({
  url: clientSettings.url,
  key: {
    flag: 'key',
    kind: credential(1),
    fallback: undefined,
    isSecret: true,
    help: 'API key. Flags show in the list of processes: prefer the variable or the file',
  },
})

export type ApiConfig = ValuesOf<typeof apiSettings>

/** Every variable that any command knows: one environment may serve all of them. */
export const variables: readonly string[] = variablesOf([
  ...Object.values(serviceSettings),
  ...Object.values(clientSettings),
  ...Object.values(apiSettings),
])

/** The service's settings. Throws ConfigError, which whoever starts the service answers with exit 2. */
export function readConfig(argv: readonly string[], environment: Environment): Config {
  return readService(argv, environment).values
}

/**
 * The text to print, instead of starting, for `--help`, `--version` and `--print-config`; undefined
 * when the service is to start. Throws ConfigError as `readConfig` does, except for the first two.
 */
export function answerInsteadOfStarting(
  argv: readonly string[],
  environment: Environment,
): string | undefined {
  if (hasSwitch(argv, '--help', '-h')) {
    return helpText()
  }
  if (hasSwitch(argv, '--version')) {
    return version()
  }
  if (hasSwitch(argv, '--print-config')) {
    return printSettings(serviceSettings, readService(argv, environment))
  }
  return undefined
}

/** Everything that can be said on the command line of the service, with examples. */
export function helpText(): string {
  return `Usage: logstrata [serve] [OPTION]…     or: npm start -- [OPTION]…

${paragraph(
  'Starts the log service. It needs no settings: it listens on http://127.0.0.1:7007, keeps its data in ./data, and its first start prints an admin key and the first steps.',
)}

${paragraph(
  'A flag wins over its environment variable, the variable over the default; an empty variable counts as not set. Sizes are written as 64MiB or 500kB, durations as 500ms, 60s, 1h30m or 30d.',
)}

Options:
${describeSettings(serviceSettings)}
${twoColumns('--print-config', ['Print every setting with where it came from, and exit.'])}
${twoColumns('--version', ['Print the version, and exit.'])}
${twoColumns('--help, -h', ['Print this text, and exit.'])}

Examples:
  npm start
  npm start -- --demo --data-dir ./demo-data
  npm start -- --port 8080 --data-dir /var/lib/logstrata
  LOGSTRATA_HOST=0.0.0.0 LOGSTRATA_ADMIN_KEY_FILE=/run/secrets/admin-key npm start
  npm start -- --durability written --print-config

Exit codes: 0 stopped on request, 1 failed, 2 a setting is wrong.`
}

function readService(argv: readonly string[], environment: Environment): ReadSettings<Config> {
  const read = readSettings(serviceSettings, argv, environment, {
    switches: ['help', 'version', 'print-config'],
    variables,
  })
  refuseContradictions(read)
  refuseHalfTls(read, 'tlsCert', 'tlsKey')
  refuseHalfTls(read, 'listenTlsCert', 'listenTlsKey')
  refuseTlsWithoutCertificate(read)
  refuseStoreWithoutAddress(read)
  refuseOwnSettings(read)
  return { ...read, values: withFewerScans(read) }
}

/** On ClickHouse scan threads read what waits in the journal, and what was fetched: each takes 20 MB. */
function withFewerScans({ values, sources }: ReadSettings<Config>): Config {
  const isOwn = values.store === 'local' || sources.scanThreads !== 'default'
  return isOwn ? values : { ...values, scanThreads: Math.ceil(values.scanThreads / 2) }
}

/** What a primary alone decides, or makes. */
const ofPrimary = ['adminKey', 'retentionAgeMs', 'retentionBytes', 'selfLog', 'demo'] as const

function refuseOwnSettings({ values, sources }: ReadSettings<Config>): void {
  if (values.primary === undefined) return
  if (values.primaryKey === undefined) {
    throw new ConfigError(sources.primary, `${sources.primary} needs --primary-key as well`)
  }
  const own = ofPrimary.find(name => values[name] !== undefined && values[name] !== false)
  if (own === undefined) return
  const text = `${sources[own]} is for the primary: this service has a copy of its settings`
  throw new ConfigError(sources[own], text)
}

/** The store that is elsewhere needs an address, and the one that is here has no use for one. */
function refuseStoreWithoutAddress({ values, sources }: ReadSettings<Config>): void {
  const { store, clickhouseUrl, clickhouseCluster } = values
  if (store === 'clickhouse' && clickhouseUrl === undefined) {
    throw new ConfigError(sources.store, '--store clickhouse needs --clickhouse-url as well')
  }
  if (store === 'local' && clickhouseUrl !== undefined) {
    const text = '--clickhouse-url is of use with --store clickhouse only'
    throw new ConfigError(sources.clickhouseUrl, text)
  }
  if (store === 'local' && clickhouseCluster !== undefined) {
    const text = '--clickhouse-cluster is of use with --store clickhouse only'
    throw new ConfigError(sources.clickhouseCluster, text)
  }
}

/** Limits that contain one another: otherwise a body could be allowed and yet never accepted. */
function refuseContradictions({ values, sources }: ReadSettings<Config>): void {
  const chain = ['eventBytesMax', 'batchBytesMax', 'pendingBytesMax'] as const
  for (const [index, smaller] of chain.entries()) {
    const larger = chain[index + 1]
    if (larger !== undefined && values[smaller] > values[larger]) {
      const describe = (name: typeof smaller) => {
        const { flag, kind } = serviceSettings[name]
        return `--${flag} ${kind.print(values[name])} (${sources[name]})`
      }
      const source = sources[smaller] === 'default' ? sources[larger] : sources[smaller]
      throw new ConfigError(source, `${describe(smaller)} must not exceed ${describe(larger)}`)
    }
  }
}

/** Certificate and key stand together, and must be usable. */
function refuseHalfTls(
  { values, sources }: ReadSettings<Config>,
  cert: 'tlsCert' | 'listenTlsCert',
  key: 'tlsKey' | 'listenTlsKey',
): void {
  const [certPath, keyPath] = [values[cert], values[key]]
  if (certPath === undefined && keyPath === undefined) return
  if (certPath === undefined || keyPath === undefined) {
    const [given, missing] = keyPath === undefined ? [cert, key] : [key, cert]
    const source = sources[given]
    const { flag, variable } = serviceSettings[missing]
    throw new ConfigError(source, `${source} needs --${flag} or ${variable} as well`)
  }
  refuseUnusableTls(
    { path: certPath, source: sources[cert] },
    { path: keyPath, source: sources[key] },
  )
}

/** What listens by TLS needs a certificate. */
function refuseTlsWithoutCertificate({ values, sources }: ReadSettings<Config>): void {
  const isMissing = values.tlsCert === undefined && values.listenTlsCert === undefined
  const isTls = ({ transport }: ListenerSetting) => transport === 'tls'
  const needing = (['syslog', 'forward', 'gelf'] as const).find(name => values[name]?.some(isTls))
  if (needing === undefined || !isMissing) return
  const source = sources[needing]
  throw new ConfigError(source, `${source} tls://… needs --listen-tls-cert or --tls-cert as well`)
}
