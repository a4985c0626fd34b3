/** The frame's own dialogs, and the commands that are there on every page. */

import { go } from '../state/location.ts'
import { type Command, useCommands } from './commands.ts'
import { keepingEnvironment } from './environment.tsx'
import { closeOverlay, overlay } from './overlay.ts'
import { Palette } from './palette.tsx'
import { signOut } from './session.ts'
import { ShortcutList } from './shortcut-list.tsx'
import { chooseTheme, toggleTheme } from './theme.ts'

const frameCommands: readonly Command[] = [
  {
    id: 'go.logs',
    group: 'Go to',
    text: 'Go to logs',
    keys: 'g l',
    run: () => go(keepingEnvironment('/logs')),
  },
  {
    id: 'go.dashboards',
    group: 'Go to',
    text: 'Go to dashboards',
    keys: 'g d',
    run: () => go(keepingEnvironment('/dashboards')),
  },
  {
    id: 'go.alerts',
    group: 'Go to',
    text: 'Go to alerts',
    keys: 'g a',
    run: () => go(keepingEnvironment('/alerts')),
  },
  {
    id: 'go.settings',
    group: 'Go to',
    text: 'Go to settings',
    keys: 'g s',
    run: () => go(keepingEnvironment('/settings')),
  },
  {
    id: 'frame.palette',
    group: 'General',
    text: 'Find a command',
    keys: 'Mod+k',
    run: () => {
      overlay.value = 'palette'
    },
  },
  {
    id: 'frame.shortcuts',
    group: 'General',
    text: 'List all keyboard shortcuts',
    keys: '?',
    run: () => {
      overlay.value = 'shortcuts'
    },
  },
  {
    id: 'frame.query',
    group: 'General',
    text: 'Go to the query',
    keys: '/',
    run: () => document.querySelector<HTMLElement>('[data-focus="query"]')?.focus(),
  },
  { id: 'frame.theme', group: 'General', text: 'Toggle dark and light', run: toggleTheme },
  {
    id: 'frame.theme.system',
    group: 'General',
    text: 'Use the system theme',
    run: () => chooseTheme('system'),
  },
  { id: 'frame.sign-out', group: 'General', text: 'Sign out', run: () => void signOut() },
]

export function Overlays() {
  useCommands(frameCommands)
  switch (overlay.value) {
    case 'palette':
      return <Palette onClose={closeOverlay} />
    case 'shortcuts':
      return <ShortcutList onClose={closeOverlay} />
    case 'none':
      return null
  }
}
