/**
 * Where each bound of `limits.ts` is tried, at the bound and one past it. A bound without a line here
 * fails, and so does a line whose test is gone.
 */
import fs from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { limits } from '../src/limits.ts'

/** A test by its file, below this directory, and its title. */
type Place = readonly [file: string, title: string]

const own = (title: string): Place => ['limits-bounds.test.ts', title]
const syntax: Place = [
  'language/grammar-refusals.test.ts',
  'a query over a limit is refused, and one at the limit is not',
]
const attributesTaken: Place = [
  'ingest/flatten.test.ts',
  'as many and as large attributes as the limits say are kept',
]
const attributesRefused: Place = [
  'ingest/flatten.test.ts',
  'one attribute too many or too large is refused by name',
]
const ofLoki: Place = ['http/loki/refusals.test.ts', 'entries are asked for within bounds']
const ofSockets: Place = [
  'http/reply/socket.test.ts',
  'a client that is quiet or talks is dealt with',
]
const ofBrowsers: Place = [
  'http/access/browser-guard.test.ts',
  'so many requests a minute of an address, and of all, are let through',
]
const memoryOfBrowsers: Place = [
  'http/access/browser-guard.test.ts',
  'a flood of addresses and tokens takes no more memory than there is',
]
const ofRequests = own('numbers and lists of a request are taken up to their bounds')
const ofAlertRules: Place = ['alerts/rules.test.ts', 'a rule may be so large, and no larger']
const ofAlertCounts: Place = ['alerts/preview.test.ts', 'so many alerts may be at once']
const ofPreviews: Place = [
  'alerts/preview.test.ts',
  'a preview has bounds, and says how much there is',
]
const defaults: readonly Place[] = [
  ['http/resources/query/query.test.ts', 'what is asked reaches the store, defaults filled in'],
  ['http/resources/query/explore.test.ts', 'what is asked reaches the store, defaults filled in'],
  [
    'http/resources/query/tail.test.ts',
    'a tail begins with the last ten, with so many, or behind an id',
  ],
]

