/** What stands below the line of editing when saving did not work, and what to do about it. */

import { useEffect, useRef } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { explain } from '../../ui/states.tsx'
import type { Saving } from './use-saving.ts'

interface SaveOutcomeProps {
  readonly saving: Saving
}

export function SaveOutcome({ saving }: SaveOutcomeProps) {
  const { error, theirs } = saving
  if (theirs !== undefined) return <Conflict saving={saving} />
  if (error === undefined) return null
  const isOurs = error instanceof Error && error.constructor === Error
  const { title, detail, remedy } = isOurs
    ? { title: 'Not saved', detail: error.message, remedy: undefined }
    : explain(error)
  return (
    <p class="edit-error" role="alert">
      <Icon name="warning" />
      <span>
        <strong>{title}.</strong> {detail} {remedy}
      </span>
    </p>
  )
}

/** Nothing is lost yet: theirs is stored, one's own is on the screen. */
function Conflict({ saving: { theirs, isSaving, takeTheirs, saveOverTheirs } }: SaveOutcomeProps) {
  const note = useRef<HTMLDivElement>(null)
  useEffect(() => note.current?.scrollIntoView({ block: 'nearest' }), [])
  const isDeleted = theirs === undefined || theirs === 'deleted'
  return (
    <div class="edit-error edit-conflict wraps" role="alert" ref={note}>
      <Icon name="warning" />
      <p>
        <strong>
          Not saved: somebody else has {isDeleted ? 'deleted' : 'changed'} this dashboard meanwhile.
        </strong>{' '}
        {isDeleted
          ? 'Saving creates it again, as you see it here.'
          : 'Load theirs, and Undo brings yours back; or save yours over it, and theirs is gone.'}
      </p>
      <div class="edit-conflict-choices wraps">
        {!isDeleted && (
          <Button isSmall kind="outline" onClick={takeTheirs}>
            Load theirs
          </Button>
        )}
        <Button isSmall kind="outline" disabled={isSaving} onClick={() => void saveOverTheirs()}>
          {isDeleted ? 'Save as new' : 'Overwrite with mine'}
        </Button>
      </div>
    </div>
  )
}
