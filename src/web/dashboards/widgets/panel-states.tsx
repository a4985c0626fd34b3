/** What a widget shows instead of its content, in little room. */

import type { ComponentChildren } from 'preact'
import { ApiProblem } from '../../api/problem.ts'
import { mistakeOf } from '../../query/mistake.ts'
import { QueryText } from '../../query/query-text.tsx'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { explain } from '../../ui/states.tsx'

export function PanelNote({ children }: { readonly children: ComponentChildren }) {
  return <p class="panel-note soft">{children}</p>
}

interface PanelErrorProps {
  readonly error: unknown
  /** The query that failed; its place is underlined. */
  readonly query?: string
  onRetry?(): void
}

export function PanelError({ error, query, onRetry }: PanelErrorProps) {
  const { title, detail } = explain(error)
  const problem = error instanceof ApiProblem && error.position !== undefined ? error : undefined
  return (
    <div class="panel-error fill small" role="alert">
      <p>
        <Icon name="warning" />
        <strong>{title}</strong>
      </p>
      {query !== undefined && problem !== undefined && (
        <QueryText text={query} mistake={mistakeOf(problem)} />
      )}
      <p>{detail}</p>
      {onRetry && problem === undefined && (
        <Button isSmall kind="outline" icon="refresh" onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  )
}
