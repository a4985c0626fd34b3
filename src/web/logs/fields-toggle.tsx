/** Shows and hides the fields: the panel at the left, or on a narrow screen a sheet. */

import { useState } from 'preact/hooks'
import { useCommands } from '../app/commands.ts'
import { IconButton } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { FieldsPanel } from './fields-panel.tsx'
import { isNarrow } from './screen.ts'
import { isPanelHidden } from './shown.ts'

export function FieldsToggle({ asked }: { readonly asked: string }) {
  const [isSheet, setSheet] = useState(false)
  const isShown = isNarrow.value ? isSheet : !isPanelHidden.value
  const toggle = () => (isNarrow.peek() ? setSheet(true) : isPanelHidden.set(isShown))
  useCommands('Logs', [
    { id: 'logs.fields', text: 'Show or hide the fields', keys: 's', run: toggle },
  ])
  return (
    <>
      <IconButton
        isSmall
        icon="filter"
        label={isShown ? 'Hide the fields' : 'Show the fields'}
        keys="s"
        aria-expanded={isShown}
        onClick={toggle}
      />
      {isSheet && (
        <Dialog title="Fields" width="sheet" onClose={() => setSheet(false)}>
          <div class="fields-sheet fill">
            <FieldsPanel asked={asked} />
          </div>
        </Dialog>
      )}
    </>
  )
}
