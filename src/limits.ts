/**
 * Every bound that is not a setting, once, with what breaks when it is raised.
 * Bounds that an operator may move are settings: see `config.ts`.
 */

const kib = 1024
const mib = 1024 * kib

export const limits = {
  /** Nesting of an event's JSON. JSON.stringify and msgpack recurse, and throw by 10,000. */
  eventDepthMax: 64,
  /** Attributes of one record. Each name is a column of its batch. */
  eventAttributesMax: 1_000,
  /** UTF-8 bytes of one attribute's value. */
  attributeValueBytesMax: 256 * kib,
  /** UTF-8 bytes of one attribute's name. */
  attributeNameBytesMax: 4 * kib,
  /** Events of one request. All its batches are in memory until they are on disk. */
  batchEventsMax: 1_000_000,
  /** Errors listed in the answer to many events; the count of rejected events is always exact. */
  ingestErrorsListedMax: 100,

  /** Characters of a query. The parser takes time in proportion, on the main thread. */
  queryLengthMax: 16 * kib,
  /** Matchers and line filters of one selector. Each one is tried on every record scanned. */
  queryTermsMax: 1_000,
  /** Labels in one `by (…)`. */
  queryGroupLabelsMax: 16,
  /** Regular expressions in one selector. Each may keep states, below, in each scan thread. */
  queryPatternsMax: 100,
  /** Bytes of states that one expression may keep, and how many more per instruction. With fewer an
   *  expression starts over so often that matching slows down; with more, 100 fill the memory. */
  patternStateBytes: 256 * kib,
  patternStateBytesPerInstruction: 400,
  /** Instructions of all regular expressions of one selector. At this size a message of 1 KiB takes
   *  0.15 s at worst, and each scan thread keeps 8 MiB of states. Alternatives between words
   *  (`a=~"first|second|…"`) stay below it however many a query has room for. */
  queryPatternCostMax: 20_000,
  /** Groups of one answer. Each holds its label values in memory and in the answer. */
  queryGroupsMax: 10_000,
  /** Characters of all label values of one answer's groups; held by each thread that scans. */
  groupsLengthMax: 4 * mib,
  /** Queries that wait, per query that may run at once. Each holds a connection and its request. */
  queriesWaitingPerTurnMax: 4,
  /** Buckets of one histogram: empty ones are in the answer too. */
  histogramBucketsMax: 10_000,
  queryLimitMax: 1_000,
  /** Characters of all records of one answer; a page ends early beyond it, with a cursor. A string of
   *  JavaScript ends at 512 Mi characters, and a megabyte of JSON takes milliseconds to make. */
  answerLengthMax: 32 * mib,
  queryLimitDefault: 100,

  /** Bytes of a JSON body on all operations but ingest. */
  requestBodyBytesMax: 1 * mib,
  /** Bytes of an unread body that are read and thrown away so that its sender gets to read why it was
   *  refused; beyond it we stop reading, and senders that do not listen meanwhile see a reset. */
  refusedBodyBytesMax: 64 * mib,
  /** Frames of one zstd body. Each costs about 50 µs, whatever it holds. */
  zstdFramesMax: 1_000,
  dashboardBytesMax: 1 * mib,
  /** A key of the catalog: LMDB takes at most 1,978 bytes. */
  dashboardIdLengthMax: 128,
  /** Nesting of a dashboard's JSON; a group of widgets takes three. JSON.stringify recurses. */
  dashboardDepthMax: 64,
  /** Characters of a name that people give: service, environment, API key. */
  nameLengthMax: 200,
  /** Characters of an admin key that the operator chooses. A shorter one could be guessed. */
  adminKeyLengthMin: 16,
} as const
