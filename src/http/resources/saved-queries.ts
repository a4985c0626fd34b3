/** Saved queries over HTTP: save, list, delete. */

import type { HttpDependencies } from '../dependencies.ts'
import { jsonReply, noContent, type Reply } from '../reply/reply.ts'
import type { JsonRequest, PlainRequest } from '../routes.ts'

export function savedQueryHandlers({ catalog }: Pick<HttpDependencies, 'catalog'>) {
  const { savedQueries } = catalog
  return {
    async save({ body }: JsonRequest): Promise<Reply> {
      return jsonReply(await savedQueries.save(body))
    },

    list(): Reply {
      return jsonReply({ savedQueries: savedQueries.list() })
    },

    async remove({ pathParameter }: PlainRequest): Promise<Reply> {
      await savedQueries.delete(pathParameter('id'))
      return noContent
    },
  }
}
