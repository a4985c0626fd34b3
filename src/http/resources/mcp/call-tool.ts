/** One call of a tool: its arguments checked, its answer as text; what a model can mend is a tool's error. */

import { ProblemError } from '../../../problems.ts'
import { checkBody } from '../../../schema/check.ts'
import type { BrowserHeaders } from '../../access/own-page.ts'
import { internalProblem } from '../../reply/reply.ts'
import type { JsonRequest } from '../../route.ts'
import { boundsOf } from '../query/bounds.ts'
import { Budget } from './budget.ts'
import { toolError } from './errors.ts'
import type { McpDependencies } from './mcp.ts'
import { PageLinks } from './page-links.ts'
import type { Tool, ToolContext } from './tool.ts'

/** What of a request a call needs. */
export type CallingRequest = Pick<JsonRequest, 'caller' | 'browser' | 'signal'>

export type Arguments = Readonly<Record<string, unknown>>

export interface Call {
  readonly tool: Tool
  readonly args: Arguments
  /** Aborts when nobody waits for the answer any more. */
  readonly signal: AbortSignal
}

export interface Called {
  readonly json: string
  readonly isError: boolean
}

/** Rejects with nothing: what is no problem of the caller's is logged, and told as such. */
export async function callTool(
  { tool, args, signal }: Call,
  request: CallingRequest,
  dependencies: McpDependencies,
): Promise<Called> {
  try {
    const asked = readArguments(tool, args)
    const context = contextOf(asked, signal, request, dependencies)
    const answer = await tool.call(asked as never, context)
    return { json: JSON.stringify(answer), isError: false }
  } catch (error) {
    const isGone = signal.aborted || request.signal().aborted
    const problem = error instanceof ProblemError ? error : internalProblem
    if (problem === internalProblem && !isGone) {
      dependencies.logger.error({ err: error, tool: tool.name }, 'request failed')
    }
    return { json: JSON.stringify(toolError(problem, args)), isError: true }
  }
}

/** Throws `field_invalid`, also for an argument that the tool has not: a misspelt one would do nothing. */
export function readArguments({ name, schema }: Tool, args: Arguments): { maxTokens?: number } {
  const names = Object.keys(schema.properties)
  const unknown = Object.keys(args).find(one => !names.includes(one))
  if (unknown !== undefined) {
    const detail = `"${unknown.slice(0, 64)}" is no argument of ${name}; it has ${names.join(', ')}`
    throw new ProblemError('field_invalid', detail, { field: unknown.slice(0, 64) })
  }
  return checkBody(schema, args)
}

function linksOf(browser: BrowserHeaders, { publicUrl, tlsCert }: McpDependencies['config']) {
  if (publicUrl !== undefined) return new PageLinks(publicUrl)
  return PageLinks.beside(browser, tlsCert !== undefined)
}

function contextOf(
  { maxTokens }: { maxTokens?: number },
  signal: AbortSignal,
  { caller, browser, signal: clientSignal }: CallingRequest,
  { store, catalog, config, runner }: McpDependencies,
): ToolContext {
  const given = () => AbortSignal.any([signal, clientSignal()])
  return {
    store,
    dashboards: catalog.dashboards,
    links: linksOf(browser, config),
    now: Date.now(),
    budget: new Budget(maxTokens),
    run: work => runner.run(work, boundsOf({ caller, signal: given }, undefined, config)),
  }
}
