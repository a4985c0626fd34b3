/**
 * The table of protocols: which paths and content types each has, which decoder, and how it answers. All
 * take an ingestion token in any form that a client may send it (`access/ingestion-secret.ts`).
 */

import type { DescribedRoute } from '../../route.ts'
import { datadogLogs, datadogValidate } from './datadog.ts'
import { elasticBulk, elasticBulkOfIndex } from './elastic.ts'
import { elasticProbes } from './elastic-probes.ts'
import { gelfMessages } from './gelf.ts'
import { hecEvents, hecLines } from './hec.ts'
import { hecQuestions } from './hec-questions.ts'
import { journaldUpload } from './journald.ts'
import { lokiPush } from './loki-push.ts'
import { routesOf, type Sender, type SenderDependencies } from './sender.ts'

const senders: readonly Sender[] = [
  hecEvents,
  hecLines,
  elasticBulk,
  elasticBulkOfIndex,
  lokiPush,
  datadogLogs,
  gelfMessages,
]

export function senderRoutes(dependencies: SenderDependencies): readonly DescribedRoute[] {
  return [
    ...senders.flatMap(sender => routesOf(sender, dependencies)),
    ...hecQuestions(dependencies),
    ...elasticProbes(),
    journaldUpload(dependencies),
    datadogValidate,
  ]
}
