/** All tools, in the order in which a model reads of them. */

import type { Tool } from './tool.ts'
import { countLogs } from './tools/count-logs.ts'
import { getDashboard, listDashboards, saveDashboard } from './tools/dashboards.ts'
import { findPatterns } from './tools/find-patterns.ts'
import { getTrace } from './tools/get-trace.ts'
import { listFields } from './tools/list-fields.ts'
import { listValues } from './tools/list-values.ts'
import { logContext } from './tools/log-context.ts'
import { searchLogs } from './tools/search-logs.ts'
import { whatChanged } from './tools/what-changed.ts'

export const tools: readonly Tool[] = [
  listFields,
  listValues,
  findPatterns,
  whatChanged,
  searchLogs,
  countLogs,
  logContext,
  getTrace,
  listDashboards,
  getDashboard,
  saveDashboard,
]
