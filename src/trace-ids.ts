/**
 * Under which names senders log the id of the trace that a record belongs to: the one table, for queries,
 * the page and assistants alike. Nested names are joined by dots, as in every attribute.
 *
 * Names are those of OpenTelemetry (its SDKs' logs, the instrumentations of Python and of Java's MDC),
 * the Elastic Common Schema, Datadog, Google Cloud, Zipkin's headers, Spring, Log4j and Logback, .NET
 * and Serilog, Monolog.
 */

/** The usual first: of a record that has several, the first of them counts. */
export const traceIdNames: readonly string[] = [
  ...['trace_id', 'traceId', 'trace.id', 'traceID', 'traceid', 'TraceId', 'TraceID', '@tr'],
  ...['otelTraceID', 'otelTraceId', 'otel.trace_id', 'trace.trace_id', 'dd.trace_id'],
  ...['context.trace_id', 'context.traceId', 'spanContext.traceId', 'span_context.trace_id'],
  ...['mdc.trace_id', 'mdc.traceId', 'contextMap.trace_id', 'contextMap.traceId'],
  ...['extra.trace_id', 'labels.trace_id', 'Properties.TraceId', 'payload.trace_id'],
  ...['X-B3-TraceId', 'x-b3-traceid', 'logging.googleapis.com/trace'],
]

/** What Google Cloud has in front of an id, as in `projects/shop/traces/06796866`: an RE2 expression. */
export const traceIdPrefix = 'projects/[^/]+/traces/'

const prefix = new RegExp(`^${traceIdPrefix}`)

/** The trace id among some attributes, and the name that it stands under; undefined when there is none. */
export function traceIdIn(
  attributes: Readonly<Record<string, string>>,
): { readonly name: string; readonly traceId: string } | undefined {
  for (const name of traceIdNames) {
    const traceId = Object.hasOwn(attributes, name) ? bareTraceId(attributes[name]!) : ''
    if (traceId !== '') return { name, traceId }
  }
  return undefined
}

/** A trace id without what Google Cloud has in front of it. */
export function bareTraceId(value: string): string {
  return value.replace(prefix, '')
}
