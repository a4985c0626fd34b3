/** The icons, as strokes on 16 × 16. An icon alone never names a thing: its button has a label. */

const strokes = {
  logs: 'M2.5 4h11M2.5 8h7M2.5 12h9',
  dashboards: 'M2.5 2.5h4.5v6H2.5zM9 2.5h4.5v3.5H9zM9 8h4.5v5.5H9zM2.5 10.5h4.5v3H2.5z',
  settings: 'M2.5 4.5h6m3 0h2M2.5 11.5h2m3 0h6M10 3v3M6 10v3',
  search: 'M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9zM10.5 10.5l3 3',
  sun: 'M8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM8 1.5v1M8 13.5v1M1.5 8h1M13.5 8h1M3.4 3.4l.7.7M11.9 11.9l.7.7M3.4 12.6l.7-.7M11.9 4.1l.7-.7',
  moon: 'M13 9.5A5.5 5.5 0 0 1 6.5 3a5.5 5.5 0 1 0 6.5 6.5z',
  user: 'M8 8.5a2.75 2.75 0 1 0 0-5.5 2.75 2.75 0 0 0 0 5.5zM3 13.5c.6-2.2 2.6-3 5-3s4.4.8 5 3',
  down: 'M4.5 6.5L8 10l3.5-3.5',
  right: 'M6.5 4.5L10 8l-3.5 3.5',
  left: 'M9.5 4.500L6 8l3.5 3.5',
  close: 'M4 4l8 8M12 4l-8 8',
  copy: 'M5.5 5.5h7v8h-7zM10.5 5.5v-3h-7v8h2',
  check: 'M3 8.5l3.2 3.200L13 5',
  clock: 'M8 2.25a5.75 5.75 0 1 0 0 11.5 5.75 5.75 0 0 0 0-11.5zM8 5v3.25l2 1.5',
  layers: 'M8 2.5l6 3-6 3-6-3zM2 8.5l6 3 6-3',
  plus: 'M8 3v10M3 8h10',
  trash: 'M3 4.5h10M6 4.5v-2h4v2M4.5 4.5l.5 9h6l.5-9',
  more: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  warning: 'M8 2.5l6 11H2zM8 6.5v3M8 11.5h.01',
  info: 'M8 2.25a5.75 5.75 0 1 0 0 11.5 5.75 5.75 0 0 0 0-11.5zM8 7.5v3.5M8 5h.01',
  refresh: 'M13 8a5 5 0 1 1-1.5-3.600M13 2.5v3h-3',
  pause: 'M5.5 3.5v9M10.5 3.5v9',
  play: 'M5 3.5v9l7-4.5z',
  filter: 'M2.5 3.5h11L9.5 8.5v4l-3 1v-5z',
  exclude: 'M8 2.25a5.75 5.75 0 1 0 0 11.5 5.75 5.75 0 0 0 0-11.5zM4 4l8 8',
  columns: 'M2.5 3h11v10h-11zM8 3v10',
  edit: 'M11 2.5l2.5 2.5-8 8H3v-2.5z',
  external: 'M9.5 2.5h4v4M13.5 2.5l-6 6M11.5 9v4.5h-9v-9H7',
  download: 'M8 2.5v7.5M4.5 7L8 10.5 11.5 7M3 13.5h10',
  upload: 'M8 10.5V3M4.5 6.5L8 3l3.5 3.5M3 13.5h10',
  expand: 'M9.5 2.5h4v4M6.5 13.5h-4v-4M13.5 2.5L9 7M2.5 13.5L7 9',
  chart: 'M3 13V8M8 13V3M13 13V6',
  move: 'M8 2v12M2 8h12M6 4l2-2 2 2M6 12l2 2 2-2M4 6L2 8l2 2M12 6l2 2-2 2',
  undo: 'M5.5 3L2.5 6l3 3M3 6h6.5a3.500 3.500 0 0 1 0 7H6',
  redo: 'M10.5 3l3 3-3 3M13 6H6.500a3.500 3.500 0 0 0 0 7H10',
  table: 'M2.5 3.5h11v9h-11zM2.5 7h11M7 7v5.5',
  bell: 'M8 2a4 4 0 0 0-4 4v3l-1.500 2.500h11L12 9V6a4 4 0 0 0-4-4zM6.500 13.500a1.500 1.500 0 0 0 3 0',
  star: 'M8 2.25l1.75 3.6 4 .55-2.900 2.800.7 3.950L8 11.250l-3.550 1.900.7-3.950-2.900-2.800 4-.55z',
} as const

export type IconName = keyof typeof strokes

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={strokes[name]} />
    </svg>
  )
}
