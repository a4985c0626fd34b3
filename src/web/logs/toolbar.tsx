/** Beside the cost of the answer: live, refreshing, how rows look, export. */

import { useCommands } from '../app/commands.ts'
import { setParams } from '../state/location.ts'
import { zone } from '../time/zone.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { choices, Menu } from '../ui/menu.tsx'
import {
  columns,
  form,
  isCompared,
  isLive,
  isWrapped,
  linked,
  order,
  refreshEvery,
  runAgain,
  setOrder,
  toggleColumn,
  toggleOrder,
} from './shown.ts'
import { useExport } from './use-export.ts'

function toggleLive(): void {
  setParams({ ...isLive.change(!isLive.peek()), ...order.change('newest'), ...linked.change('') })
}

function toggleCompared(): void {
  isCompared.set(!isCompared.peek(), 'replace')
}

/** @param canBeLive Whether the query returns records. */
export function Toolbar({ canBeLive }: { readonly canBeLive: boolean }) {
  const exporting = useExport()
  useToolbarCommands(canBeLive, exporting.start)
  const every = refreshEvery.value
  return (
    <div class="logs-tools">
      {exporting.receivedText !== undefined && (
        <span class="logs-export soft" role="status">
          {exporting.receivedText}
          <Button isSmall kind="outline" onClick={exporting.cancel}>
            Cancel
          </Button>
        </span>
      )}
      {canBeLive && (
        <Button
          isSmall
          icon={isLive.value ? 'pause' : 'play'}
          aria-pressed={isLive.value}
          title="Live tail (l)"
          onClick={toggleLive}
        >
          Live
        </Button>
      )}
      <Menu
        label={`Refresh: ${every}`}
        className="button button-plain button-small"
        items={[
          { text: 'Refresh now', icon: 'refresh', run: runAgain },
          { heading: 'Automatic, while the newest records are in view' },
          ...choices(refreshEvery, { off: 'Off', '10s': 'Every 10 s', '1m': 'Every 1 m' }),
        ]}
      >
        <Icon name="refresh" />
        {every !== 'off' && every}
        <Icon name="down" />
      </Menu>
      <Menu
        label="View"
        className="button button-plain button-small"
        items={[
          { heading: 'Records' },
          ...choices(form, { rows: 'As rows', json: 'As JSON' }),
          { heading: 'Order' },
          ...choices(
            { value: order.value, set: setOrder },
            { newest: 'Newest first', oldest: 'Oldest first' },
          ),
          { heading: 'Histogram' },
          { text: 'Compared with before', isChosen: isCompared.value, run: toggleCompared },
          { heading: 'Long lines' },
          { text: 'Cut', isChosen: !isWrapped.value, run: () => isWrapped.set(false) },
          { text: 'Wrapped', isChosen: isWrapped.value, run: () => isWrapped.set(true) },
          { heading: 'Time' },
          ...choices(zone, { local: 'Local time', utc: 'UTC' }),
          ...(columns.value.length === 0 ? [] : [{ heading: 'Remove a column' }]),
          ...columns.value.map(field => ({
            text: field,
            icon: 'close' as const,
            run: () => toggleColumn(field),
          })),
        ]}
      >
        <Icon name="columns" />
        <span class="logs-tool-word">View</span>
        <Icon name="down" />
      </Menu>
      {canBeLive && (
        <Menu
          label="Export"
          className="button button-plain button-small"
          items={[
            { heading: 'All records that match, as a file' },
            { text: 'NDJSON', run: () => void exporting.start('application/x-ndjson') },
            { text: 'CSV', run: () => void exporting.start('text/csv') },
          ]}
        >
          <Icon name="download" />
          <span class="logs-tool-word">Export</span>
          <Icon name="down" />
        </Menu>
      )}
    </div>
  )
}

function useToolbarCommands(
  canBeLive: boolean,
  startExport: ReturnType<typeof useExport>['start'],
): void {
  const startNdjson = () => void startExport('application/x-ndjson')
  const forRecords = [
    { id: 'logs.live', text: 'Start or stop the live tail', keys: 'l', run: toggleLive },
    { id: 'logs.ndjson', text: 'Export as NDJSON', run: startNdjson },
    { id: 'logs.csv', text: 'Export as CSV', run: () => void startExport('text/csv') },
  ]
  useCommands('Logs', [
    { id: 'logs.refresh', text: 'Run the query again', keys: 'r', run: runAgain },
    {
      id: 'logs.wrap',
      text: 'Wrap or truncate long lines',
      keys: 'w',
      run: () => isWrapped.set(!isWrapped.peek()),
    },
    { id: 'logs.order', text: 'Newest or oldest first', keys: 'a', run: toggleOrder },
    {
      id: 'logs.compare',
      text: 'Compare with the period before',
      keys: 'y',
      run: toggleCompared,
    },
    {
      id: 'logs.json',
      text: 'Show records as JSON, or as rows',
      keys: 'b',
      run: () => form.set(form.peek() === 'json' ? 'rows' : 'json', 'replace'),
    },
    ...(canBeLive ? forRecords : []),
  ])
}
