/** Dashboards: which there are, what one shows, and, for editors, changing them. */

import { Type } from 'typebox'
import { parseEvent } from '../../../../ingest/json.ts'
import { limits } from '../../../../limits.ts'
import { ProblemError } from '../../../../problems.ts'
import { shownTime } from '../asked-range.ts'
import type { Budget } from '../budget.ts'
import { countBefore, printCursor, readCursor } from '../cursor.ts'
import { fitList } from '../fit-list.ts'
import { linkTo } from '../page-links.ts'
import { cursorParameter } from '../query-parameters.ts'
import { type ToolContext, tool } from '../tool.ts'

export const listDashboards = tool({
  name: 'list_dashboards',
  title: 'List dashboards',
  description: 'All dashboards by folder, then by title, each with the address that shows it.',
  parameters: cursorParameter,
  async call(asked, { dashboards, links, budget }) {
    const all = dashboards.list().map(({ id, title, folderPath, updatedAt }) => ({
      ...{ id, title, folderPath },
      updatedAt: shownTime(updatedAt),
      open: links.dashboard(id),
    }))
    const fitting = { budget, before: countBefore(readCursor(asked.cursor)) }
    const { given, ...more } = fitList(all, fitting)
    return { dashboardCount: all.length, dashboards: given, ...more }
  },
})

const idParameter = Type.String({ description: 'the "id" of a dashboard in list_dashboards' })

export const getDashboard = tool({
  name: 'get_dashboard',
  title: 'Read a dashboard',
  description: `What a dashboard is made of, as JSON, and its version, which save_dashboard wants. One that is larger
than the answer comes as "part", a piece of its JSON's text; with "nextCursor" comes the next piece.`,
  parameters: { id: idParameter, ...cursorParameter },
  async call({ id, cursor }, { dashboards, links, budget }) {
    const { text, version } = dashboards.getStored(id)
    const open = linkTo(links.dashboard(id), budget)
    const from = countBefore(readCursor(cursor))
    const dashboard = from === 0 ? parseEvent(Buffer.from(text)) : undefined
    if (dashboard !== undefined && budget.take(dashboard)) return { id, version, dashboard, open }
    const part = partOf(text, from, budget)
    const next = from + part.length
    const isLast = next >= text.length
    const nextCursor = printCursor({ range: undefined, next: `${next}` })
    return { id, version, part, ...(!isLast && { nextCursor }), open }
  },
})

/** As much of a text as fits, cut between characters. */
function partOf(text: string, from: number, budget: Budget): string {
  let length = Math.min(text.length - from, budget.leftBytes)
  for (;;) {
    const part = text.slice(from, from + length)
    const whole = length > 1 ? part.replace(/[\ud800-\udbff]$/, '') : part
    if (budget.take(whole) || length <= 2) return whole
    length = Math.floor((length * 2) / 3)
  }
}

export const saveDashboard = tool({
  name: 'save_dashboard',
  title: 'Create or replace a dashboard',
  description: `Stores a dashboard as a whole. Read one with get_dashboard first: it shows the form. To change one that
is there, read it, change its JSON, and send it with "version"; nothing is stored if somebody else has changed it
meanwhile. A widget is {type, position: {type: "absolute", absolute: {x, y, w, h}}, …} on a grid 12 wide, with what it
shows under the key named as its type: chart, stat, gauge, log, markdown, group. Try each query with count_logs or
search_logs before.`,
  access: 'editor',
  isReadOnly: false,
  isDestructive: true,
  parameters: {
    dashboard: Type.Object(
      {},
      {
        description:
          'an object of "metadata" (with "id", "title", "folderPath"), "settings" and "content" (with "variables" and "widgets")',
      },
    ),
    version: Type.Optional(
      Type.String({
        description: 'the "version" that get_dashboard gave; absent for a new dashboard',
      }),
    ),
  },
  async call({ dashboard, version }, { dashboards, links }) {
    const known = knownVersion(dashboard, dashboards)
    if (version === undefined && known !== undefined) {
      const detail =
        'a dashboard has this id: send the "version" that get_dashboard gives, or another id'
      throw new ProblemError('dashboard_changed', detail, { field: 'version' })
    }
    const isWanted = version === undefined ? undefined : (stored: string) => stored === version
    const saved = await dashboards.put(dashboard, isWanted)
    return { ...saved, open: links.dashboard(saved.id) }
  },
})

/** Of the dashboard that would be replaced; undefined when there is none. */
function knownVersion(
  dashboard: { readonly metadata?: { readonly id?: unknown } },
  dashboards: ToolContext['dashboards'],
): string | undefined {
  const id = dashboard.metadata?.id
  if (typeof id !== 'string' || id === '' || id.length > limits.dashboardIdLengthMax) return
  try {
    return dashboards.getStored(id).version
  } catch (error) {
    if (error instanceof ProblemError && error.code === 'dashboard_unknown') return undefined
    throw error
  }
}
