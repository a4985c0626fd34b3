/** Behind the settings page: ingestion tokens and API keys, for admins only, and how storage stands. */

import type { HttpDependencies } from '../dependencies.ts'
import { jsonReply, noContent, type Reply } from '../reply/reply.ts'
import type { JsonRequest, PlainRequest } from '../routes.ts'
import { storageFigures } from './storage-figures.ts'

export function settingsHandlers({
  catalog,
  config,
  store,
  diskFigures,
  metrics,
  health,
}: Pick<HttpDependencies, 'catalog' | 'config' | 'store' | 'diskFigures' | 'metrics' | 'health'>) {
  const { ingestionTokens, apiKeys } = catalog
  return {
    async createToken({ body }: JsonRequest): Promise<Reply> {
      return jsonReply(await ingestionTokens.create(body), 201)
    },

    listTokens(): Reply {
      return jsonReply({ tokens: ingestionTokens.list() })
    },

    showSecret({ pathParameter }: PlainRequest): Reply {
      return jsonReply({ token: ingestionTokens.secret(pathParameter('id')) })
    },

    async removeToken({ pathParameter }: PlainRequest): Promise<Reply> {
      await ingestionTokens.delete(pathParameter('id'))
      return noContent
    },

    async createKey({ body }: JsonRequest): Promise<Reply> {
      return jsonReply(await apiKeys.create(body), 201)
    },

    listKeys(): Reply {
      return jsonReply({ keys: apiKeys.list() })
    },

    async removeKey({ pathParameter }: PlainRequest): Promise<Reply> {
      await apiKeys.delete(pathParameter('id'))
      return noContent
    },

    async showStorage(): Promise<Reply> {
      const [totals, disk, reasons] = await Promise.all([
        metrics.totals(),
        diskFigures(),
        health.reasons(),
      ])
      const now = { time: Date.now(), store: store.stats(), reasons }
      return jsonReply(storageFigures({ ...now, disk, totals, config }))
    },
  }
}
