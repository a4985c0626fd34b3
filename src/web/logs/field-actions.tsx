/** Actions with a field of a record: the same everywhere it is shown. */

import { useRef, useState } from 'preact/hooks'
import { IconButton } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { Popover } from '../ui/popover.tsx'
import { isBuiltIn, type RecordField } from './record-fields.ts'
import { columns, filterableMax, filterBy, toggleColumn } from './shown.ts'
import { TopValues } from './top-values.tsx'

export function FieldActions({ name, value }: RecordField) {
  const topButton = useRef<HTMLButtonElement>(null)
  /** Opened by a key the values take the focus: they are what one chooses from. */
  const [topBy, setTopBy] = useState<'key' | 'pointer' | undefined>(undefined)
  const closeTop = useRef(() => setTopBy(undefined)).current
  const hasColumn = columns.value.includes(name)
  const columnText = hasColumn ? `Remove the column ${name}` : `Add ${name} as a column`
  const isLong = value.length > filterableMax
  const why = isLong ? ': too long for a query' : ''
  return (
    <span class="field-actions">
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
        aria-expanded={topBy !== undefined}
        data-action="top"
        buttonRef={topButton}
        onClick={({ detail }) => {
          setTopBy(topBy !== undefined ? undefined : detail === 0 ? 'key' : 'pointer')
        }}
      />
      {topBy !== undefined && (
        <Popover anchor={topButton} label={`Top values of ${name}`} onClose={closeTop}>
          <TopValues field={name} takesFocus={topBy === 'key'} />
        </Popover>
      )}
      <CopyButton isSmall label={`Copy ${name}`} text={value} />
    </span>
  )
}
