/** What was suggested for a place so far: what is known at once, then the answer when it comes. */

import { useEffect, useState } from 'preact/hooks'
import type { CompletionContext } from './completion-context.ts'
import type { Suggest, Suggestion } from './completions.ts'
import { suggestedAtOnce } from './suggest.ts'

/** Letters typed within this time make one question, ms. */
const pauseMs = 60

export function useSuggestions(
  suggest: Suggest,
  context: CompletionContext | undefined,
): readonly Suggestion[] {
  const [answer, setAnswer] = useState<{ about: string; found: readonly Suggestion[] }>({
    about: '',
    found: [],
  })
  // What came for the same label stays while one goes on typing.
  const about =
    context === undefined ? '' : `${context.kind} ${context.label} ${context.records ?? ''}`
  const typed = context?.typed
  useEffect(() => {
    if (context === undefined || !['label', 'value', 'stage'].includes(context.kind)) {
      return undefined
    }
    const controller = new AbortController()
    const timer = setTimeout(
      () => {
        suggest(context, controller.signal).then(
          found => {
            if (!controller.signal.aborted) setAnswer({ about, found })
          },
          () => {}, // Without completion one can still type.
        )
      },
      answer.about === about ? pauseMs : 0,
    )
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [suggest, about, typed])
  if (context === undefined) return []
  return answer.about === about ? answer.found : suggestedAtOnce(context)
}
