/**
 * Groups as rows over time: the more of a colour, the larger the value. Arrow keys move through the cells;
 * the same values can be had as a table.
 */

import { useState } from 'preact/hooks'
import { zone } from '../time/zone.ts'
import { momentText, timeMarks } from './axis.ts'
import { type Cell, movedCell, shadesOf } from './cells.ts'
import type { ChartProps } from './chart.tsx'
import { ChartFrame } from './chart-frame.tsx'
import type { Group } from './groups.ts'

interface HeatmapProps extends Pick<ChartProps, 'label' | 'times' | 'onPick'> {
  readonly groups: readonly Group[]
  valueText(value: number): string
}

/** Pixels. */
const rowHeight = 20

export function Heatmap({ label, times, groups, valueText, onPick }: HeatmapProps) {
  const [isTable, setTable] = useState(false)
  const [cell, setCell] = useState<Cell | undefined>(undefined)
  const shade = shadesOf(groups)
  const onKeyDown = (event: KeyboardEvent) => {
    const next = movedCell(event.key, cell, groups.length, times.length)
    if (next !== undefined) setCell(next)
    else if (event.key === 'Enter' && cell !== undefined) onPick?.(cell.column)
    else return
    event.preventDefault()
  }
  const group = cell === undefined ? undefined : groups[cell.row]
  const value = cell === undefined ? undefined : group?.values[cell.column]
  const spanMs = (times.at(-1) ?? 0) - (times[0] ?? 0)
  const moment = (at: number) => momentText(times[at]!, times, zone.value)
  return (
    <ChartFrame
      label={label}
      times={times}
      series={groups}
      height={(groups.length + 2) * rowHeight}
      isTable={isTable}
      onTable={setTable}
    >
      <section
        class="heatmap"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys move through the cells.
        tabIndex={0}
        aria-roledescription="heatmap"
        aria-label={`${label}. Arrow keys move through the cells.`}
        onKeyDown={onKeyDown}
        onPointerLeave={() => setCell(undefined)}
        onBlur={() => setCell(undefined)}
      >
        {groups.map(({ name, values }, row) => (
          <div class="heatmap-row line small" key={name}>
            <span class="heatmap-name truncate soft" title={name}>
              {name}
            </span>
            <svg
              class="grows"
              viewBox={`0 0 ${times.length} 1`}
              preserveAspectRatio="none"
              aria-hidden="true"
              onPointerMove={event => setCell({ row, column: columnAt(event, times.length) })}
              onClick={event => onPick?.(columnAt(event, times.length))}
            >
              {values.map((one, column) =>
                one === undefined ? null : (
                  <rect
                    key={times[column]}
                    x={column}
                    width="1.02"
                    height="1"
                    fill-opacity={shade(one)}
                  />
                ),
              )}
              {cell?.row === row && (
                <rect class="heatmap-cell" x={cell.column} width="1" height="1" />
              )}
            </svg>
          </div>
        ))}
        {times.length > 0 && (
          <div class="heatmap-row faint line small">
            <span class="heatmap-name soft" />
            <span class="heatmap-ends apart">
              {timeMarks([times[0]!, times.at(-1)!], spanMs, zone.value).map(mark => (
                <span key={mark}>{mark}</span>
              ))}
            </span>
          </div>
        )}
        <div class="heatmap-said small" role="status">
          {group !== undefined && (
            <>
              {moment(cell!.column)} · {group.name}:{' '}
              <strong>{value === undefined ? 'nothing' : valueText(value)}</strong>
            </>
          )}
        </div>
      </section>
    </ChartFrame>
  )
}

function columnAt(event: MouseEvent, count: number): number {
  const { left, width } = (event.currentTarget as Element).getBoundingClientRect()
  return Math.max(0, Math.min(count - 1, Math.floor(((event.clientX - left) / width) * count)))
}
