/** The sections of the settings, once: what the list at the side shows, and what the address may name. */

export const sections = [
  { id: 'event-ingestion', title: 'Event ingestion', group: 'Integrations' },
  { id: 'api-keys', title: 'API keys', group: 'Access' },
  { id: 'storage', title: 'Storage', group: 'Service' },
] as const

export type SectionId = (typeof sections)[number]['id']

/** The section that `/settings/{id}` names; the first when it names none, undefined when an unknown one. */
export function sectionAt(id: string): (typeof sections)[number] | undefined {
  return id === '' ? sections[0] : sections.find(section => section.id === id)
}
