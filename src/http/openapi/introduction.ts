/** What comes before the operations: first steps, credentials, the query language, errors, limits. */

import { limits } from '../../limits.ts'

const kib = 1024

/** Queries of the language with what they mean; a test parses each one. */
export const exampleQueries: readonly (readonly [query: string, meaning: string])[] = [
  ['logs', 'every record in the time range'],
  ['logs{service.name="checkout", log_level=~"error|fatal"}', 'both matchers hold'],
  ['logs{user.id!=""}', 'records that have the attribute: an absent one behaves as `""`'],
  ['logs{} |= "timeout" != "retry"', 'the message contains the one and not the other'],
  ['logs |~ `took \\d{4,} ms`', 'the message matches; back-quotes need no escapes'],
  ['logs{"key with spaces"="x"}', 'any attribute name, as a string'],
  ['count(logs{environment="prod"})', 'how many'],
  ['count by (service.name, log_level) (logs)', 'one count per combination'],
  ['rate(logs{log_level="error"})', 'records per second'],
  ['avg by (host) (logs | unwrap duration_ms)', 'over the values of an attribute'],
  ['quantile(0.99, logs{route="/pay"} | unwrap duration_ms)', 'the 99th percentile'],
  ['count_distinct(logs | unwrap user.id)', 'how many different values'],
  ['topk(5, count by (host) (logs))', 'the five largest'],
  [
    'count(logs{log_level="error"}) / count(logs) * 100',
    'arithmetic, with the precedence of PromQL',
  ],
  ['count(logs) - count(logs offset 1d)', 'against the same time a day earlier'],
]

const languageTable = exampleQueries
  .map(([query, meaning]) => {
    const fence = query.includes('`') ? '``' : '`'
    const code = `${fence}${fence === '``' ? ' ' : ''}${query}${fence === '``' ? ' ' : ''}${fence}`
    return `| ${code.replaceAll('|', '\\|')} | ${meaning} |`
  })
  .join('\n')

/** Sets what all samples use. `KEY` is the only line that a reader must change. */
export const firstSteps = `URL=http://127.0.0.1:7007
KEY=key_…   # the admin key that the first start printed
TOKEN=$(curl -s "$URL/api/v1/settings/ingestion-tokens" \\
  -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' \\
  -d '{"serviceName":"checkout","environment":"dev"}' |
  sed 's/.*"token":"\\([^"]*\\)".*/\\1/')`

export const introduction = `A log service for one machine. Senders post arbitrary JSON events; each becomes a log record, enriched with
the service name and environment of its ingestion token. A 200 means that it is on disk, and the very next
query finds it. Counts are exact.

## First steps

Every example on this page runs as it stands after these lines:

\`\`\`sh
${firstSteps}
\`\`\`

Then [send an event](#sendEvent), and [query it back](#queryLogs).

## Authentication

\`Authorization: Bearer …\` with one of two kinds of secret:

- An **ingestion token** may send events, and nothing else. It may also be the password of \`Basic\` credentials, follow
  \`Splunk\` or \`ApiKey\` (there as \`id:token\` in base64, too), or stand in the header \`DD-API-KEY\` or \`X-API-Key\`.
- An **API key** has a role: **viewer** may query, **editor** may also change dashboards, **admin** may also
  manage tokens and keys. Where Prometheus' and Loki's clients ask it may come as the password of \`Basic\` credentials.

The page for people signs in with an API key and then has a session in a cookie, which may do what its key
may. Missing, unknown or deleted credentials are 401; one of the wrong kind or role is 403, but on sending
events 401 too.

## The query language

| Query | Means |
|---|---|
${languageTable}

Labels are \`log_level\`, \`message\`, \`service.name\`, \`environment\` and every attribute. Matchers: \`=\`, \`!=\`,
\`=~\`, \`!~\`, the last two anchored at both ends. Line filters, on the message: \`|=\` contains, \`!=\` contains not,
\`|~\` matches, \`!~\` matches not. Strings are \`"…"\` or \`'…'\` with JSON's escapes, or back-quoted and raw.
Regular expressions are RE2's language: no back-references, no look-around, and none can stall the service.

Operations: \`count\`, \`rate\`; over an attribute, \`| unwrap name\`: \`sum\`, \`avg\`, \`min\`, \`max\`, \`quantile\`,
\`count_distinct\`; over their results: \`topk\`, \`bottomk\`, \`+ - * / % ^\` and comparisons. \`by (…)\` groups. Values that
are no numbers are skipped and counted. Variables: \`$name\` and \`\${name}\`, given in \`variables\`.

## Bodies

Fields that are not named here are ignored. Null in a field that may be absent is as if it were absent.

## Errors

\`application/problem+json\` (RFC 9457) with a stable \`code\`, and the \`field\` or \`position\` at fault. Decide by
\`code\`, show \`detail\` to people. With \`Retry-After\`, the same request may succeed later. A path that is not
here is 404 \`path_unknown\`; another method 405 \`method_unknown\` with \`Allow\`. \`OPTIONS\` tells a path's methods; \`HEAD\`
answers as \`GET\` without the body.

## Limits

- A query: ${limits.queryLengthMax / kib} KiB, ${limits.queryTermsMax} matchers and filters, ${limits.queryPatternsMax} regular expressions, ${limits.queryGroupLabelsMax} labels to group by,
  ${limits.queryNestingMax} levels of parentheses, ${limits.queryAggregatesMax} aggregates.
- Its answer: ${limits.queryLimitMax} records, ${limits.queryGroupsMax} groups or series, ${limits.queryPointsMax} points.
- An event: ${limits.eventAttributesMax} attributes of at most ${limits.attributeValueBytesMax / kib} KiB, ${limits.eventDepthMax} levels of nesting.
- A JSON body other than events: ${limits.requestBodyBytesMax / kib ** 2} MiB. Bodies may be sent with \`Content-Encoding\` gzip, deflate or zstd; limits
  are for what they decode to.
- Times are whole milliseconds since 1970, UTC, but in Prometheus' operations seconds.`
