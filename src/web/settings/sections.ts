/** The sections of the settings, once: what the list at the side shows, and what the address may name. */

export const sections = [
  { id: 'event-ingestion', title: 'Event Ingestion', group: 'Integrations' },
  { id: 'api-keys', title: 'API keys', group: 'Access' },
  { id: 'storage', title: 'Storage', group: 'Service' },
  { id: 'alerts', title: 'Alerts', group: 'Service' },
] as const

export type SectionId = (typeof sections)[number]['id']

/** The part of the address that names the group of a section, such as `integrations`. */
export function groupPart({ group }: (typeof sections)[number]): string {
  return group.toLowerCase()
}

/**
 * The section that `/settings/{group}/{id}` names, or `/settings/{id}` when `group` is empty; the first
 * when `id` is empty too, undefined when there is no such section.
 */
export function sectionAt(id: string, group: string): (typeof sections)[number] | undefined {
  if (id === '') return sections[0]
  const section = sections.find(one => one.id === id)
  const isThere = section !== undefined && (group === '' || group === groupPart(section))
  return isThere ? section : undefined
}
