/** Dashboards: the list of all, and each at its address. */

import '../shared.ts'
import { DashboardList } from '../dashboards/dashboard-list.tsx'
import { DashboardPage } from '../dashboards/dashboard-page.tsx'
import { place } from '../state/location.ts'

export function DashboardsPage() {
  const { page, id } = place.value ?? { page: 'dashboards', id: '' }
  return page === 'dashboard' ? <DashboardPage key={id} id={id} /> : <DashboardList />
}
