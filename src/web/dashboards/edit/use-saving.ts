/**
 * Saving the dashboard that is edited. What somebody else has saved meanwhile is not written over: it is
 * read, so that one can choose between theirs and one's own.
 */

import { useState } from 'preact/hooks'
import { saveDashboard } from '../../api/dashboards.ts'
import { ApiProblem } from '../../api/problem.ts'
import { toast } from '../../ui/toasts.tsx'
import { type LoadedBoard, loadBoard } from '../actions.ts'
import type { BoardModel } from '../board-model.ts'
import { faultOf } from '../model/changes.ts'
import { markStored } from '../unsaved.ts'

/** What the service has instead of what was edited. */
export type Theirs = LoadedBoard | 'deleted'

export interface Saving {
  readonly isSaving: boolean
  /** Why the last try failed; undefined when it did not. */
  readonly error: unknown
  /** Somebody else was faster. */
  readonly theirs: Theirs | undefined
  save(): Promise<void>
  /** Shows theirs, when there is any; one's own comes back by Undo. */
  takeTheirs(): void
  /** Saves over theirs, unless that has changed once more. */
  saveOverTheirs(): Promise<void>
}

export function useSaving(model: BoardModel): Saving {
  const [isSaving, setSaving] = useState(false)
  const [error, setError] = useState<unknown>(undefined)
  const [theirs, setTheirs] = useState<Theirs | undefined>(undefined)

  const saveAs = async (version: string | undefined) => {
    const tree = model.tree.peek()
    setSaving(true)
    try {
      const fault = faultOf(tree)
      if (fault !== undefined) throw new Error(fault)
      const saved = await saveDashboard(tree, version)
      model.markSaved(tree, saved.version)
      markStored(saved.id)
      setError(undefined)
      setTheirs(undefined)
      toast('Saved')
    } catch (reason) {
      const isChanged = reason instanceof ApiProblem && reason.code === 'dashboard_changed'
      const other = isChanged ? await readTheirs(model.board.peek().id) : { error: reason }
      setTheirs('error' in other ? undefined : other.theirs)
      setError('error' in other ? other.error : undefined)
    } finally {
      setSaving(false)
    }
  }

  return {
    isSaving,
    error,
    theirs,
    save: () => saveAs(model.version),
    saveOverTheirs: () => saveAs(theirs === 'deleted' ? undefined : theirs?.version),
    takeTheirs() {
      if (theirs === undefined || theirs === 'deleted') return
      model.take(theirs.tree, theirs.version)
      setTheirs(undefined)
    },
  }
}

async function readTheirs(id: string): Promise<{ theirs: Theirs } | { error: unknown }> {
  try {
    return { theirs: await loadBoard(id) }
  } catch (error) {
    const isGone = error instanceof ApiProblem && error.status === 404
    return isGone ? { theirs: 'deleted' } : { error }
  }
}
