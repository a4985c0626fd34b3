/** The text of a query in colours, with the place of a mistake underlined. For eyes only. */

import type { QueryMistake } from './mistake.ts'
import { tokensOf } from './tokens.ts'

interface QueryTextProps {
  readonly text: string
  readonly mistake?: QueryMistake | undefined
  /** Shown while the text is empty. */
  readonly placeholder?: string
}

export function QueryText({ text, mistake, placeholder }: QueryTextProps) {
  const fault = faultOf(text, mistake)
  return (
    <pre class="query-text" aria-hidden="true">
      {text === '' && <span class="faint">{placeholder}</span>}
      {piecesOf(text, fault).map(({ kind, start, end, isFault }) => (
        <span key={start} class={`syntax-${kind}${isFault ? ' syntax-fault' : ''}`}>
          {text.slice(start, end)}
        </span>
      ))}
      {fault !== undefined && fault.start >= text.length && <span class="syntax-fault"> </span>}
      {/* Without it a line that was just begun would have no height. */}
      {'\n'}
    </pre>
  )
}

interface Stretch {
  readonly start: number
  readonly end: number
}

function faultOf(text: string, mistake: QueryMistake | undefined): Stretch | undefined {
  if (mistake === undefined) return undefined
  const { offset, found } = mistake
  const isThere = found !== '' && text.startsWith(found, offset)
  return { start: offset, end: offset + (isThere ? found.length : 1) }
}

/** The tokens, cut where the fault begins and ends. */
function piecesOf(text: string, fault: Stretch | undefined) {
  const cuts = fault === undefined ? [] : [fault.start, fault.end]
  return tokensOf(text).flatMap(({ kind, start, end }) => {
    const borders = [start, ...cuts.filter(cut => start < cut && cut < end), end]
    return borders.slice(0, -1).map((from, index) => {
      const isFault = fault !== undefined && fault.start <= from && from < fault.end
      return { kind, start: from, end: borders[index + 1]!, isFault }
    })
  })
}
