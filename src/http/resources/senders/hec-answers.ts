/**
 * What Splunk's HTTP Event Collector answers: a text and a code, which its clients tell apart.
 *
 * Source: Splunk Enterprise 9.4, "Troubleshoot HTTP Event Collector", possible error codes.
 */

import { Type } from 'typebox'
import type { ProblemCode, ProblemError } from '../../../problems.ts'
import { jsonErrors } from '../../reply/error-form.ts'

interface HecWords {
  readonly text: string
  readonly code: number
}

export const hecWords = {
  success: { text: 'Success', code: 0 },
  tokenRequired: { text: 'Token is required', code: 2 },
  tokenInvalid: { text: 'Invalid token', code: 4 },
  noData: { text: 'No data', code: 5 },
  invalid: { text: 'Invalid data format', code: 6 },
  internal: { text: 'Internal server error', code: 8 },
  busy: { text: 'Server is busy', code: 9 },
  eventRequired: { text: 'Event field is required', code: 12 },
  healthy: { text: 'HEC is healthy', code: 17 },
  unhealthy: { text: 'HEC is unhealthy, queues are full', code: 18 },
  stopping: { text: 'Server is shutting down', code: 23 },
  tooLarge: { text: 'Request entity too large', code: 27 },
} as const satisfies Readonly<Record<string, HecWords>>

interface HecRefusal {
  readonly status: number
  readonly words: HecWords
}

const busy = { status: 503, words: hecWords.busy }

/** What has other words than "Invalid data format" with the status of the problem. */
const refusals: Partial<Record<ProblemCode, HecRefusal>> = {
  credential_missing: { status: 401, words: hecWords.tokenRequired },
  credential_invalid: { status: 403, words: hecWords.tokenInvalid },
  credential_failures_too_many: { status: 429, words: hecWords.tokenInvalid },
  body_empty: { status: 400, words: hecWords.noData },
  body_too_large: { status: 413, words: hecWords.tooLarge },
  internal: { status: 500, words: hecWords.internal },
  ingest_overloaded: busy,
  journal_full: busy,
  storage_full: busy,
  storage_failed: busy,
  not_ready: busy,
  stopping: { status: 503, words: hecWords.stopping },
}

function refusalOf({ code, status, extras }: ProblemError): HecRefusal {
  const isEventMissing = extras.field === 'event'
  const words = isEventMissing ? hecWords.eventRequired : hecWords.invalid
  return refusals[code] ?? { status, words }
}

export const hecAnswerSchema = Type.Object(
  {
    text: Type.String({ description: 'What `code` means, in the words of Splunk.' }),
    code: Type.Integer({ description: '0 is success.' }),
    'invalid-event-number': Type.Optional(
      Type.Integer({ description: 'The first event that was refused, from 0.' }),
    ),
    ackId: Type.Optional(Type.Integer({ description: 'There when a channel was named.' })),
    detail: Type.Optional(Type.String({ description: 'What was expected and what came.' })),
  },
  { $id: 'HecAnswer', description: "An answer of Splunk's HTTP Event Collector." },
)

export const hecErrors = jsonErrors({
  schema: hecAnswerSchema,
  statusOf: error => refusalOf(error).status,
  documentOf(error) {
    const where = error.code === 'events_unreadable' ? { 'invalid-event-number': 0 } : {}
    return { ...refusalOf(error).words, ...where, detail: error.placedMessage }
  },
})
