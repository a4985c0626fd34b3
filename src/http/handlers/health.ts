/** For whoever watches over the service: is it up, does it take work, what does it count. */

import { limits } from '../../limits.ts'
import { ProblemError } from '../../problems.ts'
import type { HttpDependencies } from '../dependencies.ts'
import { jsonReply, type Reply } from '../reply.ts'

const live = jsonReply({ status: 'ok' })
const ready = jsonReply({ status: 'ready' })

export function healthHandlers({
  metrics,
  isReady,
  lastCommitMs,
}: Pick<HttpDependencies, 'metrics' | 'isReady' | 'lastCommitMs'>) {
  return {
    /** Always 200: a service that is slow is not helped by being restarted. */
    live(): Reply {
      const commitMs = lastCommitMs()
      if (commitMs < limits.slowCommitMs) return live
      const seconds = (commitMs / 1_000).toFixed(1)
      const reasons = [`the disk is slow: the last write of events took ${seconds} s or more`]
      return jsonReply({ status: 'degraded', reasons })
    },

    ready(): Reply {
      if (!isReady()) {
        const detail = 'events are not taken and queries not answered at present'
        throw new ProblemError('not_ready', detail, { retryAfterSeconds: 1 })
      }
      return ready
    },

    async metrics(): Promise<Reply> {
      return { status: 200, contentType: metrics.contentType, body: await metrics.text() }
    },
  }
}
