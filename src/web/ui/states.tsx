/** What a panel shows instead of its content: nothing there, failed, forbidden, still working. */

import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { ApiProblem } from '../api/problem.ts'
import { Button } from './button.tsx'
import { Icon, type IconName } from './icon.tsx'

interface EmptyStateProps {
  readonly title: string
  readonly icon?: IconName
  /** Why, and what to do next. */
  readonly children?: ComponentChildren
  readonly actions?: ComponentChildren
}

export function EmptyState({ title, icon = 'info', children, actions }: EmptyStateProps) {
  return (
    <div class="state column soft">
      <Icon name={icon} />
      <h2>{title}</h2>
      {children && <div class="state-text">{children}</div>}
      {actions && <div class="state-actions wraps">{actions}</div>}
    </div>
  )
}

interface ErrorStateProps {
  readonly error: unknown
  /** Tries again; left out where that makes no sense. */
  onRetry?(): void
}

/** A failure in the service's own words, and what to do about it. */
export function ErrorState({ error, onRetry }: ErrorStateProps) {
  const { title, detail, remedy } = explain(error)
  return (
    <div class="state state-error column soft" role="alert">
      <Icon name="warning" />
      <h2>{title}</h2>
      <div class="state-text">
        <p>{detail}</p>
        {remedy && <p>{remedy}</p>}
      </div>
      {onRetry && (
        <div class="state-actions wraps">
          <Button kind="outline" icon="refresh" onClick={onRetry}>
            Try again
          </Button>
        </div>
      )}
    </div>
  )
}

export interface Explanation {
  readonly title: string
  readonly detail: string
  readonly remedy: string | undefined
}

/** An error as title, detail and what to do, for whoever shows it in another way. */
export function explain(error: unknown): Explanation {
  if (error instanceof ApiProblem) {
    const wait = error.retryAfterSeconds
    const remedy = remedies[error.code] ?? (wait && `Try again after ${wait} s.`)
    return { title: error.title, detail: sentence(error.message), remedy: remedy || undefined }
  }
  const detail = sentence(error instanceof Error ? error.message : String(error))
  return { title: 'The service cannot be reached', detail, remedy: undefined }
}

/** What to do, where the service's words do not say it. */
const remedies: Readonly<Record<string, string>> = {
  role_insufficient: 'Ask an administrator for an API key with a higher role.',
  query_timeout: 'Try a shorter time range, or narrow the query.',
  queries_overloaded: 'Other queries are under way; try again in a moment.',
  query_too_large: 'Try fewer fields, or narrow the query.',
}

/** The API's details begin in lower case and have no full stop. */
function sentence(text: string): string {
  const begun = text.charAt(0).toUpperCase() + text.slice(1)
  return /[.!?]$/.test(begun) ? begun : `${begun}.`
}

/** Time without an answer after which one is told that it takes long, ms. */
const patienceMs = 300

interface ProgressProps {
  readonly isBusy: boolean
  /** What is being done. */
  readonly text: string
  onCancel?(): void
}

/**
 * A thin bar with what is going on and Cancel, once it has taken a while. It lies over the upper edge of
 * its panel, which must be `position: relative`: nothing moves when it comes.
 */
export function Progress({ isBusy, text, onCancel }: ProgressProps) {
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    setLate(false)
    if (!isBusy) return undefined
    const timer = setTimeout(() => setLate(true), patienceMs)
    return () => clearTimeout(timer)
  }, [isBusy])
  if (!isBusy || !isLate) return null
  return (
    <div class="progress" role="status">
      <div class="progress-bar" />
      <div class="progress-text floating line">
        <span>{text}</span>
        {onCancel && (
          <Button isSmall kind="outline" onClick={onCancel}>
            Cancel
          </Button>
        )}
      </div>
    </div>
  )
}
