/**
 * Below the histogram: the records, the kinds of messages that they are, or what is special about their
 * time. Few look at the latter two: they are loaded when they are asked for.
 */

import { useCommands } from '../app/commands.ts'
import { later } from '../ui/later.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { type FoundTab, foundTab } from './shown.ts'

interface TabText {
  readonly id: FoundTab
  readonly name: string
  /** Of the command, and its key. */
  readonly text: string
  readonly keys: string
}

const tabs: readonly TabText[] = [
  { id: 'records', name: 'Records', text: 'Show the records', keys: 'm' },
  { id: 'patterns', name: 'Patterns', text: 'Show kinds of messages', keys: 'n' },
  { id: 'changes', name: 'What changed?', text: 'What changed in this time?', keys: 'h' },
]

const panelId = 'found'

/** What the tabs are for: by its attributes. */
export function panelOf(tab: FoundTab) {
  return { id: panelId, role: 'tabpanel', 'aria-labelledby': `${panelId}-${tab}` } as const
}

export function FoundTabs() {
  const commands = tabs.map(({ id, text, keys }) => {
    return { id: `logs.${id}`, text, keys, run: () => foundTab.set(id) }
  })
  useCommands('Logs', commands)
  return (
    <div class="found-tabs">
      <Tabs
        label="Found"
        panelId={panelId}
        chosen={foundTab.value}
        tabs={tabs}
        onChoose={id => foundTab.set(id as FoundTab)}
      />
    </div>
  )
}

const Patterns = later(async () => (await import('./patterns-view.tsx')).PatternsView)
const Changes = later(async () => (await import('./patterns-view.tsx')).ChangesView)

/** @param asked Changes when what is asked does. */
export function FoundView(props: { readonly tab: FoundTab; readonly asked: string }) {
  return props.tab === 'changes' ? (
    <Changes asked={props.asked} />
  ) : (
    <Patterns asked={props.asked} />
  )
}
