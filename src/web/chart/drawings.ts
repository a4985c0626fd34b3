/** The ways in which values are drawn. */

export const drawingTexts = {
  lines: 'Lines',
  bars: 'Bars',
  stack: 'Stacked bars',
  table: 'Table',
  top: 'Top list',
  pie: 'Pie',
  heatmap: 'Heatmap',
  figure: 'Figure with trend',
} as const
export type Drawing = keyof typeof drawingTexts
export const drawings = Object.keys(drawingTexts) as [Drawing, ...Drawing[]]

/** Whether it shows one value of each group, over the whole time, and nothing of its course. */
export function isOfWholeTime(drawing: Drawing): boolean {
  return drawing === 'table' || drawing === 'top' || drawing === 'pie'
}

/** Whether its series are told apart by a legend; the others name them where they are drawn. */
export function hasLegend(drawing: Drawing): boolean {
  return ['lines', 'bars', 'stack', 'pie'].includes(drawing)
}
