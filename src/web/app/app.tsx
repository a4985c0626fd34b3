/** What is shown at the address: the sign-in page, or the frame with one of the views in it. */

import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { PageName } from '../../http/page-paths.ts'
import { place } from '../state/location.ts'
import { buttonClass } from '../ui/button.tsx'
import { EmptyState, ErrorState } from '../ui/states.tsx'
import { Toasts } from '../ui/toasts.tsx'
import { Header } from './header.tsx'
import { Overlays } from './overlays.tsx'
import { isSessionKnown, loadSession, session, sessionFailure } from './session.ts'
import { SignInPage } from './sign-in.tsx'

type ViewName = Exclude<PageName, 'signIn'>

/** Each loads when it is asked for; the log viewer, which most come for, is asked for in `first-paint.ts`. */
const views = {
  home: async () => (await import('../pages/logs.tsx')).LogsPage,
  logs: async () => (await import('../pages/logs.tsx')).LogsPage,
  trace: async () => (await import('../pages/trace.tsx')).TracePage,
  dashboards: async () => (await import('../pages/dashboards.tsx')).DashboardsPage,
  dashboard: async () => (await import('../pages/dashboards.tsx')).DashboardsPage,
  alerts: async () => (await import('../pages/alerts.tsx')).AlertsPage,
  alertRule: async () => (await import('../pages/alerts.tsx')).AlertsPage,
  settings: async () => (await import('../pages/settings.tsx')).SettingsPage,
  settingsSection: async () => (await import('../pages/settings.tsx')).SettingsPage,
  settingsGroupSection: async () => (await import('../pages/settings.tsx')).SettingsPage,
} satisfies Record<ViewName, () => Promise<ComponentType>>

/** Those that are there, to be shown without a moment of nothing. */
const loaded = new Map<ViewName, ComponentType>()

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
      <main class="view">
        <ErrorState error={sessionFailure.value} onRetry={() => void loadSession()} />
      </main>
    )
  }
  if (!isSessionKnown.value || session.value === undefined) return null
  return (
    <div class="frame">
      <a class="skip-link button button-primary" href="#view">
        Skip to the content
      </a>
      <Header />
      <main class="view" id="view" tabIndex={-1}>
        {page === undefined ? <NoPage /> : <View key={titles[page]} page={page} />}
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
  load(page).catch(() => undefined) // It is tried again when it is shown, which tells what failed.
}

async function load(page: ViewName): Promise<ComponentType> {
  const view = await views[page]()
  loaded.set(page, view)
  return view
}

function View({ page }: { readonly page: ViewName }) {
  const [Loaded, setLoaded] = useState(() => loaded.get(page))
  const [error, setError] = useState<unknown>(undefined)
  useEffect(() => {
    let isWanted = true
    load(page).then(
      view => isWanted && setLoaded(() => view),
      reason => isWanted && setError(reason),
    )
    return () => {
      isWanted = false
    }
  }, [page])
  if (error !== undefined) {
    return <ErrorState error={error} onRetry={() => window.location.reload()} />
  }
  return Loaded === undefined ? null : <Loaded />
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
