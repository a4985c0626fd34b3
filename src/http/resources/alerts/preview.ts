/** What a rule would have done. */

import { Type } from 'typebox'
import { previewSchema } from '../../../alerts/preview.ts'
import { ruleSchema } from '../../../alerts/rule.ts'
import { limits } from '../../../limits.ts'
import { checkBody } from '../../../schema/check.ts'
import { dayMs } from '../../../time-units.ts'
import type { HttpDependencies } from '../../dependencies.ts'
import { bodyLike, described, jsonAnswer } from '../../openapi/operation.ts'
import { queryProblems } from '../../openapi/route-problems.ts'
import { jsonReply } from '../../reply/reply.ts'
import type { DescribedRoute } from '../../route.ts'
import { boundsOf, type QueryDependencies } from '../query/bounds.ts'
import { recordsFields, recordsMeanings } from '../query/records-request.ts'
import { ruleMeaningsAt, sampleRule } from './rules.ts'

const { startTime, endTime, timeoutMs } = recordsFields

const bodySchema = Type.Object({
  rule: ruleSchema,
  startTime: Type.Optional(startTime),
  endTime: Type.Optional(endTime),
  timeoutMs,
})

/** The rule is for the alerts to check. */
const askedSchema = Type.Object({ ...bodySchema.properties, rule: Type.Unknown() })

export function previewRoute({
  alerts,
  config,
  runner,
}: Pick<HttpDependencies, 'alerts'> & QueryDependencies): DescribedRoute {
  return {
    method: 'POST',
    path: '/api/v1/alerts/preview',
    access: 'viewer',
    body: 'json',
    about: {
      id: 'previewAlertRule',
      tag: 'Alerts',
      summary: 'What a rule would have done',
      description: `The rule is evaluated at each moment of the range at which it would have been, with nothing active before,
and not saved. At most ${limits.alertPreviewRunsMax} moments: the last of the range, when there are more.`,
      body: described(
        bodySchema,
        {
          rule: 'A rule as it is saved; it need not be.',
          startTime: 'Begin of the range; a day before its end when absent.',
          endTime: 'End of the range; now when absent.',
          timeoutMs: recordsMeanings.timeoutMs,
        },
        ruleMeaningsAt('rule.'),
      ),
      answers: { 200: jsonAnswer('What would have fired.', previewSchema) },
      problems: queryProblems,
      sample: { body: bodyLike(bodySchema, { rule: sampleRule }) },
    },
    async handle(request) {
      const asked = checkBody(askedSchema, request.body)
      const { endTime = Date.now(), startTime = endTime - dayMs } = asked
      const bounds = boundsOf(request, asked.timeoutMs, config)
      const range = { startTime, endTime }
      return jsonReply(await runner.run(stop => alerts.preview(asked.rule, range, stop), bounds))
    },
  }
}
