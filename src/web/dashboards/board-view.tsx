/** An open dashboard: its line of tools, its variables, its widgets, and beside them what is edited. */

import { useId, useMemo, useRef } from 'preact/hooks'
import { parseDuration } from '../../language/duration.ts'
import { hourMs } from '../../time-units.ts'
import { useCommands } from '../app/commands.ts'
import { environment } from '../app/environment.tsx'
import { may } from '../app/session.ts'
import { params, setParams } from '../state/location.ts'
import { flagParam } from '../state/param-kinds.ts'
import { urlParam } from '../state/url-param.ts'
import {
  lastHour,
  lastRange,
  rangeOf,
  resolveRange,
  type TimeRange,
  type Times,
} from '../time/range.ts'
import { zone } from '../time/zone.ts'
import { EmptyState } from '../ui/states.tsx'
import { Toasts } from '../ui/toasts.tsx'
import type { BoardModel } from './board-model.ts'
import { AddWidgetButton, EditBar } from './edit/edit-bar.tsx'
import { SidePanel } from './edit/side-panel.tsx'
import { FullWidget } from './full-widget.tsx'
import { GridView } from './grid-view.tsx'
import { readWidgets, rootWidgets } from './model/board.ts'
import { valuesOf } from './model/queries.ts'
import { useTurns } from './refresh.tsx'
import { type Shown, ShownContext } from './shown.ts'
import { VariableBar } from './variable-bar.tsx'
import { ViewBar } from './view-bar.tsx'

export const editing = urlParam('edit', flagParam)

export function BoardView({ model }: { readonly model: BoardModel }) {
  const board = model.board.value
  const isEditing = editing.value && may('editor')
  const { turn, again } = useTurns()
  const frame = useRef<HTMLDivElement>(null)
  const syncKey = useId()
  const range = shownRange(board.defaultTimeRange)
  const { from, to } = range
  const times = useMemo(() => timesOf(range), [from, to, turn])
  const setRange = (next: TimeRange) => setParams({ from: next.from, to: next.to })
  const chosenEnvironment = board.hidesEnvironment ? '' : environment.value
  const values = valuesOf(board.variables, params.value)
  const shown: Shown = {
    model,
    times,
    values,
    environment: chosenEnvironment,
    isEditing,
    syncKey,
    onZoom: (startTime, endTime) => setRange(rangeOf({ startTime, endTime })),
  }
  const edit = {
    id: 'board.edit',
    text: isEditing ? 'Stop editing the dashboard' : 'Edit the dashboard',
    keys: 'e',
    run: () => editing.set(!isEditing),
  }
  useCommands('Dashboard', [
    {
      id: 'board.refresh',
      text: 'Refresh the dashboard',
      keys: 'r',
      run: again,
    },
    {
      id: 'board.full',
      text: 'Show the dashboard on the full screen',
      keys: 'f',
      run: () => toggleFullScreen(frame.current),
    },
    ...(may('editor') ? [edit] : []),
  ])
  const isEmpty = readWidgets(model.tree.value, rootWidgets).length === 0
  const isPanelOpen = isEditing && model.panel.value !== undefined
  return (
    <ShownContext.Provider value={shown}>
      <div class={`board column fill${isEditing ? ' board-editing' : ''}`} ref={frame}>
        <ViewBar
          model={model}
          range={range}
          isEditing={isEditing}
          onRange={setRange}
          onRefresh={again}
          onFullScreen={() => toggleFullScreen(frame.current)}
        />
        {isEditing && <EditBar model={model} />}
        <VariableBar
          variables={board.variables}
          values={values}
          timesNow={() => timesOf(range)}
          environment={chosenEnvironment}
        />
        <div class={`board-main fill${isPanelOpen ? ' board-main-panel' : ''}`}>
          <div class="board-grid grows">
            {isEmpty ? (
              <EmptyState
                title="This dashboard is empty"
                icon="dashboards"
                actions={isEditing ? <AddWidgetButton model={model} /> : undefined}
              >
                {isEditing
                  ? 'Add a chart, a single value, a list of records or a note.'
                  : 'Editors can add widgets.'}
              </EmptyState>
            ) : (
              <GridView path={rootWidgets} />
            )}
          </div>
          {isPanelOpen && <SidePanel model={model} />}
        </div>
        <FullWidget />
        <Toasts within={frame} />
      </div>
    </ShownContext.Provider>
  )
}

/** A range as it is now; one that cannot be read is the last hour. */
function timesOf(range: TimeRange): Times {
  const now = Date.now()
  const resolved = resolveRange(range, { now, zone: zone.peek() })
  const { startTime, endTime } = resolved.ok ? resolved : { startTime: now - hourMs, endTime: now }
  return { startTime, endTime }
}

/** What the address says, or else what the dashboard does. */
function shownRange(defaultTimeRange: string | undefined): TimeRange {
  const isDuration = defaultTimeRange !== undefined && (parseDuration(defaultTimeRange) ?? 0) > 0
  const own = isDuration ? lastRange(defaultTimeRange) : lastHour
  return { from: params.value.get('from') ?? own.from, to: params.value.get('to') ?? own.to }
}

function toggleFullScreen(element: HTMLElement | null): void {
  if (document.fullscreenElement !== null) void document.exitFullscreen()
  else void element?.requestFullscreen()
}
