/**
 * The numbers of the fields that are read of OTLP's messages in protobuf, and of those that are
 * answered.
 *
 * Source: github.com/open-telemetry/opentelemetry-proto, files `logs/v1/logs.proto`,
 * `common/v1/common.proto`, `resource/v1/resource.proto`, `collector/logs/v1/logs_service.proto`
 * below `opentelemetry/proto/`; and google.rpc.Status. Numbers of fields never change their
 * meaning. What is not here is skipped: schema URLs, trace flags, and whatever comes in the
 * future.
 */

export const fields = {
  exportRequest: { resourceLogs: 1 },
  resourceLogs: { resource: 1, scopeLogs: 2 },
  resource: { attributes: 1 },
  scopeLogs: { scope: 1, logRecords: 2 },
  scope: { name: 1, version: 2, attributes: 3 },
  logRecord: {
    timeUnixNano: 1,
    severityNumber: 2,
    severityText: 3,
    body: 5,
    attributes: 6,
    droppedAttributesCount: 7,
    traceId: 9,
    spanId: 10,
    observedTimeUnixNano: 11,
    eventName: 12,
  },
  keyValue: { key: 1, value: 2 },
  anyValue: {
    stringValue: 1,
    boolValue: 2,
    intValue: 3,
    doubleValue: 4,
    arrayValue: 5,
    kvlistValue: 6,
    bytesValue: 7,
  },
  /** Of an array of values and of a list of keys with values alike. */
  list: { values: 1 },

  exportResponse: { partialSuccess: 1 },
  partialSuccess: { rejectedLogRecords: 1, errorMessage: 2 },
  status: { code: 1, message: 2 },
} as const
