/** What can be done with a field of a record: the same everywhere it is shown. */

import { useRef, useState } from 'preact/hooks'
import { IconButton } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { Popover } from '../ui/popover.tsx'
import { columns, filterableMax, filterBy, toggleColumn } from './shown.ts'
import { TopValues } from './top-values.tsx'

export function FieldActions({ name, value }: { readonly name: string; readonly value: string }) {
  const topButton = useRef<HTMLButtonElement>(null)
  const [isTop, setTop] = useState(false)
  const closeTop = useRef(() => setTop(false)).current
  const hasColumn = columns.value.includes(name)
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
        label={hasColumn ? `Remove the column ${name}` : `Add ${name} as a column`}
        aria-pressed={hasColumn}
        data-action="column"
        onClick={() => toggleColumn(name)}
      />
      <IconButton
        isSmall
        icon="chart"
        label={`Top values of ${name}`}
        aria-expanded={isTop}
        data-action="top"
        buttonRef={topButton}
        onClick={() => setTop(!isTop)}
      />
      <CopyButton isSmall label={`Copy ${name}`} text={value} />
      {isTop && (
        <Popover anchor={topButton} label={`Top values of ${name}`} onClose={closeTop}>
          <TopValues field={name} />
        </Popover>
      )}
    </span>
  )
}
