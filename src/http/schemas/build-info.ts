/** What Grafana asks of data sources before all else: which version of which API is spoken. */

import { Type } from 'typebox'

export const buildInfoFields = {
  version: Type.String({ description: 'Of the API that is spoken.' }),
  revision: Type.String(),
  branch: Type.String(),
  buildUser: Type.String(),
  buildDate: Type.String(),
  goVersion: Type.String(),
}

/** Nothing but the version means anything here; clients ask for the rest to be there. */
export function buildInfo(version: string) {
  return { version, revision: '', branch: '', buildUser: '', buildDate: '', goVersion: '' }
}
