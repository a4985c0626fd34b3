/** Every setting once. (Being built: the table, the parsing and the help.) */
export interface Config {
  readonly host: string
  readonly port: number
  readonly dataDir: string
  /** The admin key's text when the operator chose it; otherwise the first start makes one. */
  readonly adminKey: string | undefined
  /** `disk`: acknowledged after fdatasync. `written`: after write, lost by a power cut. */
  readonly durability: 'disk' | 'written'
  readonly eventBytesMax: number
  readonly batchBytesMax: number
  /** Bytes accepted but not yet on disk; beyond them senders get 429. */
  readonly pendingBytesMax: number
  readonly journalFileBytes: number
  readonly journalFileAgeMs: number
  readonly queryTimeoutMs: number
  readonly concurrentQueriesMax: number
  readonly scanThreads: number
  readonly sealThreads: number
  /** Who may read /metrics. */
  readonly metricsAccess: 'open' | 'viewer'
  readonly logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent'
}
