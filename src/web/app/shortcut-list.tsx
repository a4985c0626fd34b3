/** All keyboard shortcuts that work on this page now. */

import { Dialog } from '../ui/dialog.tsx'
import { type Command, commands } from './commands.ts'
import { shownKeys } from './key-sequence.ts'

export function ShortcutList({ onClose }: { onClose(): void }) {
  const withKeys = commands.value.filter(({ keys }) => keys !== undefined)
  const groups = Map.groupBy(withKeys, ({ group }) => group)
  return (
    <Dialog title="Keyboard shortcuts" width="wide" onClose={onClose}>
      <div class="shortcut-groups">
        {[...groups].map(([group, members]) => (
          <section key={group}>
            <h2 class="soft">{group}</h2>
            <dl class="shortcut-list">
              {members.map(command => (
                <div class="shortcut line apart" key={command.id}>
                  <dt>{command.text}</dt>
                  <dd>
                    <Keys command={command} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  )
}

/** The keys of a command, if it has any. */
export function Keys({ command }: { readonly command: Command }) {
  if (command.keys === undefined) return null
  return (
    <span class="keys">
      {shownKeys(command.keys).map(key => (
        <kbd key={key}>{key}</kbd>
      ))}
    </span>
  )
}
