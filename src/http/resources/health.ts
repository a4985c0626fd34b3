/** For whoever watches over the service: is it up, does it take work, what does it count. */

import { type Reason, reasonTexts, stoppingEvents } from '../../health.ts'
import { ProblemError } from '../../problems.ts'
import type { HttpDependencies } from '../dependencies.ts'
import { jsonReply, type Reply } from '../reply/reply.ts'

export function healthHandlers({ metrics, health }: Pick<HttpDependencies, 'metrics' | 'health'>) {
  return {
    /** Always 200: a service that is slow, or whose disk is full, is not helped by being restarted. */
    async live(): Promise<Reply> {
      const reasons = await health.reasons()
      return jsonReply({ status: reasons.length === 0 ? 'ok' : 'degraded', ...given(reasons) })
    },

    async ready(): Promise<Reply> {
      const reasons = await health.reasons()
      const hindrances = reasonTexts(stoppingEvents(reasons))
      if (hindrances.length === 0) return jsonReply({ status: 'ready', ...given(reasons) })
      throw new ProblemError('not_ready', `no events are taken: ${hindrances.join('; ')}`, {
        retryAfterSeconds: 1,
        members: given(reasons),
      })
    },

    async metrics(): Promise<Reply> {
      return { status: 200, contentType: metrics.contentType, body: await metrics.text() }
    },
  }
}

/** The member of an answer that says what is wrong; none when nothing is. */
function given(reasons: readonly Reason[]): { reasons?: string[] } {
  return reasons.length === 0 ? {} : { reasons: reasonTexts(reasons) }
}
