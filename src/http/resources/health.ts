/** For monitoring: is the service up, does it take work, what does it count. */

import { Type } from 'typebox'
import { type Reason, reasonNames, reasonTexts, stoppingEvents } from '../../health.ts'
import { ProblemError } from '../../problems.ts'
import type { HttpDependencies } from '../dependencies.ts'
import { jsonAnswer, textAnswer } from '../openapi/operation.ts'
import { jsonReply } from '../reply/reply.ts'
import type { DescribedRoute } from '../route.ts'

type Dependencies = Pick<HttpDependencies, 'config' | 'metrics' | 'health'>

export function healthRoutes(dependencies: Dependencies): readonly DescribedRoute[] {
  return [live(dependencies), ready(dependencies), metricsText(dependencies)]
}

const reasonsSchema = Type.Optional(
  Type.Array(Type.String(), {
    description: `What is wrong, each thing beginning with its name: ${reasonNames.join(', ')}.`,
  }),
)

/** The member of an answer that says what is wrong; none when nothing is. */
function given(reasons: readonly Reason[]): { reasons?: string[] } {
  return reasons.length === 0 ? {} : { reasons: reasonTexts(reasons) }
}

/** Always 200: a service that is slow, or whose disk is full, is not helped by being restarted. */
function live({ health }: Dependencies): DescribedRoute {
  const answer = Type.Object({
    status: Type.Union([Type.Literal('ok'), Type.Literal('degraded')]),
    reasons: reasonsSchema,
  })
  return {
    method: 'GET',
    path: '/health',
    access: 'open',
    body: 'none',
    about: {
      id: 'health',
      tag: 'Service',
      summary: 'Whether the process answers',
      description:
        'It is `degraded`, and says why, while anything is wrong; each reason goes by itself when it is over.',
      answers: { 200: jsonAnswer('It does.', answer, { status: 'ok' }) },
      sample: {},
    },
    async handle() {
      const reasons = await health.reasons()
      return jsonReply({ status: reasons.length === 0 ? 'ok' : 'degraded', ...given(reasons) })
    },
  }
}

function ready({ health }: Dependencies): DescribedRoute {
  const answer = Type.Object({ status: Type.Literal('ready'), reasons: reasonsSchema })
  return {
    method: 'GET',
    path: '/ready',
    access: 'open',
    body: 'none',
    about: {
      id: 'ready',
      tag: 'Service',
      summary: 'Whether an event would be taken',
      description:
        'If not, the problem has `reasons`, as the health has. It is ready again by itself. What is wrong but keeps no event from being taken stands in `reasons` of the answer.',
      answers: { 200: jsonAnswer('It would.', answer, { status: 'ready' }) },
      problems: ['not_ready'],
      sample: {},
    },
    async handle() {
      const reasons = await health.reasons()
      const hindrances = reasonTexts(stoppingEvents(reasons))
      if (hindrances.length === 0) return jsonReply({ status: 'ready', ...given(reasons) })
      throw new ProblemError('not_ready', `no events are taken: ${hindrances.join('; ')}`, {
        retryAfterSeconds: 1,
        members: given(reasons),
      })
    },
  }
}

function metricsText({ config, metrics }: Dependencies): DescribedRoute {
  return {
    method: 'GET',
    path: '/metrics',
    access: config.metricsAccess,
    body: 'none',
    about: {
      id: 'metrics',
      tag: 'Service',
      summary: "The service's own metrics",
      description:
        "In Prometheus' text format. Open, or for viewers with `--metrics-access viewer`.",
      answers: { 200: textAnswer('All metrics.', 'text/plain') },
      sample: {},
    },
    handle: async () => ({
      status: 200,
      contentType: metrics.contentType,
      body: await metrics.text(),
    }),
  }
}