const places: Readonly<Record<keyof typeof limits, readonly Place[]>> = {
  eventDepthMax: [
    ['ingest/json.test.ts', 'nesting beyond the limit is refused before it is parsed'],
    ['ingest/otlp/refusals.test.ts', 'a record over a limit is refused alone'],
  ],
  eventAttributesMax: [attributesTaken, attributesRefused],
  attributeValueBytesMax: [attributesTaken, attributesRefused],
  attributeNameBytesMax: [attributesTaken, attributesRefused],
  batchEventsMax: [own('a million events are taken, and not one more')],
  idempotencyKeyLengthMax: [
    ['http/resources/events/idempotency-key.test.ts', 'a key that is none is refused by its name'],
  ],
  ingestErrorsListedMax: [own('so many errors of a request are listed, and all are counted')],
  lokiEntriesMax: [ofLoki],
  lokiEntriesDefault: [ofLoki],
  socketIdleSeconds: [ofSockets],
  socketMessageBytesMax: [ofSockets],
  queryLengthMax: [syntax],
  queryNestingMax: [syntax],
  queryOperatorsMax: [syntax],
  queryAggregatesMax: [syntax],
  queryStagesMax: [syntax],
  queryTemplateTextMax: [
    [
      'query/stages/pipeline.test.ts',
      'a template that blows up costs the record no more than an error',
    ],
  ],
  queryMadeLabelsLengthMax: [
    ['query/stages/pipeline.test.ts', 'labels of a record are made up to a bound'],
  ],
  queryStagedLengthMax: [
    ['query/stages/staged-columns.test.ts', 'what stages make of a block has a bound'],
  ],
  queryRankMax: [own('ranks and offsets are taken up to their bounds')],
  queryOffsetMsMax: [own('ranks and offsets are taken up to their bounds')],
  querySeriesMax: [
    ['query/evaluate/evaluate.test.ts', 'too many series are refused'],
    ['store/answer/aggregate-series.test.ts', 'too many series and too many points are refused'],
  ],
  queryPointsMax: [['query/evaluate/evaluate.test.ts', 'too many points are refused']],
  queryTermsMax: [syntax],
  queryGroupLabelsMax: [syntax],
  queryPatternsMax: [syntax],
  patternStateBytes: [own('an expression keeps as many states as its size allows')],
  patternStateBytesPerInstruction: [own('an expression keeps as many states as its size allows')],
  queryPatternCostMax: [own('an expression may cost so much, and no more')],
  queryGroupsMax: [own('groups, and the length of their values, have bounds')],
  groupsLengthMax: [own('groups, and the length of their values, have bounds')],
  queryDistinctMax: [own('combinations of distinct, and the length of them, have bounds')],
  queryDistinctLengthMax: [own('combinations of distinct, and the length of them, have bounds')],
  facetFieldsMax: [ofRequests],
  numericFacetsMax: [
    ['http/resources/query/explore.test.ts', 'each mistake is 400 and names its field'],
  ],
  fieldValuesMax: [own('values of one field, and their length, have bounds')],
  fieldValuesLengthMax: [own('values of one field, and their length, have bounds')],
  topValuesMax: [ofRequests],
  topValuesDefault: defaults,
  fieldNamesMax: [['query/collect/fields.test.ts', 'fieldNamesMax']],
  fieldNamesLengthMax: [['query/collect/fields.test.ts', 'fieldNamesLengthMax']],
  contextRecordsMax: [ofRequests],
  contextRecordsDefault: defaults,
  traceIdLengthMax: [
    ['http/resources/query/trace.test.ts', 'each mistake is refused and names its field'],
  ],
  quantileValuesMax: [own('numbers of one quantile are held up to a bound')],
  counterValuesMax: [own('values of one rate_counter are held up to a bound')],
  distinctValuesMax: [own('texts of one count_distinct, and their length, have bounds')],
  distinctLengthMax: [own('texts of one count_distinct, and their length, have bounds')],
  matchSelectorsMax: [ofRequests],
  queriesWaitingMax: [
    [
      'http/resources/query/query-runner.test.ts',
      'as many wait as there is memory for, and the next is an overload',
    ],
  ],
  histogramBucketsMax: [ofRequests],
  patternsMax: [
    ['query/collect/patterns.test.ts', 'of too many patterns the rare ones are let go'],
  ],
  patternBucketsMax: [ofRequests],
  patternsListedMax: [ofRequests],
  patternsListedDefault: defaults,
  queryLimitMax: [ofRequests],
  queryLimitDefault: defaults,
  tailsMax: [['store/tail/limits.test.ts', 'only so many may tail at once']],
  tailLastMax: [ofRequests],
  tailLastDefault: defaults,
  tailQueueRecordsMax: [
    ['store/tail/queue.test.ts', 'beyond the bound of records the oldest go, and leave a gap'],
  ],
  tailQueueBytesMax: [
    ['store/tail/queue.test.ts', 'beyond the bound of bytes the oldest go, but never the last'],
  ],
  // Of these two, what happens beyond them is tried with smaller files than 16 and 256 MiB.
  tailBehindBytes: [['store/tail/pending.test.ts', 'behind a cut a new range begins']],
  tailBehindBytesMax: [['store/tail/limits.test.ts', 'loses the oldest, and is told exactly']],
  tailHeartbeatMs: [
    ['http/resources/query/event-stream.test.ts', 'a quiet stream has a heartbeat'],
  ],
  answerLengthMax: [own('a page of records ends when its answer is long enough')],
  requestBodyBytesMax: [['http/body/collect-body.test.ts', 'a JSON body has its limit too']],
  formBodyBytesMax: [own('a form is taken up to its bound')],
  slowCommitMs: [['http/resources/health.test.ts', 'health, readiness and metrics say how it is']],
  exportsMax: [['http/resources/query/export.test.ts', 'exportsMax']],
  idleSeconds: [['http/patience.test.ts', 'a connection lives as long as its client was told']],
  streamStallMs: [
    ['http/reply/stream.test.ts', 'a reader that takes nothing is cut off after the stall time'],
    ['http/reply/stream.test.ts', 'a reader that takes a little at a time is not cut off'],
  ],
  unreadAnswerBytesMax: [
    [
      'http/reply/unread-answers.test.ts',
      'of too many answers that nobody reads the oldest is given up',
    ],
  ],
  refusedBodyBytesMax: [
    ['http/body/collect-body.test.ts', 'of a refused body that is endless, no more is read'],
  ],
  lentBodyBytesMax: [
    [
      'http/body/collect-body.test.ts',
      'a small body in one piece is lent, and any other has memory of its own',
    ],
  ],
  smallBodiesWaitingMax: [
    ['http/body/decoder-queue.test.ts', 'of too many that wait, one more is refused'],
  ],
  largeBodiesWaitingMax: [
    ['http/body/decoder-queue.test.ts', 'of too many that wait, one more is refused'],
  ],
  streamedBodiesMax: [
    ['http/body/streamed-body.test.ts', 'so many bodies are taken as they come, and not one more'],
  ],
  streamedBodiesHoldBytesMax: [
    ['http/body/streamed-body.test.ts', 'what bodies hold together has a bound'],
  ],
  streamedBodyIdleMs: [
    ['http/body/streamed-body.test.ts', 'a body of which nothing comes is given up in time'],
  ],
  listenerConnectionsMax: [
    ['listen/bounds.test.ts', 'there are so many connections, and not one more'],
  ],
  listenersHoldBytesMax: [
    [
      'listen/bounds.test.ts',
      'what waits and what has come in part is bounded, over all connections',
    ],
  ],
  zstdFramesMax: [
    own('a body of as many zstd frames as may be is decoded'),
    ['http/body/content-encoding.test.ts', 'a body of thousands of zstd frames is refused'],
  ],
  dashboardBytesMax: [
    ['catalog/dashboard-checks.test.ts', 'a dashboard may be as large as the limit'],
  ],
  dashboardIdLengthMax: [['catalog/dashboard-checks.test.ts', 'an id is 1 to 128 letters']],
  dashboardDepthMax: [
    ['catalog/dashboard-checks.test.ts', 'a dashboard may be nested as deep as the limit'],
  ],
  alertRulesMax: [['alerts/rules.test.ts', 'alertRulesMax']],
  alertLabelsMax: [ofAlertRules],
  alertLabelLengthMax: [ofAlertRules],
  alertMessageLengthMax: [ofAlertRules],
  alertRuleReceiversMax: [ofAlertRules],
  alertTextLengthMax: [['alerts/message.test.ts', 'a text that would be endless is cut']],
  alertsPerRuleMax: [ofAlertCounts],
  alertsLengthMax: [ofAlertCounts],
  alertPreviewRunsMax: [ofPreviews],
  alertPreviewFiringsMax: [ofPreviews],
  alertPreviewSeriesMax: [ofPreviews],
  alertCatchUpRunsMax: [
    ['alerts/evaluations.test.ts', 'what was missed is asked for at once, and not for ever'],
  ],
  alertEvaluationsMax: [
    ['alerts/scheduler.test.ts', 'so many run at once, the longest overdue first'],
  ],
  alertChangesMax: [['alerts/evaluations.test.ts', 'alertChangesMax, of what was missed the last']],
  alertReceiversMax: [['alerts/receivers.test.ts', 'alertReceiversMax']],
  alertSilencesMax: [['alerts/silences.test.ts', 'alertSilencesMax']],
  alertSilenceMatchersMax: [
    ['alerts/silences.test.ts', 'what is no silence is refused by its field'],
  ],
  alertNoticesMax: [['alerts/deliver.test.ts', 'alertNoticesMax, and the oldest is given up']],
  alertDeliveriesMax: [['alerts/deliver.test.ts', 'alertDeliveriesMax']],
  alertHistoryMax: [['alerts/evaluations.test.ts', 'alertHistoryMax, and the oldest goes first']],
  savedQueriesMax: [['catalog/saved-queries.test.ts', 'savedQueriesMax']],
  savedQueryColumnsMax: [own('a saved query has so many columns, and no more')],
  nameLengthMax: [['catalog/ingestion-tokens.test.ts', 'nameLengthMax']],
  sessionsPerKeyMax: [['catalog/sessions.test.ts', 'sessionsPerKeyMax']],
  browserAddressRequestsMax: [ofBrowsers],
  browserTokenRequestsMax: [ofBrowsers],
  browserWindowMs: [ofBrowsers],
  browserAddressesMax: [memoryOfBrowsers],
  browserTokensMax: [memoryOfBrowsers],
  browserBodyBytesMax: [
    ['http/access/browser-guard.test.ts', 'a page may send a body of so many bytes'],
  ],
  authFailuresMax: [own('so many wrong credentials in a minute are told to be wrong')],
  authFailureWindowMs: [own('so many wrong credentials in a minute are told to be wrong')],
  authFailureAddressesMax: [
    [
      'http/access/auth-failures.test.ts',
      'a flood of addresses takes no more memory than there is',
    ],
  ],
  adminKeyLengthMin: [['catalog/admin-key.test.ts', 'adminKeyLengthMin']],
}

t.test('each bound is tried somewhere', async t => {
  t.same(Object.keys(limits).sort(), Object.keys(places).sort(), 'each has a line')
  for (const [bound, tried] of Object.entries(places)) {
    for (const [file, text] of tried) {
      const source = fs.readFileSync(join(import.meta.dirname, file), 'utf8')
      t.ok(source.includes(text), `${bound}: "${text}" is in ${file}`)
    }
  }
})
