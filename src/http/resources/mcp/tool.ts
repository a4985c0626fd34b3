/** What a tool is that an assistant may call, and what it works with. */

import { type Static, type TObject, type TProperties, Type } from 'typebox'
import type { Role } from '../../../catalog/roles.ts'
import { limits } from '../../../limits.ts'
import type { Timestamp } from '../../../record.ts'
import type { CatalogDoor, StoreDoor } from '../../dependencies.ts'
import type { Budget } from './budget.ts'
import type { PageLinks } from './page-links.ts'

/** What one call has. */
export interface ToolContext {
  readonly store: StoreDoor
  readonly dashboards: CatalogDoor['dashboards']
  readonly links: PageLinks
  /** When the call came: what relative times are read against. */
  readonly now: Timestamp
  /** What the answer may take. */
  readonly budget: Budget
  /** Runs a question within the bounds of every query. Throws as `QueryRunner` does. */
  run<T>(work: (stop: AbortSignal) => Promise<T>): Promise<T>
}

export interface Tool {
  readonly name: string
  /** For people. */
  readonly title: string
  /** For the model: what it is for, and what to do first. */
  readonly description: string
  /** Who may call it, and sees that it is there. */
  readonly access: Role
  readonly isReadOnly: boolean
  /** Whether what it changes may have been something before. */
  readonly isDestructive: boolean
  readonly schema: TObject
  /** `asked` is as the schema says. Throws ProblemError, which the model is told. */
  call(asked: never, context: ToolContext): Promise<object>
}

interface ToolOptions<P extends TProperties>
  extends Pick<Tool, 'name' | 'title' | 'description'>,
    Partial<Pick<Tool, 'access' | 'isReadOnly' | 'isDestructive'>> {
  readonly parameters: P
  call(asked: Static<TObject<P>>, context: ToolContext): Promise<object>
}

/** For viewers and without effect, unless it says otherwise. */
export function tool<P extends TProperties>(options: ToolOptions<P>): Tool {
  const { parameters, access = 'viewer', isReadOnly = true, isDestructive = false } = options
  const schema = Type.Object({ ...parameters, maxTokens })
  return { ...options, access, isReadOnly, isDestructive, schema }
}

const maxTokens = Type.Optional(
  Type.Integer({
    minimum: limits.mcpTokensMin,
    maximum: limits.mcpTokensMax,
    default: limits.mcpTokensDefault,
    description: `an integer between ${limits.mcpTokensMin} and ${limits.mcpTokensMax}: how large the answer may be, in tokens; ${limits.mcpTokensDefault} when absent`,
  }),
)
