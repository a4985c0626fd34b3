/** The document's words on the service itself, on this description of it, and on its page. */

import { Type } from 'typebox'
import { jsonAnswer, type Operation, textAnswer } from './operation.ts'

const statusOf = <S extends string>(status: S) => Type.Object({ status: Type.Literal(status) })

const health = Type.Object({
  status: Type.Union([Type.Literal('ok'), Type.Literal('degraded')]),
  reasons: Type.Optional(Type.Array(Type.String())),
})

export const serviceOperations = {
  live: {
    id: 'health',
    tag: 'Service',
    summary: 'Whether the process answers',
    description:
      'It is `degraded`, and says why, when the last write of events took a second or more.',
    answers: { 200: jsonAnswer('It does.', health, { status: 'ok' }) },
    sample: {},
  },

  ready: {
    id: 'ready',
    tag: 'Service',
    summary: 'Whether events are taken and queries answered',
    answers: { 200: jsonAnswer('They are.', statusOf('ready'), { status: 'ready' }) },
    problems: ['not_ready'],
    sample: {},
  },

  metrics: {
    id: 'metrics',
    tag: 'Service',
    summary: "The service's own figures",
    description: "In Prometheus' text format. Open, or for viewers with `--metrics-access viewer`.",
    answers: { 200: textAnswer('All figures.', 'text/plain') },
    sample: {},
  },

  document: {
    id: 'openapi',
    tag: 'Service',
    summary: 'This API as an OpenAPI 3.1 document',
    answers: {
      200: jsonAnswer('The document.', Type.Object({}, { additionalProperties: true })),
    },
    sample: {},
  },

  docs: {
    id: 'docs',
    tag: 'Service',
    summary: 'This API as a page for people',
    answers: { 200: textAnswer('The page.', 'text/html') },
    sample: {},
  },

  docsStyle: {
    id: 'docsStyle',
    tag: 'Service',
    summary: 'The style of that page',
    answers: { 200: textAnswer('The style.', 'text/css') },
  },
} as const satisfies Record<string, Operation>
