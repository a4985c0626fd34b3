/** The document's words on the service itself, on this description of it, and on its page. */

import { Type } from 'typebox'
import { reasonNames } from '../../health.ts'
import { jsonAnswer, type Operation, textAnswer } from './operation.ts'

const reasons = Type.Optional(
  Type.Array(Type.String(), {
    description: `What is wrong, each thing beginning with its name: ${reasonNames.join(', ')}.`,
  }),
)

const health = Type.Object({
  status: Type.Union([Type.Literal('ok'), Type.Literal('degraded')]),
  reasons,
})

const ready = Type.Object({ status: Type.Literal('ready'), reasons })

export const serviceOperations = {
  live: {
    id: 'health',
    tag: 'Service',
    summary: 'Whether the process answers',
    description:
      'It is `degraded`, and says why, while anything is wrong; each reason goes by itself when it is over.',
    answers: { 200: jsonAnswer('It does.', health, { status: 'ok' }) },
    sample: {},
  },

  ready: {
    id: 'ready',
    tag: 'Service',
    summary: 'Whether an event would be taken',
    description:
      'If not, the problem has `reasons`, as the health has. It is ready again by itself. What is wrong but keeps no event from being taken stands in `reasons` of the answer.',
    answers: { 200: jsonAnswer('It would.', ready, { status: 'ready' }) },
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
