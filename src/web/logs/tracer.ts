/** The way to where spans are shown: a link with a place for the trace's id, kept by this browser. */

import { kept } from '../state/kept.ts'
import { textParam } from '../state/param-kinds.ts'

export const tracerTemplate = kept('tracer', textParam())

const idPlace = '${' + 'traceId}'

/** Undefined for a template that is no address of the web, or has no place for the id. */
export function tracerHref(template: string, traceId: string): string | undefined {
  if (!template.includes(idPlace)) return undefined
  try {
    const url = new URL(template.trim().replaceAll(idPlace, encodeURIComponent(traceId)))
    return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : undefined
  } catch {
    return undefined
  }
}
