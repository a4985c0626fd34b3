/** Actions with a field of a record: the same everywhere it is shown. */

import { IconButton } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { Popover, usePopover } from '../ui/popover.tsx'
import { isBuiltIn, type RecordField } from './record-fields.ts'
import { columns, filterableMax, filterBy, toggleColumn } from './shown.ts'
import { TopValues } from './top-values.tsx'

export function FieldActions({ name, value }: RecordField) {
  const top = usePopover()
  const hasColumn = columns.value.includes(name)
  const columnText = hasColumn ? `Remove the column ${name}` : `Add ${name} as a column`
  const isLong = value.length > filterableMax
  const why = isLong ? ': too long for a query' : ''
  return (
    <span class="field-actions soft">
      <IconButton
        isSmall
        icon="filter"
        label={`Filter for this ${name}${why}`}
        disabled={isLong}
        data-action="filter"
        onClick={() => filterBy(name, value, 'only')}
      />
      <IconButton
        isSmall
        icon="exclude"
        label={`Filter out this ${name}${why}`}
        disabled={isLong}
        data-action="exclude"
        onClick={() => filterBy(name, value, 'not')}
      />
      <IconButton
        isSmall
        icon="columns"
        label={isBuiltIn(name) ? `${name} has its column already` : columnText}
        disabled={isBuiltIn(name)}
        aria-pressed={hasColumn}
        data-action="column"
        onClick={() => toggleColumn(name)}
      />
      <IconButton
        isSmall
        icon="chart"
        label={`Top values of ${name}`}
        data-action="top"
        buttonRef={top.anchor}
        {...top.button}
      />
      {top.isOpen && (
        <Popover anchor={top.anchor} label={`Top values of ${name}`} onClose={top.close}>
          <TopValues field={name} takesFocus={top.isByKey} />
        </Popover>
      )}
      <CopyButton isSmall label={`Copy ${name}`} text={value} />
    </span>
  )
}
