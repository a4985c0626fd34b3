/** Addresses of the web in a text: only these become links, so that no text brings a script. */

export interface TextPart {
  readonly text: string
  /** Where it leads; undefined for what is no address. */
  readonly href: string | undefined
}

/** Up to what cannot be seen, or turns the direction of writing. */
const address = /\bhttps?:\/\/[^\s"'<>`\\^{}|\p{Cc}\p{Cf}]+/giu
const lengthMax = 2_000

export function hasLink(text: string): boolean {
  return partsOf(text).some(({ href }) => href !== undefined)
}

/** The text in parts; joined they are the text again. */
export function partsOf(text: string): readonly TextPart[] {
  const parts: TextPart[] = []
  let at = 0
  for (const { 0: match, index } of text.matchAll(address)) {
    const found = withoutEnd(match)
    const href = found.length > lengthMax ? undefined : hrefOf(found)
    if (href === undefined) continue
    if (index > at) parts.push({ text: text.slice(at, index), href: undefined })
    parts.push({ text: found, href })
    at = index + found.length
  }
  if (at < text.length) parts.push({ text: text.slice(at), href: undefined })
  return parts
}

/** A sentence's end is none of the address; nor is a bracket that was opened before it. */
function withoutEnd(match: string): string {
  const found = match.replace(/[.,;:!?*]+$/, '')
  const count = (bracket: RegExp) => found.match(bracket)?.length ?? 0
  const isClosing = /[)\]]$/.test(found) && count(/[)\]]/g) > count(/[([]/g)
  return isClosing ? withoutEnd(found.slice(0, -1)) : found
}

/** Where the id stands in the address of a tracer. */
export const idPlace = '$' + '{traceId}'

/** Undefined for a template that is no address of the web, or has no place for the id. */
export function tracerHref(template: string, traceId: string): string | undefined {
  if (!template.includes(idPlace)) return undefined
  return hrefOf(template.trim().replaceAll(idPlace, encodeURIComponent(traceId)))
}

function hrefOf(text: string): string | undefined {
  try {
    const url = new URL(text)
    const isWeb = url.protocol === 'http:' || url.protocol === 'https:'
    return isWeb && url.hostname !== '' ? url.href : undefined
  } catch {
    return undefined
  }
}
