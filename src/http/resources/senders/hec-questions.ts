/** What clients of Splunk's HTTP Event Collector ask beside their events: is it well, and what is on disk. */

import { Type } from 'typebox'
import { stoppingEvents } from '../../../health.ts'
import { parseEvent } from '../../../ingest/json.ts'
import { opened } from '../../../ingest/sealed-body.ts'
import { checkBody } from '../../../schema/check.ts'
import { jsonAnswer } from '../../openapi/operation.ts'
import { jsonReply } from '../../reply/reply.ts'
import type { DescribedRoute } from '../../route.ts'
import { hecAnswerSchema, hecErrors, hecWords } from './hec-answers.ts'
import type { SenderDependencies } from './sender.ts'

export function hecQuestions(dependencies: SenderDependencies): readonly DescribedRoute[] {
  return [
    healthAt('/services/collector/health', 'askHecHealth', dependencies),
    healthAt('/services/collector/health/1.0', 'askHecHealthVersioned', dependencies),
    acknowledgements(dependencies),
  ]
}

function healthAt(path: string, id: string, { health }: SenderDependencies): DescribedRoute {
  return {
    method: 'GET',
    path,
    access: 'open',
    body: 'none',
    errors: hecErrors,
    about: {
      id,
      tag: 'Senders',
      summary: 'Whether events are taken, as Splunk says it',
      answers: {
        200: jsonAnswer('They are.', hecAnswerSchema, hecWords.healthy),
        503: jsonAnswer('They are not: try again later.', hecAnswerSchema, hecWords.unhealthy),
      },
    },
    async handle() {
      const hindrances = stoppingEvents(await health.reasons())
      const isWell = hindrances.length === 0
      return isWell ? jsonReply(hecWords.healthy) : jsonReply(hecWords.unhealthy, 503)
    },
  }
}

const acksSchema = Type.Object({
  acks: Type.Array(Type.Integer({ minimum: 0 }), {
    maxItems: 100_000,
    description: 'Numbers of requests, as their answers gave them.',
  }),
})

/** Whoever has a number had it with an answer, and was answered when the events were on disk. */
function acknowledgements({ config }: SenderDependencies): DescribedRoute {
  return {
    method: 'POST',
    path: '/services/collector/ack',
    access: 'ingestion-token',
    body: 'ingest',
    contentTypes: undefined,
    bodyBytesMax: config.eventBytesMax,
    errors: hecErrors,
    about: {
      id: 'askHecAcks',
      tag: 'Senders',
      summary: 'Whether events are on disk, as Splunk says it',
      description: 'They are, whenever their `ackId` was answered.',
      body: {
        contents: { 'application/json': { schema: acksSchema, example: { acks: [0, 1] } } },
      },
      answers: {
        200: jsonAnswer(
          'For each number, whether its events are on disk.',
          Type.Object({ acks: Type.Record(Type.String(), Type.Literal(true)) }),
          { acks: { 0: true, 1: true } },
        ),
      },
      sample: { body: { acks: [0] } },
    },
    handle({ body }) {
      const { acks } = checkBody(acksSchema, parseEvent(opened(body)))
      return jsonReply({ acks: Object.fromEntries(acks.map(id => [id, true])) })
    },
  }
}
