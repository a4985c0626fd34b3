/** Settings: the sections at the side, and the one that the address names. */

import '../shared.ts'
import { Alerts } from '../settings/alerts.tsx'
import { ApiKeys } from '../settings/api-keys.tsx'
import { EventIngestion } from '../settings/event-ingestion.tsx'
import { sectionHref } from '../settings/section-href.ts'
import { type SectionId, sectionAt, sections } from '../settings/sections.ts'
import { Storage } from '../settings/storage.tsx'
import { place } from '../state/location.ts'
import { buttonClass } from '../ui/button.tsx'
import { EmptyState } from '../ui/states.tsx'

const views = {
  'event-ingestion': EventIngestion,
  'api-keys': ApiKeys,
  storage: Storage,
  alerts: Alerts,
} satisfies Record<SectionId, () => unknown>

export function SettingsPage() {
  const { id: asked, group: askedGroup } = place.value ?? { id: '', group: '' }
  const section = sectionAt(asked, askedGroup)
  const View = section && views[section.id]
  return (
    <div class="page settings">
      <nav class="settings-nav column" aria-label="Settings">
        {sections.map(({ id, title, group }, index) => (
          <div key={id}>
            {group !== sections[index - 1]?.group && (
              <div class="settings-group small faint">{group}</div>
            )}
            <a
              class="settings-link soft line hovers"
              href={sectionHref(id)}
              aria-current={id === section?.id ? 'page' : undefined}
            >
              {title}
            </a>
          </div>
        ))}
      </nav>
      <div class="settings-content">{View === undefined ? <NoSection /> : <View />}</div>
    </div>
  )
}

function NoSection() {
  return (
    <EmptyState
      title="Settings page not found"
      icon="settings"
      actions={
        <a class={buttonClass({ kind: 'outline' })} href={sectionHref('event-ingestion')}>
          Go to Event Ingestion
        </a>
      }
    >
      The link may be mistyped.
    </EmptyState>
  )
}
