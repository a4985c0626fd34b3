/** The query language and how to go about it, in few words: what a model is given to read. */

/** With every connection. */
export const instructions = `Logstrata keeps log records: time, log_level, message, service.name, environment, and
attributes that differ from service to service. Counts are exact. Go about it like this: list_fields (what is there),
list_values (how it is written), find_patterns (what kinds of messages), count_logs (where and when), what_changed (what
is special about a time), then search_logs for a few records, log_context for what happened around one, get_trace for one request through all services. Times are "now-1h", "now" or ISO 8601; without
them it is the last hour. Answers are small: go on with "nextCursor", or ask for more with "maxTokens". Show people
the address in "open". Resource logstrata://query-language is the language in short.`

/** Each line of code in it is a query; a test asks them all. */
export const languageGuide = `# The query language

A query selects records, and may compute numbers of them. It reads like LogQL.

Every record; labels are service.name, environment, log_level and all attributes:

    logs
    logs{service.name="checkout", log_level=~"error|fatal"}
    logs{log_level!="info", environment in ("prod", "staging")}
    logs{status >= 500, duration_ms > 1000}
    logs{user.id!=""}

Texts stand in quotes and are exact; =~ and !~ are RE2 expressions over the whole value; numbers stand without quotes.
A name with other signs than letters, digits and _ . : / - stands in quotes: logs{"two words"="yes"}.

In the message: |= contains, != contains not, |~ matches anywhere, !~ does not:

    logs{service.name="checkout"} |= "timed out" != "retry"
    logs |~ "took \\\\d{4,} ms"

Anywhere, in any case: plain words, or | search:

    timeout payment -retry
    logs{service.name="checkout"} | search "timed out"

Alternatives:

    logs{log_level="error"} or logs{status >= 500}

Messages that are JSON or logfmt become labels by a stage, and those can be asked for behind it:

    logs | json | request.method="POST"
    logs | logfmt | duration > 1s

Numbers (for count_logs):

    count(logs{log_level="error"})
    count by (service.name) (logs{log_level="error"})
    topk(5, count by (path) (logs))
    avg by (service.name) (logs | unwrap duration_ms)
    quantile(0.95, logs{service.name="checkout"} | unwrap duration_ms)
    count(logs{log_level="error"}) / count(logs)
    count_distinct(logs | unwrap user.id)
`
