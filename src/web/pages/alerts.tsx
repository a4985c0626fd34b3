/** Alerts: all about them, and each rule at its address. */

import '../shared.ts'
import { AlertsHome } from '../alerts/alerts-home.tsx'
import { RuleEditor } from '../alerts/rule-editor.tsx'
import { place } from '../state/location.ts'

export function AlertsPage() {
  const { page, id } = place.value ?? { page: 'alerts', id: '' }
  return (
    <div class="page alerts">
      {page === 'alertRule' ? <RuleEditor key={id} id={id} /> : <AlertsHome />}
    </div>
  )
}
