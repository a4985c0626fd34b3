/** Above drawn values: how they are drawn, and what can be made of them. */

import { may } from '../app/session.ts'
import { courseCsv, totalsCsv } from '../chart/csv.ts'
import { drawingTexts, isOfWholeTime } from '../chart/drawings.ts'
import { drawnOf } from '../chart/toggling.ts'
import { Button } from '../ui/button.tsx'
import { download, fileTime } from '../ui/download.ts'
import { Icon } from '../ui/icon.tsx'
import { choices, Menu } from '../ui/menu.tsx'
import type { AggregateGroups } from './aggregate-groups.ts'
import { drawing, onlyGroups } from './aggregate-view.ts'
import { SaveAsMenu } from './save-as.tsx'
import type { AggregateAnswer } from './use-aggregate.ts'

interface AggregateBarProps {
  readonly answer: AggregateAnswer
  readonly groups: AggregateGroups
}

export function AggregateBar({ answer, groups }: AggregateBarProps) {
  const chosen = drawing.value
  return (
    <div class="aggregate-bar line wraps">
      <Menu
        label={`Draw as: ${drawingTexts[chosen]}`}
        className="button button-outline button-small"
        items={choices(drawing, drawingTexts)}
      >
        <Icon name="chart" />
        {drawingTexts[chosen]}
        <Icon name="down" />
      </Menu>
      <Button
        isSmall
        icon="download"
        title="Download what is shown as CSV"
        onClick={() => downloadCsv(answer, groups)}
      >
        CSV
      </Button>
      {may('editor') && <SaveAsMenu />}
    </div>
  )
}

/** What is drawn: the course of the groups that are shown, or the values of the whole time. */
function downloadCsv({ rows }: AggregateAnswer, { times, lines }: AggregateGroups): void {
  const chosen = drawing.peek()
  const isWhole = isOfWholeTime(chosen) || chosen === 'figure'
  const text = isWhole
    ? totalsCsv(rows.map(({ labels, value }) => ({ labels, total: value })))
    : courseCsv(times, drawnOf(lines, onlyGroups.peek(), chosen))
  download(new Blob([text], { type: 'text/csv' }), `values-${fileTime()}.csv`)
}
