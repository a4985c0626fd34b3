/** The line at the top of every page: where one is, where one can go, and as whom. */

import { pagePaths } from '../../http/page-paths.ts'
import { path } from '../state/location.ts'
import { IconButton } from '../ui/button.tsx'
import { Icon, type IconName } from '../ui/icon.tsx'
import { choices, Menu } from '../ui/menu.tsx'
import { EnvironmentMenu, keepingEnvironment } from './environment.tsx'
import { shownKeys } from './key-sequence.ts'
import { openOverlay } from './overlay.ts'
import { session, signOut } from './session.ts'
import { shownTheme, themeChoice, toggleTheme } from './theme.ts'

/** Where one can go, and the keys that lead there. */
export const pages: readonly { text: string; href: string; icon: IconName; keys: string }[] = [
  { text: 'Logs', href: pagePaths.logs, icon: 'logs', keys: 'g l' },
  { text: 'Dashboards', href: pagePaths.dashboards, icon: 'dashboards', keys: 'g d' },
  { text: 'Alerts', href: pagePaths.alerts, icon: 'bell', keys: 'g a' },
  { text: 'Settings', href: pagePaths.settings, icon: 'settings', keys: 'g s' },
]

export function Header() {
  const isDark = shownTheme.value === 'dark'
  return (
    <header class="header line">
      <a class="brand line" href={pagePaths.logs} aria-label="Logstrata: go to the logs">
        <svg class="brand-mark" viewBox="0 0 16 16" aria-hidden="true">
          <rect width="16" height="16" rx="3.5" />
          <path d="M3.5 4.5h9M3.5 8h6M3.5 11.5h8" />
        </svg>
        <span class="brand-name">Logstrata</span>
      </a>
      <nav class="pages" aria-label="Pages">
        {pages.map(({ text, href, icon }) => (
          <a
            key={href}
            class="page-link line soft"
            href={keepingEnvironment(href)}
            aria-current={isAt(href) ? 'page' : undefined}
          >
            <Icon name={icon} />
            {text}
          </a>
        ))}
      </nav>
      <div class="header-end line at-end">
        <EnvironmentMenu />
        <button
          type="button"
          class="button find"
          title="Find a command"
          onClick={() => openOverlay('palette')}
        >
          <Icon name="search" />
          <span class="visually-hidden">Find a command</span>
          <kbd class="find-keys">{shownKeys('Mod+k')[0]}</kbd>
        </button>
        <span class="theme-toggle">
          <IconButton
            icon={isDark ? 'sun' : 'moon'}
            label={isDark ? 'Switch to light' : 'Switch to dark'}
            onClick={toggleTheme}
          />
        </span>
        <UserMenu />
      </div>
    </header>
  )
}

function isAt(href: string): boolean {
  const current = path.value === '/' ? pagePaths.logs : path.value
  return current === href || current.startsWith(`${href}/`)
}

function UserMenu() {
  const user = session.value
  if (user === undefined) return null
  return (
    <Menu
      label={`Signed in as ${user.role}`}
      className="button user"
      items={[
        { heading: `${user.name} · ${user.role}` },
        ...choices(themeChoice, { system: 'System theme', light: 'Light', dark: 'Dark' }),
        { heading: 'Help' },
        { text: 'Find a command', run: () => openOverlay('palette') },
        { text: 'Keyboard shortcuts', run: () => openOverlay('shortcuts') },
        { text: 'API reference', icon: 'external', run: () => window.open('/docs', '_blank') },
        { text: 'Sign out', run: () => void signOut() },
      ]}
    >
      <Icon name="user" />
      <span class="user-role">{user.role}</span>
      <Icon name="down" />
    </Menu>
  )
}
