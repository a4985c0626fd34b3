/** A tool called as it is, on a real store, and its answer as a model gets it. */
import { Budget } from '../../../../src/http/resources/mcp/budget.ts'
import { PageLinks } from '../../../../src/http/resources/mcp/page-links.ts'
import type { Tool, ToolContext } from '../../../../src/http/resources/mcp/tool.ts'
import type { Store } from '../../../../src/store/store.ts'
import { neverAborted } from '../../../store/store-in.ts'
import { catalog } from '../../stand-ins.ts'

export interface Called {
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  readonly answer: any
  /** More than 1: it is larger than was asked for. */
  readonly shareOfBudget: number
}

export async function called(
  tool: Tool,
  asked: { readonly maxTokens?: number },
  store: Pick<Store, 'select'>,
  dashboards: ToolContext['dashboards'] = catalog.dashboards,
): Promise<Called> {
  const budget = new Budget(asked.maxTokens)
  const context: ToolContext = {
    store: store as ToolContext['store'],
    dashboards,
    links: new PageLinks('https://logs.example:7007'),
    now: 1_000,
    budget,
    run: work => work(neverAborted),
  }
  const json = JSON.stringify(await tool.call(asked as never, context))
  const bytes = Buffer.byteLength(json)
  return { answer: JSON.parse(json), shareOfBudget: bytes / budget.bytes }
}

/** The members of all answers that cursors lead to; throws for one larger than asked for, or without end. */
export async function followed(
  tool: Tool,
  asked: { readonly maxTokens?: number },
  store: Pick<Store, 'select'>,
  member: string,
): Promise<unknown[]> {
  const all: unknown[] = []
  for (let cursor: string | undefined, calls = 0; ; calls++) {
    const args = cursor === undefined ? asked : { ...asked, cursor }
    const { answer, shareOfBudget } = await called(tool, args, store)
    if (shareOfBudget > 1)
      throw new Error(`${shareOfBudget} of the budget: ${JSON.stringify(asked)}`)
    if (calls > 5_000) throw new Error(`no end: ${JSON.stringify(asked)}`)
    all.push(...answer[member])
    cursor = answer.nextCursor
    if (cursor === undefined) return all
    if (answer[member].length === 0) throw new Error('a page of nothing, and a cursor')
  }
}
