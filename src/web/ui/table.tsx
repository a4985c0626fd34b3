/**
 * A plain table for settings and lists: scrolls inside itself when it is wider than its place, or, if
 * `isStacked`, shows each row as a card on narrow screens.
 */

import type { ComponentChildren } from 'preact'

export interface Column<Row> {
  readonly title: string
  /** The heading is for readers of the screen only, such as above buttons. */
  readonly isTitleHidden?: boolean
  readonly isNumber?: boolean
  cell(row: Row): ComponentChildren
}

interface TableProps<Row> {
  /** What the table is about; read out. */
  readonly label: string
  readonly columns: readonly Column<NoInfer<Row>>[]
  readonly rows: readonly Row[]
  readonly isStacked?: boolean
  keyOf(row: Row): string
  /** Buttons in a last column, whose heading is not seen. */
  actions?(row: Row): ComponentChildren
}

export function Table<Row>({ label, rows, isStacked, keyOf, actions, ...props }: TableProps<Row>) {
  const last = actions && { title: 'Actions', isTitleHidden: true, cell: actions }
  const columns: readonly Column<Row>[] = last ? [...props.columns, last] : props.columns
  const frame = `table-frame framed${isStacked ? ' table-stacked' : ''}`
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by key.
    <section class={frame} aria-label={label} tabIndex={0}>
      <table class="table">
        <thead>
          <tr>
            {columns.map(({ title, isTitleHidden, isNumber }) => (
              <th key={title} scope="col" class={isNumber ? 'table-number' : ''}>
                <span class={isTitleHidden ? 'visually-hidden' : ''}>{title}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(row => (
            <tr key={keyOf(row)}>
              {columns.map(({ title, isTitleHidden, isNumber, cell }) => (
                <td
                  key={title}
                  class={isNumber ? 'table-number' : ''}
                  data-title={isTitleHidden ? undefined : title}
                >
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
