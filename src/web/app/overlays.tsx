/** The frame's own dialogs, and the commands that are there on every page. */

import { go } from '../state/location.ts'
import { useCommands } from './commands.ts'
import { keepingEnvironment } from './environment.tsx'
import { pages } from './header.tsx'
import { closeOverlay, openOverlay, overlay } from './overlay.ts'
import { Palette } from './palette.tsx'
import { signOut } from './session.ts'
import { ShortcutList } from './shortcut-list.tsx'
import { themeChoice, toggleTheme } from './theme.ts'

const general = [
  { id: 'frame.palette', text: 'Find a command', keys: 'Mod+k', run: () => openOverlay('palette') },
  {
    id: 'frame.shortcuts',
    text: 'List all keyboard shortcuts',
    keys: '?',
    run: () => openOverlay('shortcuts'),
  },
  {
    id: 'frame.query',
    text: 'Go to the query',
    keys: '/',
    run: () => document.querySelector<HTMLElement>('[data-focus="query"]')?.focus(),
  },
  { id: 'frame.theme', text: 'Toggle dark and light', run: toggleTheme },
  { id: 'frame.theme.system', text: 'Use the system theme', run: () => themeChoice.set('system') },
  { id: 'frame.sign-out', text: 'Sign out', run: () => void signOut() },
]

export function Overlays() {
  useCommands(
    'Go to',
    pages.map(({ text, href, keys }) => {
      const run = () => go(keepingEnvironment(href))
      return { id: `go ${href}`, text: `Go to ${text.toLowerCase()}`, keys, run }
    }),
  )
  useCommands('General', general)
  switch (overlay.value) {
    case 'palette':
      return <Palette onClose={closeOverlay} />
    case 'shortcuts':
      return <ShortcutList onClose={closeOverlay} />
    case 'none':
      return null
  }
}
