/** The decoders of all protocols, by name: a name goes to the threads of the pool, a function could not. */

import { readOtlp } from '../otlp/read-otlp.ts'
import { readEventBatch } from '../read-event-batch.ts'
import { bulk } from './bulk.ts'
import { datadog } from './datadog.ts'
import type { Format } from './format.ts'
import { forward } from './forward.ts'
import { gelf } from './gelf.ts'
import { hec } from './hec.ts'
import { journald } from './journald/journald.ts'
import { lines } from './lines.ts'
import { lokiJson } from './loki-json.ts'
import { lokiProtobuf } from './loki-protobuf.ts'

const events: Format = { encodedPerByte: 1, read: readEventBatch }

const otlpJson: Format = {
  encodedPerByte: 1,
  read: (body, context) => readOtlp(body, 'json', context),
}

const otlpProtobuf: Format = {
  encodedPerByte: 3,
  read: (body, context) => readOtlp(body, 'protobuf', context),
}

export type FormatName =
  | 'events'
  | 'lines'
  | 'otlp-json'
  | 'otlp-protobuf'
  | 'hec'
  | 'bulk'
  | 'datadog'
  | 'gelf'
  | 'loki-json'
  | 'loki-protobuf'
  | 'forward'
  | 'journald'

export const formats: Readonly<Record<FormatName, Format>> = {
  events,
  lines,
  'otlp-json': otlpJson,
  'otlp-protobuf': otlpProtobuf,
  hec,
  bulk,
  datadog,
  gelf,
  'loki-json': lokiJson,
  'loki-protobuf': lokiProtobuf,
  forward,
  journald,
}
