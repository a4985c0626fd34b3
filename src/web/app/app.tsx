/** What is shown at the address: the sign-in page, or the frame with one of the views in it. */

import type { ComponentType } from 'preact'
import { useEffect } from 'preact/hooks'
import type { PageName } from '../../http/page-paths.ts'
import { place } from '../state/location.ts'
import { buttonClass } from '../ui/button.tsx'
import { later } from '../ui/later.tsx'
import { EmptyState, ErrorState } from '../ui/states.tsx'
import { Toasts } from '../ui/toasts.tsx'
import { Header } from './header.tsx'
import { Overlays } from './overlays.tsx'
import { isSessionKnown, loadSession, session, sessionFailure } from './session.ts'
import { SignInPage } from './sign-in.tsx'

type ViewName = Exclude<PageName, 'signIn'>

/** Each loads when it is asked for; the log viewer, which most come for, is asked for in `first-paint.ts`. */
const view = (load: () => Promise<ComponentType<object>>) => later(load, () => location.reload())
const logs = view(async () => (await import('../pages/logs.tsx')).LogsPage)
const dashboards = view(async () => (await import('../pages/dashboards.tsx')).DashboardsPage)
const alerts = view(async () => (await import('../pages/alerts.tsx')).AlertsPage)
const settings = view(async () => (await import('../pages/settings.tsx')).SettingsPage)

const views: Readonly<Record<ViewName, ReturnType<typeof view>>> = {
  home: logs,
  logs,
  trace: view(async () => (await import('../pages/trace.tsx')).TracePage),
  dashboards,
  dashboard: dashboards,
  alerts,
  alertRule: alerts,
  settings,
  settingsSection: settings,
  settingsGroupSection: settings,
}

const titles: Readonly<Record<PageName, string>> = {
  home: 'Logs',
  logs: 'Logs',
  trace: 'Trace',
  dashboards: 'Dashboards',
  dashboard: 'Dashboard',
  alerts: 'Alerts',
  alertRule: 'Alert rule',
  settings: 'Settings',
  settingsSection: 'Settings',
  settingsGroupSection: 'Settings',
  signIn: 'Sign in',
}

export function App() {
  const page = place.value?.page
  useEffect(() => {
    document.title = page === undefined ? 'Logstrata' : `${titles[page]} · Logstrata`
  }, [page])
  if (page === 'signIn') return <SignInPage />
  if (sessionFailure.value !== undefined) {
    return (
      <main class="view column fill">
        <ErrorState error={sessionFailure.value} onRetry={() => void loadSession()} />
      </main>
    )
  }
  if (!isSessionKnown.value || session.value === undefined) return null
  const View = page && views[page]
  return (
    <div class="frame column">
      <a class="skip-link button button-primary" href="#view">
        Skip to the content
      </a>
      <Header />
      <main class="view column fill" id="view" tabIndex={-1}>
        {View === undefined ? <NoPage /> : <View key={titles[page!]} />}
      </main>
      <Overlays />
      <Toasts />
    </div>
  )
}

/** Begins to load what is shown at the address, while it is asked who is signed in. */
export function beginView(): void {
  const page = place.peek()?.page
  if (page === undefined || page === 'signIn') return
  views[page].begin().catch(() => undefined) // It is tried again when it is shown, which tells what failed.
}

function NoPage() {
  return (
    <EmptyState
      title="Page not found"
      actions={
        <a class={buttonClass({ kind: 'outline' })} href="/logs">
          Go to the logs
        </a>
      }
    >
      The link may be mistyped, or what it led to is gone.
    </EmptyState>
  )
}
