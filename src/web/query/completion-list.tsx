/** The list of completions, below the word that is being typed. */

import type { RefObject } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { countText } from '../format.ts'
import type { Completion } from './completions.ts'

/** To the line of the word, pixels: the list lies below the box of a single line. */
const gap = 9

interface CompletionListProps {
  /** Of the box; the list's own is `<id>-list`, the completions' are `<id>-0` and so on. */
  readonly id: string
  readonly area: RefObject<HTMLTextAreaElement | null>
  readonly text: string
  /** Where in the text the word begins. */
  readonly from: number
  readonly completions: readonly Completion[]
  readonly active: number
  /** Whether the active one was chosen by the arrows: then Enter takes it, too. */
  readonly isChosen: boolean
  onTake(completion: Completion): void
}

export function CompletionList(props: CompletionListProps) {
  const { id, area, text, from, completions, active, isChosen, onTake } = props
  const list = useRef<HTMLDivElement>(null)
  const [place, setPlace] = useState({ left: '0px', top: '0px' })

  useLayoutEffect(() => {
    const box = area.current?.closest<HTMLElement>('.query-box')
    if (area.current === null || !box) return
    const { left, bottom } = placeOfCharacter(area.current, text, from)
    const frame = box.getBoundingClientRect()
    const width = list.current?.offsetWidth ?? 0
    const room = Math.max(0, innerWidth - frame.left - width - 8)
    setPlace({
      left: `${Math.max(0, Math.min(left - frame.left - 8, room))}px`,
      top: `${bottom - frame.top + gap}px`,
    })
  }, [area, text, from])

  useLayoutEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: 'nearest' })
  }, [active])

  return (
    // The focus stays in the box, which names the active one.
    <div
      class="completions floating"
      role="listbox"
      id={`${id}-list`}
      aria-label="Completions"
      ref={list}
      style={place}
    >
      {completions.map((completion, index) => (
        // biome-ignore lint/a11y/useFocusableInteractive: the box has the focus.
        <div
          key={completion.shown}
          id={`${id}-${index}`}
          class="completion hovers line"
          role="option"
          aria-selected={index === active}
          data-key={index !== active ? undefined : isChosen ? '↵' : 'Tab'}
          // Not on click: the box would lose the focus first, and the list close.
          onPointerDown={event => {
            event.preventDefault()
            onTake(completion)
          }}
        >
          <span class="completion-text truncate mono">{completion.shown}</span>
          {completion.note && <span class="completion-note small faint">{completion.note}</span>}
          {completion.count !== undefined && (
            <span class="completion-note small faint">{countText(completion.count)}</span>
          )}
        </div>
      ))}
    </div>
  )
}

/** Where the character is on the screen: measured in the coloured text, which lies exactly below. */
function placeOfCharacter(area: HTMLTextAreaElement, text: string, offset: number) {
  const lines = area.parentElement?.querySelector('.query-text')
  const range = document.createRange()
  let rest = Math.min(offset, text.length)
  for (const span of lines?.querySelectorAll('span[class^="syntax-"]') ?? []) {
    const node = span.firstChild
    if (node === null) continue
    const { length } = node.textContent ?? ''
    if (rest <= length) {
      range.setStart(node, rest)
      range.setEnd(node, rest)
      const [rectangle] = range.getClientRects()
      if (rectangle !== undefined) return { left: rectangle.left, bottom: rectangle.bottom }
      break
    }
    rest -= length
  }
  const { left, bottom } = area.getBoundingClientRect()
  return { left: left + 8, bottom }
}
