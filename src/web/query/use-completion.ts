/**
 * The list of completions of a query box: what it offers, which of it is marked, and what taking one does.
 */

import { useMemo, useState } from 'preact/hooks'
import { type CompletionContext, completionAt, phraseAt } from './completion-context.ts'
import { type Completion, completionsAt, type Suggest } from './completions.ts'
import type { WrittenAhead } from './typing-over.ts'
import { useSuggestions } from './use-suggestions.ts'

interface OpenList {
  /** What could be completed there: a word of the query, and words to search for. */
  readonly contexts: readonly CompletionContext[]
  /** Index of the marked completion. */
  readonly active: number
  /** Whether somebody chose the mark by the arrows: then Enter takes it. */
  readonly isChosen: boolean
}

export interface CompletionState {
  readonly list: readonly Completion[]
  readonly active: number
  readonly isChosen: boolean
  /** Where in the text the word begins. */
  readonly from: number
  /** Opens the list where the caret is; `isAsked`: also where nothing is typed yet. */
  openAt(query: string, caret: number, isAsked: boolean): void
  /** Goes on behind what was taken. */
  openBehind(taken: Completion): void
  mark(index: number): void
  close(): void
}

const none: readonly Completion[] = []

export function useCompletion(text: string, suggest: Suggest): CompletionState {
  const [open, setOpen] = useState<OpenList | undefined>(undefined)
  const suggested = useSuggestions(suggest, open?.contexts[0])
  const list = useMemo(
    () => open?.contexts.flatMap(context => completionsAt(text, context, suggested)) ?? none,
    [open?.contexts, suggested, text],
  )
  const show = (contexts: readonly CompletionContext[]) =>
    setOpen(contexts.length === 0 ? undefined : { contexts, active: 0, isChosen: false })
  const openAt = (query: string, caret: number, isAsked: boolean) => {
    const word = completionAt(query, caret)
    const phrase = phraseAt(query, caret)
    const isQuiet =
      word?.typed === '' && !isAsked && !['value', 'label', 'stage'].includes(word.kind)
    show([
      ...(word === undefined || isQuiet ? [] : [word]),
      ...(phrase === undefined ? [] : [phrase]),
    ])
  }
  return {
    list,
    active: Math.min(open?.active ?? 0, Math.max(0, list.length - 1)),
    isChosen: open?.isChosen === true,
    from: open?.contexts[0]?.from ?? 0,
    openAt,
    openBehind: ({ query, kind, caret, selected }) => {
      if (selected > 0) {
        // What stands for an attribute: its names are offered as if nothing were written there.
        const context = completionAt(query, caret + selected)
        const blank = { from: caret, to: caret + selected, typed: '' }
        show(context?.kind === 'label' ? [{ ...context, ...blank }] : [])
      } else if (kind === 'label' || kind === 'operator') openAt(query, caret, true)
      else setOpen(undefined)
    },
    mark: active => open && setOpen({ ...open, active, isChosen: true }),
    close: () => setOpen(undefined),
  }
}

/** What was written ahead of somebody who goes on typing behind what was taken. */
export function aheadOf({ kind, caret, retyped }: Completion): WrittenAhead | undefined {
  if (retyped === '') return undefined
  // The caret is between the quotes.
  const matcher = kind === 'label' ? ([caret - 2, caret + 1] as const) : undefined
  return { caret, retyped, typed: '', matcher }
}
