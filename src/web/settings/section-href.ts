/** Addresses inside the settings; the chosen environment goes along. */

import { pathTo } from '../../http/page-paths.ts'
import { keepingEnvironment } from '../app/environment.tsx'
import { choiceParam, textParam } from '../state/param-kinds.ts'
import { urlParam } from '../state/url-param.ts'
import { groupPart, type SectionId, sections } from './sections.ts'

/** The ingestion token whose page is shown, by id; empty for the list. */
export const shownToken = urlParam('token', textParam())

/** Which snippet is shown, by id. */
export const shownSnippet = urlParam('with', textParam('curl'))

/** A dialog that is open: a link to it opens it. */
export const shownForm = urlParam('form', choiceParam(['none', 'new']))

export function sectionHref(id: SectionId): string {
  const section = sections.find(one => one.id === id)!
  return keepingEnvironment(pathTo('settingsGroupSection', id, groupPart(section)))
}

export function tokenHref(id: string): string {
  const url = new URL(sectionHref('event-ingestion'), window.location.href)
  url.searchParams.set('token', id)
  return url.pathname + url.search
}
