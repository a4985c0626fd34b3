/** For whoever watches over the service: is it up, does it take work, what does it count. */

import { ProblemError } from '../../problems.ts'
import type { HttpDependencies } from '../dependencies.ts'
import { jsonReply, type Reply } from '../reply.ts'

const live = jsonReply({ status: 'ok' })
const ready = jsonReply({ status: 'ready' })

export function healthHandlers({
  metrics,
  isReady,
}: Pick<HttpDependencies, 'metrics' | 'isReady'>) {
  return {
    live(): Reply {
      return live
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
