/**
 * Each bound of `limits.ts` is tried by a test that names it, at the bound and one past it; those that no
 * other test tries are in `limits-bounds.test.ts`.
 */
import fs from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { limits } from '../src/limits.ts'

/** Bounds that are tried as numbers, as clients meet them, or under the name of what has them: by whom. */
const elsewhere: Partial<Record<keyof typeof limits, readonly [file: string, title: string]>> = {
  queryLimitDefault: [
    'http/resources/query/query.test.ts',
    'what is asked reaches the store, defaults filled in',
  ],
  topValuesDefault: [
    'http/resources/query/explore.test.ts',
    'what is asked reaches the store, defaults filled in',
  ],
  contextRecordsDefault: [
    'http/resources/query/explore.test.ts',
    'what is asked reaches the store, defaults filled in',
  ],
  patternsListedDefault: [
    'http/resources/query/explore.test.ts',
    'what is asked reaches the store, defaults filled in',
  ],
  tailLastDefault: [
    'http/resources/query/tail.test.ts',
    'a tail begins with the last ten, with so many, or behind an id',
  ],
  tailHeartbeatMs: ['http/resources/query/event-stream.test.ts', 'a quiet stream has a heartbeat'],
  tailBehindBytes: ['store/tail/pending.test.ts', 'behind a cut a new range begins'],
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
const ofAssistants: Place = [
  'http/resources/mcp/budget.test.ts',
  'an answer may have so many tokens, and no more',
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
  fieldValuesMax: [own('values of one field, and their length, have bounds')],
  fieldValuesLengthMax: [own('values of one field, and their length, have bounds')],
  topValuesMax: [ofRequests],
  topValuesDefault: defaults,
  fieldNamesMax: [['query/collect/fields.test.ts', 'fieldNamesMax']],
  fieldNamesLengthMax: [['query/collect/fields.test.ts', 'fieldNamesLengthMax']],
  contextRecordsMax: [ofRequests],
  contextRecordsDefault: defaults,
  mcpTokensMin: [ofAssistants],
  mcpTokensMax: [ofAssistants],
  mcpTokensDefault: [ofAssistants],
  traceIdLengthMax: [
    ['http/resources/query/trace.test.ts', 'each mistake is refused and names its field'],
  ],
  quantileValuesMax: [own('numbers of one quantile are held up to a bound')],
  counterValuesMax: [own('values of one rate_counter are held up to a bound')],
  distinctValuesMax: [own('texts of one count_distinct, and their length, have bounds')],
  distinctLengthMax: [own('texts of one count_distinct, and their length, have bounds')],
  matchSelectorsMax: [ofRequests],
  queriesWaitingMax: [
    'http/resources/query/query-runner.test.ts',
    'as many wait as there is memory for, and the next is an overload',
  ],
  listenerConnectionsMax: [
    'listen/bounds.test.ts',
    'there are so many connections, and not one more',
  ],
  dashboardIdLengthMax: ['catalog/dashboard-checks.test.ts', 'an id is 1 to 128 letters'],
}

/** The words of all tests but this one. */
function wordsOfTests(): Set<string> {
  const files = fs.readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
  const texts = files
    .filter(file => file.endsWith('.ts') && file !== 'limits.test.ts')
    .map(file => fs.readFileSync(join(import.meta.dirname, file), 'utf8'))
  return new Set(texts.flatMap(text => text.match(/\w+/g) ?? []))
}

t.test('each bound is tried somewhere', async t => {
  const words = wordsOfTests()
  for (const bound of Object.keys(limits) as (keyof typeof limits)[]) {
    const [file, title] = elsewhere[bound] ?? []
    if (file === undefined || title === undefined) {
      t.ok(words.has(bound), `${bound} is named by a test`)
      continue
    }
    t.notOk(words.has(bound), `${bound} needs no line here: it is named by a test`)
    const source = fs.readFileSync(join(import.meta.dirname, file), 'utf8')
    t.ok(source.includes(title), `${bound}: "${title}" is in ${file}`)
  }
})
