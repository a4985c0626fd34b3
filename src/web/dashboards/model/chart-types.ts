/** How a widget's JSON says in which way its values are drawn. `line` and `bar` other clients know, too. */

import type { Drawing } from '../../chart/drawings.ts'

const names: Readonly<Record<Drawing, string>> = {
  lines: 'line',
  stack: 'bar',
  bars: 'groupedBar',
  table: 'table',
  top: 'topList',
  pie: 'pie',
  heatmap: 'heatmap',
  figure: 'figure',
}

export function chartTypeOf(drawing: Drawing): string {
  return names[drawing]
}

/** Lines for what nobody knows here. */
export function drawingOf(chartType: string | undefined): Drawing {
  const known = Object.entries(names) as [Drawing, string][]
  return known.find(([, name]) => name === chartType)?.[0] ?? 'lines'
}
