/** Dashboards over HTTP: create or replace, list, show, delete. */

import { Type } from 'typebox'
import { checkBody } from '../../schema/check.ts'
import type { HttpDependencies } from '../dependencies.ts'
import { entityTag, wantedVersion } from '../reply/entity-tag.ts'
import { jsonReply, noContent, type Reply } from '../reply/reply.ts'
import type { JsonRequest, PlainRequest } from '../routes.ts'

/** What stands inside is for the catalog to check. */
export const updateDashboardSchema = Type.Object({ dashboard: Type.Unknown() })

export function dashboardHandlers({ catalog }: Pick<HttpDependencies, 'catalog'>) {
  const { dashboards } = catalog
  return {
    async update({ body, headers }: JsonRequest): Promise<Reply> {
      const { dashboard } = checkBody(updateDashboardSchema, body)
      const { id, version } = await dashboards.put(dashboard, wantedVersion(headers.ifMatch))
      return { ...jsonReply({ id }), headers: [['ETag', entityTag(version)]] }
    },

    list(): Reply {
      return jsonReply({ dashboards: dashboards.list() })
    },

    /** In the form in which it is sent to `update`, and in the very text that was stored. */
    show({ pathParameter }: PlainRequest): Reply {
      const { text, version } = dashboards.getStored(pathParameter('id'))
      const headers = [['ETag', entityTag(version)]] as const
      const body = `{"dashboard":${text}}`
      return { status: 200, contentType: 'application/json', body, headers }
    },

    async remove({ pathParameter }: PlainRequest): Promise<Reply> {
      await dashboards.delete(pathParameter('id'))
      return noContent
    },
  }
}
