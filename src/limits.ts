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
  /** Errors listed in the answer to many events; the count of rejected events is always exact. */
  ingestErrorsListedMax: 100,

  /** Characters of a query. The parser takes time in proportion, on the main thread. */
  queryLengthMax: 16 * kib,
  /** Matchers and line filters of one selector. Each one is tried on every record scanned. */
  queryTermsMax: 1_000,
  /** Labels in one `by (…)`. */
  queryGroupLabelsMax: 16,
  /** Groups of one answer. Each holds its label values in memory and in the answer. */
  queryGroupsMax: 10_000,
  queryLimitMax: 1_000,
  queryLimitDefault: 100,

  /** Bytes of a JSON body on all operations but ingest. */
  requestBodyBytesMax: 1 * mib,
  dashboardBytesMax: 1 * mib,
  dashboardIdLengthMax: 128,
  /** Characters of a name that people give: service, environment, API key. */
  nameLengthMax: 200,
} as const
