/** The text of a query box while it is written: what typing and taking a completion make of it. */

import type { RefObject } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Completion } from './completions.ts'
import type { QueryBoxProps } from './query-box.tsx'
import { typedOver, type WrittenAhead } from './typing-over.ts'
import { aheadOf, type CompletionState, useCompletion } from './use-completion.ts'

export interface Writing {
  readonly text: string
  readonly completion: CompletionState
  /** Puts another text into the box, its caret at the end unless told. */
  write(text: string, caret?: number, selected?: number): void
  take(taken: Completion): void
  /** The box says that somebody typed: its text and caret now. */
  onTyped(text: string, caret: number): void
}

export function useWriting(
  { value, suggest, onInput }: QueryBoxProps,
  area: RefObject<HTMLTextAreaElement | null>,
): Writing {
  const [text, setText] = useState(value)
  const ahead = useRef<WrittenAhead | undefined>(undefined)
  const completion = useCompletion(text, suggest)
  useEffect(() => {
    setText(value)
    completion.close()
  }, [value])
  const write = (next: string, caret = next.length, selected = 0) => {
    setText(next)
    onInput?.(next)
    if (area.current === null) return
    // At once, and also when the text is as before: the next key may come before anything is drawn.
    area.current.value = next
    area.current.setSelectionRange(caret, caret + selected)
  }
  return {
    text,
    completion,
    write,
    take: taken => {
      write(taken.query, taken.caret, taken.selected)
      ahead.current = aheadOf(taken)
      completion.openBehind(taken)
    },
    onTyped: (next, caret) => {
      const over = typedOver(text, next, caret, ahead.current)
      ahead.current = over?.ahead
      const result = over ?? { text: next, caret }
      if (over === undefined) {
        setText(next)
        onInput?.(next)
      } else {
        write(over.text, over.caret)
      }
      completion.openAt(result.text, result.caret, over?.ahead !== undefined)
    },
  }
}
