/** How long records are kept: shown to every API key, changed by admins, without a new start. */
import { Type } from 'typebox'
import type { RetentionShown } from '../../catalog/retention.ts'
import { limits } from '../../limits.ts'
import { type Answer, orNever } from '../../schema/answer.ts'
import { checkBody } from '../../schema/check.ts'
import type { Deletion } from '../../store/store.ts'
import type { HttpDependencies } from '../dependencies.ts'
import { bodyLike, described, jsonAnswer } from '../openapi/operation.ts'
import { changeProblems } from '../openapi/route-problems.ts'
import { jsonReply } from '../reply/reply.ts'
import type { DescribedRoute } from '../route.ts'

type RetentionDependencies = Pick<HttpDependencies, 'retention' | 'deletion'>

const path = '/api/v1/settings/retention'

const { retentionAgeMsMin, retentionAgeMsMax, retentionBytesMin, retentionBytesMax } = limits

const changeSchema = Type.Object({
  ageMs: Type.Union(
    [Type.Integer({ minimum: retentionAgeMsMin, maximum: retentionAgeMsMax }), Type.Null()],
    {
      description: `a whole number of milliseconds from ${retentionAgeMsMin} to ${retentionAgeMsMax}, or null`,
    },
  ),
  bytes: Type.Union(
    [Type.Integer({ minimum: retentionBytesMin, maximum: retentionBytesMax }), Type.Null()],
    {
      description: `a whole number of bytes from ${retentionBytesMin} to ${retentionBytesMax}, or null`,
    },
  ),
  isTrial: Type.Optional(Type.Boolean()),
})

const answerSchema = Type.Object({
  ageMs: orNever('Age beyond which records are deleted, ms; null: kept for ever.'),
  bytes: orNever('Bytes of segments beyond which the oldest are deleted; null: no bound.'),
  fixed: Type.Array(Type.Enum(['ageMs', 'bytes']), {
    description:
      'What a flag or the environment sets: it holds instead of what is set here, and another start changes it.',
  }),
  deletes: Type.Object(
    {
      segments: Type.Integer({ minimum: 0 }),
      records: Type.Integer({ minimum: 0, description: 'In them.' }),
      bytes: Type.Integer({ minimum: 0, description: 'Their size.' }),
      earliest: orNever('Time of the earliest of these records; null when there are none.'),
      latest: orNever('Time of the latest of them.'),
    },
    { description: 'What these bounds delete now, in whole segments.' },
  ),
})

export type RetentionAnswer = Answer<typeof answerSchema>

export function retentionRoutes(dependencies: RetentionDependencies): readonly DescribedRoute[] {
  return [show(dependencies), change(dependencies)]
}

function show({ retention, deletion }: RetentionDependencies): DescribedRoute {
  return {
    method: 'GET',
    path,
    access: 'viewer',
    // What flags of the primary fix, it knows alone.
    isOfPrimary: true,
    body: 'none',
    about: {
      id: 'showRetention',
      tag: 'Settings',
      summary: 'How long records are kept',
      answers: { 200: jsonAnswer('The bounds that hold now.', answerSchema) },
      problems: ['primary_unreachable'],
      sample: {},
    },
    handle: async () =>
      jsonReply(answerOf(retention.shown(), await deletion.wouldDelete(retention.bounds()))),
  }
}

function change({ retention, deletion }: RetentionDependencies): DescribedRoute {
  return {
    method: 'PUT',
    path,
    access: 'admin',
    body: 'json',
    about: {
      id: 'changeRetention',
      tag: 'Settings',
      summary: 'Change how long records are kept',
      description: `It holds at once, and after a new start. A bound that \`--retention-age\` or \`--retention-bytes\` sets
(or its environment variable) stays as it is. **Shorter bounds delete records, which cannot be undone**: with
\`isTrial\` nothing changes, and \`deletes\` says what would go.`,
      body: described(changeSchema, {
        ageMs: 'Age beyond which records are deleted, ms; null: kept for ever.',
        bytes: 'Bytes of segments beyond which the oldest are deleted; null: no bound.',
        isTrial: 'Whether it is only asked what would go.',
      }),
      answers: {
        200: jsonAnswer('The bounds, and what they delete as soon as they hold.', answerSchema),
      },
      problems: ['retention_fixed', ...changeProblems],
      sample: { body: bodyLike(changeSchema, { ageMs: null, bytes: null, isTrial: true }) },
    },
    async handle({ body }) {
      const { isTrial = false, ...wanted } = checkBody(changeSchema, body)
      const deletes = await deletion.wouldDelete(retention.check(wanted))
      if (!isTrial) {
        await retention.change(wanted)
        deletion.retentionChanged()
      }
      return jsonReply(answerOf({ ...retention.shown(), ...wanted }, deletes))
    },
  }
}

function answerOf(shown: RetentionShown, { times, ...deletes }: Deletion): RetentionAnswer {
  const { earliest = null, latest = null } = times ?? {}
  return { ...shown, deletes: { ...deletes, earliest, latest } }
}
