/**
 * From the query that is shown to a widget of a dashboard, or an alert. The dialog is loaded when it is
 * asked for.
 */

import { signal } from '@preact/signals'
import { newRuleHref } from '../alerts/addresses.ts'
import { useCommands } from '../app/commands.ts'
import { may } from '../app/session.ts'
import { go } from '../state/location.ts'
import { Icon } from '../ui/icon.tsx'
import { later } from '../ui/later.tsx'
import { Menu, type MenuItem } from '../ui/menu.tsx'
import { query } from './shown.ts'

const isWidgetDialogOpen = signal(false)

const WidgetDialog = later(async () => (await import('./widget-dialog.tsx')).WidgetDialog)

/** What can be made of the query, for editors. */
export const savingItems: readonly MenuItem[] = [
  {
    text: 'Widget of a dashboard',
    icon: 'dashboards',
    run: () => {
      isWidgetDialogOpen.value = true
    },
  },
  { text: 'Alert', icon: 'bell', run: () => go(newRuleHref(query.peek())) },
]

export function SaveAsMenu() {
  return (
    <Menu label="Save as" className="button button-plain button-small" items={savingItems}>
      <Icon name="plus" />
      Save as
      <Icon name="down" />
    </Menu>
  )
}

/** Once on the page: the same as commands, and the dialog. */
export function SavingAs() {
  const named = savingItems.map(({ text, run }) => ({
    id: `logs.save ${text}`,
    text: `Save the query as ${text.toLowerCase()}`,
    run,
  }))
  useCommands('Logs', may('editor') ? named : [])
  const close = () => {
    isWidgetDialogOpen.value = false
  }
  return isWidgetDialogOpen.value ? <WidgetDialog onClose={close} /> : null
}
