/** What is common to lists of alerts: reading them, and saying when there is nothing, or it failed. */

import type { ComponentChildren } from 'preact'
import type { Asked } from '../state/request.ts'
import { EmptyState, ErrorState, Progress } from '../ui/states.tsx'

interface ListedProps<T> {
  readonly found: Asked<readonly T[]>
  readonly reading: string
  /** Said when there is none. */
  readonly none: {
    readonly title: string
    readonly text: string
    readonly actions?: ComponentChildren
  }
  children(all: readonly T[]): ComponentChildren
}

export function Listed<T>({ found, reading, none, children }: ListedProps<T>) {
  const { answer, error, isBusy, refresh } = found
  return (
    <div class="alert-list">
      <Progress isBusy={isBusy && answer === undefined} text={reading} />
      {answer === undefined && error !== undefined && (
        <ErrorState error={error} onRetry={refresh} />
      )}
      {answer?.length === 0 && (
        <EmptyState title={none.title} icon="bell" actions={none.actions}>
          {none.text}
        </EmptyState>
      )}
      {answer !== undefined && answer.length > 0 && children(answer)}
    </div>
  )
}
