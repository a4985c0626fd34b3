/** One dashboard: loads it, and keeps changes that are not saved while one is signed out by surprise. */

import { useEffect, useMemo } from 'preact/hooks'
import { ApiProblem } from '../api/problem.ts'
import { isEnvironmentHidden, keepingEnvironment } from '../app/environment.tsx'
import { session } from '../app/session.ts'
import { pathTo } from '../paths.ts'
import { guardLeaving } from '../state/location.ts'
import { useRequest } from '../state/request.ts'
import { buttonClass } from '../ui/button.tsx'
import { EmptyState, ErrorState, Progress } from '../ui/states.tsx'
import { loadBoard } from './actions.ts'
import { BoardModel } from './board-model.ts'
import { BoardView } from './board-view.tsx'
import type { Json } from './model/json-tree.ts'

/** By the dashboard's id; for as long as the page is open. */
const drafts = new Map<string, Draft>()

interface Draft {
  readonly saved: Json
  readonly version: string | undefined
  readonly present: Json
}

const leaveWarning = 'This dashboard has changes that are not saved. Leave without them?'

export function DashboardPage({ id }: { readonly id: string }) {
  const found = useRequest(id, signal => loadBoard(id, signal))
  const model = useMemo(() => {
    const draft = drafts.get(id)
    if (draft !== undefined) return new BoardModel(draft.saved, draft.version, draft.present)
    return found.answer && new BoardModel(found.answer.tree, found.answer.version)
  }, [found.answer, id])
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

  const { error } = found
  if (model !== undefined) return <BoardView key={id} model={model} />
  if (error instanceof ApiProblem && error.status === 404) {
    return (
      <EmptyState
        title="There is no dashboard at this address"
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
      <Progress isBusy={found.isBusy} text="Reading the dashboard" />
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
      return isSignedOut || !model.isDirty.peek() || window.confirm(leaveWarning)
    })
    drafts.delete(id)
    return () => {
      removeEventListener('beforeunload', onUnload)
      stopGuarding()
      if (model.isDirty.peek() && session.peek() === undefined) {
        const { saved, version } = model
        drafts.set(id, { saved, version, present: model.tree.peek() })
      }
    }
  }, [id, model])
}
