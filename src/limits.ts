/**
 * Every bound that is not a setting, once, with what breaks when it is raised.
 * Bounds that an operator may move are settings: see `config.ts`.
 */

import { dayMs } from './time-units.ts'

const kib = 1024
const mib = 1024 * kib

export const limits = {
  /** Of retention by age, ms: a minute, and 100 years. Segments are looked at every few seconds. */
  retentionAgeMsMin: 60_000,
  retentionAgeMsMax: 36_500 * dayMs,
  /** Of retention by size: less than a segment's usual size would delete all there is. */
  retentionBytesMin: mib,
  retentionBytesMax: 2 ** 50,
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
  /** Characters of an `Idempotency-Key`. Each is hashed, and the head of a request has a bound anyway. */
  idempotencyKeyLengthMax: 255,
  /** Errors listed in the answer to many events; the count of rejected events is always exact. */
  ingestErrorsListedMax: 100,

  /** Characters of a query. The parser takes time in proportion, on the main thread. */
  queryLengthMax: 16 * kib,
  /** Parentheses, and arguments of `topk`, inside each other. The parser recurses. */
  queryNestingMax: 64,
  /** Operators of a query, signs too. Printing and evaluating recurse into the tree they make. */
  queryOperatorsMax: 256,
  /** Stages of a query after its selectors. Each one is run on every record that comes to it. */
  queryStagesMax: 100,
  /** Characters that a template may make of one record. */
  queryTemplateTextMax: 256 * kib,
  /** Characters of the labels that stages make of one record: of a line of 256 KiB, thousands of
   *  labels may be asked for that are as long. */
  queryMadeLabelsLengthMax: 4 * mib,
  /** Characters of one label, or of the lines, that stages make of the records of one block or frame.
   *  Each scan thread holds them up to three times. */
  queryStagedLengthMax: 128 * mib,
  /** Aggregates of a query. Each may scan all records of the range. */
  queryAggregatesMax: 16,
  /** The `k` of `topk` and `bottomk`. */
  queryRankMax: 1_000,
  /** Ms of one `offset`, 100 years: no record is older, and times stay exact. */
  queryOffsetMsMax: 100 * 365 * dayMs,
  /** Series of all aggregates of a query together, and points of these and of all that is made from
   *  them on the way to the answer. At this many, evaluating takes 0.1 s of the main thread, in
   *  slices, or 1.5 s when `topk` is nested with the greatest `k`; a point is up to 24 bytes. */
  querySeriesMax: 10_000,
  queryPointsMax: 5_000_000,
  /** Matchers and line filters of one query. Each one is tried on every record scanned. */
  queryTermsMax: 1_000,
  /** Labels in one `by (…)`. */
  queryGroupLabelsMax: 16,
  /** Regular expressions in one query. Each may keep states, below, in each scan thread. */
  queryPatternsMax: 100,
  /** Bytes of states that one expression may keep, and how many more per instruction. With fewer an
   *  expression starts over so often that matching slows down; with more, 100 fill the memory. */
  patternStateBytes: 256 * kib,
  patternStateBytesPerInstruction: 400,
  /** Instructions of all regular expressions of one query. At this size a message of 1 KiB takes
   *  0.15 s at worst, and each scan thread keeps 8 MiB of states. Alternatives between words
   *  (`a=~"first|second|…"`) stay below it however many a query has room for. */
  queryPatternCostMax: 20_000,
  /** Groups of one answer. Each holds its label values in memory and in the answer. */
  queryGroupsMax: 10_000,
  /** Characters of all label values of one answer's groups; held by each thread that scans. */
  groupsLengthMax: 4 * mib,
  /** Combinations of values that one `distinct` tells apart, and the characters of them, in the main thread
   *  and in each that scans; and 16 bytes for each in every thread that reads the records again. */
  queryDistinctMax: 100_000,
  queryDistinctLengthMax: 16 * mib,
  /** Fields of one request for facets. Each may hold values up to the bounds below. */
  facetFieldsMax: 20,
  /** Of those, where numbers are summed up: each is read by itself. */
  numericFacetsMax: 4,
  /** Distinct values of one field that are counted, and their characters. Held by each thread that
   *  scans; a field with more is said to have too many. */
  fieldValuesMax: 10_000,
  fieldValuesLengthMax: 1 * mib,
  /** Values shown of one field. */
  topValuesMax: 1_000,
  topValuesDefault: 10,
  /** Distinct names of fields in one answer, and their characters. Held by each thread that scans. */
  fieldNamesMax: 10_000,
  fieldNamesLengthMax: 1 * mib,
  /** Records before, and after, one record. */
  contextRecordsMax: 500,
  contextRecordsDefault: 10,
  /** Characters of a trace id: it is looked for under each name that one may have. */
  traceIdLengthMax: 256,
  /** Distinct numbers that one `quantile` holds, in all cells of its series: 12 bytes each. */
  quantileValuesMax: 4_000_000,
  /** Values that one `rate_counter` holds, of all points of its series: some 50 bytes each. */
  counterValuesMax: 1_000_000,
  /** Distinct texts that one `count_distinct` holds, in all cells of its series, and the characters
   *  of these texts, in the main thread and in each that scans. */
  distinctValuesMax: 250_000,
  distinctLengthMax: 16 * mib,
  /** Selectors in `match[]` of one request. All are parsed at once, and each is a query of its own. */
  matchSelectorsMax: 100,
  /** Queries that wait for their turn. Each holds a connection and its request, some 10 KB beside its
   *  body, which counts towards `--max-pending-bytes`; beyond it they are answered 503 at once. */
  queriesWaitingMax: 10_000,
  /** Buckets of one histogram: empty ones are in the answer too. */
  histogramBucketsMax: 10_000,
  /** Kinds of messages that each scan thread counts, up to 2 KiB each without samples of them; beyond it
   *  the rarest half is let go. */
  patternsMax: 20_000,
  /** Kinds of messages of a block that are counted when it is written, and texts that are looked at for it;
   *  of a block with more they are counted when they are asked for. */
  toldPatternsMax: 1_024,
  toldTemplatesMax: 4_096,
  /** Buckets of time in which each of them is counted. */
  patternBucketsMax: 200,
  /** Kinds of messages in one answer. */
  patternsListedMax: 1_000,
  patternsListedDefault: 50,
  queryLimitMax: 1_000,
  /** Entries of one answer of Loki's API, and without being told how many: as Loki has them. An answer
   *  ends earlier at `answerLengthMax`. */
  lokiEntriesMax: 5_000,
  lokiEntriesDefault: 100,
  /** Clients that tail at once. Each may have a full queue, below, in memory. */
  tailsMax: 200,
  /** Records with which a tail may begin, and without being told how many it begins. */
  tailLastMax: 1_000,
  tailLastDefault: 10,
  /** What waits for one tailing client, also after it has resumed; the oldest beyond it are dropped.
   *  At 5,000 records per second these are almost two seconds. */
  tailQueueRecordsMax: 10_000,
  tailQueueBytesMax: 4 * mib,
  /** Bytes of the journal that tails may lag: they keep its files from being deleted. From the
   *  first bound on records are only counted, beyond the second all tails end, and may resume. */
  tailBehindBytes: 16 * mib,
  tailBehindBytesMax: 256 * mib,
  /** Time after which a tail on which nothing happens says that it lives, ms. Proxies close quiet
   *  connections after a minute or half of one. */
  tailHeartbeatMs: 15_000,
  /** Characters of all records of one answer; a page ends early beyond it, with a cursor. A string of
   *  JavaScript ends at 512 Mi characters, and a megabyte of JSON takes milliseconds to make. */
  answerLengthMax: 32 * mib,
  queryLimitDefault: 100,
  /** Tokens of an answer to an assistant, counted as in `http/resources/mcp/budget.ts`. Claude Code
   *  warns from 10,000 on and refuses more than 25,000; below the least one record may not fit. */
  mcpTokensMin: 1_000,
  mcpTokensMax: 20_000,
  mcpTokensDefault: 4_000,

  /** Time of one write with its sync, ms, from which on the service says that it is degraded: it continues,
   *  but every sender waits so long for its answer, and what arrives meanwhile fills the memory. */
  slowCommitMs: 1_000,
  /** Bytes of a JSON body on all operations but ingest. */
  requestBodyBytesMax: 1 * mib,
  /** Bytes of a form: the parameters of Prometheus' operations. Each becomes an object. */
  formBodyBytesMax: 256 * kib,
  /** Bytes of all large answers that their clients have not read yet, beyond which the oldest of these
   *  clients is cut off. One that reads nothing at all is cut off after some 10 s anyway. */
  unreadAnswerBytesMax: 256 * mib,
  /** Exports at once. Each keeps all scan threads busy as long as its client reads fast enough. */
  exportsMax: 4,
  /** Seconds without a word after which a WebSocket's client is asked whether it lives, and then cut off:
   *  proxies close quiet connections after a minute. Bytes of what it says: nobody looks at it. */
  socketIdleSeconds: 32,
  socketMessageBytesMax: 1 * kib,
  /** Seconds that a connection may surely be idle between two requests, as its client is told. It is
   *  uWebSockets that closes it, and that cannot be told another time. */
  idleSeconds: 8,
  /** Time without progress, ms, after which the reader of a streamed answer is cut off. An export
   *  keeps its files from being deleted as long as it lives. */
  streamStallMs: 30_000,
  /** Bytes of an unread body that are read and thrown away so that its sender gets to read why it was
   *  refused; beyond it we stop reading, and senders that do not listen meanwhile see a reset. */
  refusedBodyBytesMax: 64 * mib,
  /** Bytes of a body that is read from memory that all requests of a turn share. Reading it must not wait
   *  for anything: larger bodies of many events are read by other threads. */
  lentBodyBytesMax: 16 * kib,
  /** Bodies at once that are taken as they come, without an end in sight. Each holds a connection, and an
   *  event in part. */
  streamedBodiesMax: 1_000,
  /** Bytes of all of them that have come and wait for the disk; one that brings more is refused. */
  streamedBodiesHoldBytesMax: 64 * mib,
  /** Time without a byte, ms, after which such a body is given up: its sender may be gone without a word. */
  streamedBodyIdleMs: 5 * 60_000,
  /** Encoded bodies that wait to be decoded, small ones and large ones: those of more than 8 MiB, or of more
   *  than a hundred times what was sent. Each holds a connection and what was sent; the last of the large
   *  ones waits some ten seconds. */
  smallBodiesWaitingMax: 1_024,
  largeBodiesWaitingMax: 16,
  /** Connections of one listener. An idle one takes some kilobytes, and one of the process's files. */
  listenerConnectionsMax: 20_000,
  /** Bytes of all messages that have come in part, and of what waits for a full disk, of all listeners'
   *  connections; one that needs more is reset. */
  listenersHoldBytesMax: 64 * mib,
  /** Frames of one zstd body. Each costs about 50 µs, whatever it holds. */
  zstdFramesMax: 1_000,
  dashboardBytesMax: 1 * mib,
  /** A key of the catalog: LMDB takes at most 1,978 bytes. */
  dashboardIdLengthMax: 128,
  /** Nesting of a dashboard's JSON; a group of widgets takes three. JSON.stringify recurses. */
  dashboardDepthMax: 64,
  /** Queries under a name: each list has them all, and is read by people. */
  savedQueriesMax: 200,
  savedQueryColumnsMax: 50,
  /** Rules of alerts. Each is a query every so often, and has its state in memory. */
  alertRulesMax: 200,
  /** Labels that a rule gives its alerts, and characters of the value of one. */
  alertLabelsMax: 32,
  alertLabelLengthMax: 1_000,
  /** Characters of a rule's message, and of what becomes of it for one alert. */
  alertMessageLengthMax: 4 * kib,
  alertTextLengthMax: 4 * kib,
  /** Receivers of one rule. Each gets every notification. */
  alertRuleReceiversMax: 10,
  /** Alerts of one rule that are pending or firing at once, and characters of their labels. All are in
   *  memory, and written whenever one of them changes; a notification names them. */
  alertsPerRuleMax: 500,
  alertsLengthMax: 256 * kib,
  /** Moments at which a preview asks whether a rule would have fired. One query is about all of them. */
  alertPreviewRunsMax: 10_000,
  /** Firings that a preview lists, and series that it draws; the number of firings is always exact. */
  alertPreviewFiringsMax: 1_000,
  alertPreviewSeriesMax: 20,
  /** Moments that were missed, by a restart or a slow query, for which a rule is evaluated after all. */
  alertCatchUpRunsMax: 1_440,
  /** Beginnings and ends of alerts that one evaluation tells of, of many missed moments the last ones. */
  alertChangesMax: 1_000,
  /** Rules that are evaluated at the same time: people's queries come first. */
  alertEvaluationsMax: 2,
  /** Receivers, and silences that are not over. Each alert is compared with all silences. */
  alertReceiversMax: 50,
  alertSilencesMax: 200,
  alertSilenceMatchersMax: 20,
  /** Notices that some receiver does not have yet; the oldest is given up for another one. */
  alertNoticesMax: 500,
  /** Receivers that are told something at the same time; each is told one thing after the other. */
  alertDeliveriesMax: 8,
  /** What happened to alerts that is kept; the oldest goes first. A start reads all of it. */
  alertHistoryMax: 2_000,
  /** Characters of a name that people give: service, environment, API key. */
  nameLengthMax: 200,
  /** Sessions of the page that one API key may have at a time; the oldest end. Each is in memory. */
  sessionsPerKeyMax: 100,
  /** Wrong credentials of one address (of IPv6: of its /64) in a window, ms, that are answered 401. A
   *  deleted token makes its sender fail often; a guess has no chance at any rate. */
  authFailuresMax: 30,
  authFailureWindowMs: 60_000,
  /** Addresses whose failures are counted: 150 bytes each. Beyond them the oldest count is lost. */
  authFailureAddressesMax: 10_000,
  /** Requests with a token for pages in a browser in a window, ms: of one address (of IPv6: of its /64),
   *  behind which there may be an office, and of all. */
  browserAddressRequestsMax: 600,
  browserTokenRequestsMax: 60_000,
  browserWindowMs: 60_000,
  /** Addresses and tokens whose requests are counted: 150 bytes each. Beyond them the oldest is lost. */
  browserAddressesMax: 20_000,
  browserTokensMax: 1_000,
  /** Bytes of a body that comes with such a token, decoded; a page sends what one reader of it does. */
  browserBodyBytesMax: 256 * kib,
  /** Characters of an admin key that the operator chooses. A shorter one could be guessed. */
  adminKeyLengthMin: 16,
} as const
