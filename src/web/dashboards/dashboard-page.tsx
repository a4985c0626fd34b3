/** One dashboard: loads it, and keeps changes that are not saved while one is signed out by surprise. */

import { useEffect, useMemo, useState } from 'preact/hooks'
import { pathTo } from '../../http/page-paths.ts'
import { ApiProblem } from '../api/problem.ts'
import { isEnvironmentHidden, keepingEnvironment } from '../app/environment.tsx'
import { may, session } from '../app/session.ts'
import { guardLeaving } from '../state/location.ts'
import { useRequest } from '../state/request.ts'
import { buttonClass } from '../ui/button.tsx'
import { EmptyState, ErrorState, Progress } from '../ui/states.tsx'
import { loadBoard } from './actions.ts'
import { BoardModel, type BoardState } from './board-model.ts'
import { BoardView } from './board-view.tsx'
import { blankDashboard } from './model/changes.ts'
import { isNewAddress, isUnsaved } from './unsaved.ts'

/** By the dashboard's id; for as long as the page is open. */
const drafts = new Map<string, BoardState>()

const leaveWarning = 'This dashboard has changes that are not saved. Leave without them?'
const neverSavedWarning = 'This dashboard was never saved. Leave without it?'

export function DashboardPage({ id }: { readonly id: string }) {
  // As it was when the page was opened: saving changes the address, and the dashboard stays.
  const [isAskedFor] = useState(() => !isUnsaved(id))
  const [mayBeNew] = useState(() => isNewAddress.peek() && may('editor'))
  const found = useRequest(isAskedFor ? id : undefined, signal => loadBoard(id, signal))
  const { answer, error } = found
  const isMissing = error instanceof ApiProblem && error.status === 404
  const isNew = !isAskedFor || (isMissing && mayBeNew)
  const model = useMemo(() => {
    const draft = drafts.get(id)
    if (draft !== undefined) return new BoardModel(draft)
    if (answer !== undefined)
      return new BoardModel({ ...answer, saved: answer.tree, isStored: true })
    if (!isNew) return undefined
    return new BoardModel({ saved: blankDashboard(id), version: undefined, isStored: false })
  }, [answer, isNew, id])
  useKeptDraft(id, model)

  const title = model?.board.value.title || id
  useEffect(() => {
    document.title = `${title} · Logstrata`
  }, [title])
  const isHiding = model?.board.value.hidesEnvironment === true
  useEffect(() => {
    isEnvironmentHidden.value = isHiding
    return () => {
      isEnvironmentHidden.value = false
    }
  }, [isHiding])

  if (model !== undefined) return <BoardView key={id} model={model} />
  if (isMissing) {
    return (
      <EmptyState
        title="Dashboard not found"
        icon="dashboards"
        actions={
          <a
            class={buttonClass({ kind: 'outline' })}
            href={keepingEnvironment(pathTo('dashboards'))}
          >
            All dashboards
          </a>
        }
      >
        It may have been deleted, or the link is mistyped.
      </EmptyState>
    )
  }
  return (
    <div class="page">
      <h1 class="visually-hidden">Dashboard</h1>
      <Progress isBusy={found.isBusy} text="Loading the dashboard" />
      {error !== undefined && <ErrorState error={error} onRetry={found.refresh} />}
    </div>
  )
}

/** Asks before changes are lost; who is signed out meanwhile finds them again after signing in. */
function useKeptDraft(id: string, model: BoardModel | undefined): void {
  useEffect(() => {
    if (model === undefined) return undefined
    const onUnload = (event: BeforeUnloadEvent) => {
      if (model.isDirty.peek()) event.preventDefault()
    }
    addEventListener('beforeunload', onUnload)
    const stopGuarding = guardLeaving(() => {
      const isSignedOut = session.peek() === undefined
      const warning = model.isStored.peek() ? leaveWarning : neverSavedWarning
      return isSignedOut || !model.isDirty.peek() || window.confirm(warning)
    })
    drafts.delete(id)
    return () => {
      removeEventListener('beforeunload', onUnload)
      stopGuarding()
      if (model.isDirty.peek() && session.peek() === undefined) {
        const { saved, version } = model
        const isStored = model.isStored.peek()
        drafts.set(id, { saved, version, isStored, present: model.tree.peek() })
      }
    }
  }, [id, model])
}
