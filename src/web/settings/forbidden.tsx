/** What people see who may not: why, and whom to ask for what. */

import { session, signOut } from '../app/session.ts'
import { Button, buttonClass } from '../ui/button.tsx'
import { EmptyState } from '../ui/states.tsx'
import { sectionHref } from './section-href.ts'

interface ForbiddenProps {
  /** Of the section. */
  readonly title: string
  /** As in "Only administrators manage ingestion tokens". */
  readonly what: string
  /** What to ask an administrator for. */
  readonly ask: string
}

export function Forbidden({ title, what, ask }: ForbiddenProps) {
  const user = session.value
  if (user === undefined) return null
  return (
    <>
      <header class="page-header line apart wraps">
        <h1>{title}</h1>
      </header>
      <EmptyState
        title={`Only administrators manage ${what}`}
        icon="settings"
        actions={
          <>
            <Button kind="outline" onClick={() => void signOut()}>
              Sign in with another key
            </Button>
            <a class={buttonClass()} href={sectionHref('storage')}>
              See the storage
            </a>
          </>
        }
      >
        <p>
          You are signed in with the API key “{user.name}”, whose role is {user.role}.
        </p>
        <p>{ask}</p>
      </EmptyState>
    </>
  )
}
