/**
 * From what a client sent to the text that is stored.
 *
 * The text is the dashboard: checks are made on the text read back, so that what was checked is
 * what will be returned, and numbers with more digits than a double holds (which callers hand in as
 * `JSON.rawJSON`) keep them all.
 */

import { randomUUID } from 'node:crypto'
import { limits } from '../limits.ts'
import { ProblemError } from '../problems.ts'
import { checkBody, isRawJson } from '../schema/check.ts'
import { withoutNulls } from '../schema/nulls.ts'
import { dashboardSchema } from './dashboard-schema.ts'

export interface DashboardText {
  readonly id: string
  readonly title: string
  readonly folderPath: string
  /** JSON, with `metadata.id` and `metadata.folderPath` filled in. */
  readonly text: string
}

const folderPathDefault = '/dashboards/default/'
/** The name of the field in the request's body, with which every refusal's path begins. */
const fieldName = 'dashboard'

/** Throws `field_invalid`, `json_too_deep` or `body_too_large`, each with the field. */
export function writeDashboard(asSent: unknown): DashboardText {
  if (typeof asSent !== 'object' || asSent === null) {
    checkBody(dashboardSchema, asSent, fieldName) // Throws, in the words of every refusal.
  }
  checkDepth(asSent)
  const dashboard = withoutNulls(dashboardSchema, asSent)
  const sentText = JSON.stringify(dashboard)
  checkSize(sentText)
  const sent = checkBody(dashboardSchema, JSON.parse(sentText), fieldName)

  const { id = randomUUID(), folderPath = folderPathDefault } = sent.metadata ?? {}
  const title = sent.metadata?.title ?? sent.content?.title ?? ''
  const isComplete = sent.metadata?.id !== undefined && sent.metadata.folderPath !== undefined
  const text = isComplete ? sentText : JSON.stringify(fillIn(dashboard, { id, folderPath }))
  checkSize(text)
  return { id, title, folderPath, text }
}

/** Spreading keeps own keys such as `__proto__` as they are, and each key's place. */
function fillIn(dashboard: unknown, filled: { id: string; folderPath: string }): object {
  const { metadata } = dashboard as { metadata?: object }
  return { ...(dashboard as object), metadata: { ...metadata, ...filled } }
}

function checkSize(text: string): void {
  const bytes = Buffer.byteLength(text)
  if (bytes > limits.dashboardBytesMax) {
    const detail = `a dashboard must be at most ${limits.dashboardBytesMax} bytes, was ${bytes}`
    throw new ProblemError('body_too_large', detail, { field: fieldName })
  }
}

/** Goes level by level, not by recursion: the point is not to run out of stack. */
function checkDepth(dashboard: unknown): void {
  let level: unknown[] = [dashboard]
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > limits.dashboardDepthMax) {
      const detail = `a dashboard must be nested at most ${limits.dashboardDepthMax} levels deep`
      throw new ProblemError('json_too_deep', detail, { field: fieldName })
    }
    level = level.flatMap(value => Object.values(value as object)).filter(isNesting)
  }
}

function isNesting(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !isRawJson(value)
}
