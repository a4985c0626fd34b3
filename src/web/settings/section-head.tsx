/** The top of a section of the settings: its title, the button for a new one, and how reading it goes. */

import type { ComponentChildren } from 'preact'
import type { Asked } from '../state/request.ts'
import { Button } from '../ui/button.tsx'
import { ErrorState, Progress } from '../ui/states.tsx'
import { NotCurrent } from './not-current.tsx'
import { shownForm } from './section-href.ts'

interface SectionHeadProps {
  readonly title: string
  /** On the button, such as `New key`; without it nothing is made here. */
  readonly act?: string
  /** Said while it is read for the first time. */
  readonly reading: string
  readonly found: Asked<unknown>
  /** What the things are for. */
  readonly children?: ComponentChildren
}

export function SectionHead({ title, act, reading, found, children }: SectionHeadProps) {
  const isKnown = found.answer !== undefined
  return (
    <>
      <header class="page-header line apart wraps">
        <h1>{title}</h1>
        {isKnown && <NotCurrent error={found.error} />}
        {act && (
          <Button kind="primary" icon="plus" onClick={() => shownForm.set('new')}>
            {act}
          </Button>
        )}
      </header>
      {children && <p class="settings-lead soft">{children}</p>}
      <Progress isBusy={found.isBusy && !isKnown} text={reading} />
      {!isKnown && found.error !== undefined && (
        <ErrorState error={found.error} onRetry={found.refresh} />
      )}
    </>
  )
}
