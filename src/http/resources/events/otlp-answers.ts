/**
 * Answers in OTLP's form, in the encoding in which the request came: JSON, or protobuf.
 *
 * A success names what was refused in `partialSuccess`; an error is a google.rpc.Status, whose
 * message begins with the problem's code. See "OTLP/HTTP Response" in OpenTelemetry's
 * specification of OTLP.
 */

import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire'
import { Type } from 'typebox'
import type { IngestBatchResult } from '../../../ingest/ingest.ts'
import { fields } from '../../../ingest/otlp/fields.ts'
import type { OtlpEncoding } from '../../../ingest/otlp/read-otlp.ts'
import type { ProblemError } from '../../../problems.ts'
import type { ErrorForm } from '../../reply/error-form.ts'
import { jsonReply, problemHeaders, type Reply } from '../../reply/reply.ts'

export const otlpContentTypes = {
  json: 'application/json',
  protobuf: 'application/x-protobuf',
} as const

/** Of what is neither, JSON: people can read it. */
export function otlpEncodingOf(contentType: string): OtlpEncoding {
  const type = contentType.split(';', 1)[0]!.trim().toLowerCase()
  return type === otlpContentTypes.protobuf ? 'protobuf' : 'json'
}

/** An ExportLogsServiceResponse: empty when nothing was refused, as OTLP wants it. */
export function exportReply(
  { rejected, errors }: IngestBatchResult,
  encoding: OtlpEncoding,
): Reply {
  if (rejected === 0) return encoding === 'json' ? jsonReply({}) : protobufReply(new BinaryWriter())
  const errorMessage = refusals(rejected, errors)
  if (encoding === 'json') {
    // Integers of 64 bits are text in protobuf's JSON.
    return jsonReply({ partialSuccess: { rejectedLogRecords: String(rejected), errorMessage } })
  }
  const { rejectedLogRecords, errorMessage: message } = fields.partialSuccess
  const response = new BinaryWriter()
    .tag(fields.exportResponse.partialSuccess, WireType.LengthDelimited)
    .fork()
    .tag(rejectedLogRecords, WireType.Varint)
    .int64(rejected)
    .tag(message, WireType.LengthDelimited)
    .string(errorMessage)
    .join()
  return protobufReply(response)
}

function refusals(rejected: number, errors: IngestBatchResult['errors']): string {
  const { index, code, detail } = errors[0]!
  return `${rejected} refused, the first at index ${index}: ${code}: ${detail}`
}

/** google.rpc.Code by HTTP status; those that are absent are INVALID_ARGUMENT. */
const statusCodes: Readonly<Record<number, number>> = {
  401: 16, // UNAUTHENTICATED
  404: 5, // NOT_FOUND
  405: 12, // UNIMPLEMENTED
  429: 8, // RESOURCE_EXHAUSTED
  500: 13, // INTERNAL
  503: 14, // UNAVAILABLE
}
const invalidArgument = 3

/** `headers` come after those that the problem itself asks for. */
function problemReply(
  error: ProblemError,
  encoding: OtlpEncoding,
  headers: Reply['headers'] = [],
): Reply {
  const { status } = error
  const code = statusCodes[status] ?? invalidArgument
  const message = `${error.code}: ${error.placedMessage}`
  const document =
    encoding === 'json'
      ? jsonReply({ code, message }, status)
      : protobufReply(statusMessage(code, message), status)
  return { ...document, headers: [...problemHeaders(error), ...headers] }
}

function statusMessage(code: number, message: string): BinaryWriter {
  return new BinaryWriter()
    .tag(fields.status.code, WireType.Varint)
    .int32(code)
    .tag(fields.status.message, WireType.LengthDelimited)
    .string(message)
}

function protobufReply(message: BinaryWriter, status = 200): Reply {
  const body = Buffer.from(message.finish())
  return { status, contentType: otlpContentTypes.protobuf, body }
}

const statusSchema = Type.Object(
  {
    code: Type.Integer({ description: 'Of google.rpc.Code.' }),
    message: Type.String({
      description: 'An [error code](#error-codes), and what was expected and what came.',
    }),
  },
  {
    $id: 'OtlpStatus',
    description: 'Why a request failed: google.rpc.Status, as OTLP has it.',
  },
)

/** What is refused before the handler, too. */
export const otlpErrors: ErrorForm = {
  replyTo(request) {
    const encoding = otlpEncodingOf(request.getHeader('content-type'))
    return (error, headers) => problemReply(error, encoding, headers)
  },
  statusOf: ({ status }) => status,
  contents: {
    'application/json': { schema: statusSchema },
    'application/x-protobuf': { schema: Type.String() },
  },
}
