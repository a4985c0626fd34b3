/**
 * The box that a query is written in: a `<textarea>` that grows from one line to five, over the same
 * text in colours. Enter runs, Shift+Enter begins a new line, Ctrl or ⌘ with ↑ and ↓ goes through what was run
 * before. A list of completions opens while one types; it is made from what is known at once and
 * filled in when answers come: typing never waits for the network.
 *
 * The text being written is the box's own; `value` is what was last run, and setting it to something
 * else writes that into the box.
 */

import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { ApiProblem } from '../api/problem.ts'
import { isMac } from '../app/key-sequence.ts'
import { type CompletionContext, completionAt } from './completion-context.ts'
import { CompletionList } from './completion-list.tsx'
import { type Completion, completionsAt, isComplete, type Suggest } from './completions.ts'
import { QueryHistory } from './history.ts'
import { QueryText } from './query-text.tsx'
import { useSuggestions } from './use-suggestions.ts'

export interface QueryBoxProps {
  /** The query that was last run. */
  readonly value: string
  /** Read out as the box's name. */
  readonly label: string
  readonly suggest: Suggest
  /** Why `value` was refused; its place is underlined until the text changes. */
  readonly problem?: ApiProblem | undefined
  readonly placeholder?: string
  /** Boxes of the same name share what was run. */
  readonly history?: string
  onRun(query: string): void
  /** At every change of the text. */
  onInput?(query: string): void
}

interface OpenList {
  readonly context: CompletionContext
  /** Index of the marked completion; undefined: none, and Enter runs the query. */
  readonly active: number | undefined
  /** Whether somebody chose the mark by the arrows. */
  readonly isChosen: boolean
}

export function QueryBox(props: QueryBoxProps) {
  const { value, label, suggest, problem, placeholder, onRun, onInput } = props
  const id = useId()
  const area = useRef<HTMLTextAreaElement>(null)
  const [text, setText] = useState(value)
  const [open, setOpen] = useState<OpenList | undefined>(undefined)
  const [history] = useState(() => new QueryHistory(localStorage, props.history))
  const caretWanted = useRef<number | undefined>(undefined)
  const suggested = useSuggestions(suggest, open?.context)
  const completions = open === undefined ? [] : completionsAt(open.context, suggested)
  const isComplete_ = open !== undefined && isComplete(open.context, completions)
  const active = open?.isChosen ? open.active : isComplete_ ? undefined : open?.active
  const shownProblem = problem !== undefined && text === value ? problem : undefined

  useEffect(() => {
    setText(value)
    setOpen(undefined)
  }, [value])

  useLayoutEffect(() => {
    if (caretWanted.current === undefined) return
    area.current?.setSelectionRange(caretWanted.current, caretWanted.current)
    caretWanted.current = undefined
  })

  const write = (next: string, caret = next.length) => {
    setText(next)
    onInput?.(next)
    caretWanted.current = caret
  }

  /** Opens the list where the caret is; `asked`: also where nothing is typed yet. */
  const openAt = (query: string, caret: number, isAsked: boolean) => {
    const context = completionAt(query, caret)
    const isQuiet = context !== undefined && context.typed === '' && opensUnasked(context) === false
    if (context === undefined || (isQuiet && !isAsked)) setOpen(undefined)
    else setOpen({ context, active: 0, isChosen: false })
  }

  const take = ({ written }: Completion, { from, to, kind }: CompletionContext) => {
    // A label goes on with its operator, and that with the value.
    const isLabel = kind === 'label' && completionGoesOn(text, to)
    const next = text.slice(0, from) + written + (isLabel ? '=' : '') + text.slice(to)
    const caret = from + written.length + (isLabel ? 1 : 0)
    write(next, caret)
    openAt(next, caret, isLabel || kind === 'operator')
  }

  const run = () => {
    setOpen(undefined)
    history.add(text)
    onRun(text)
  }

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return
    const isMod = isMac ? event.metaKey : event.ctrlKey
    const handled = () => {
      event.preventDefault()
      event.stopPropagation()
    }
    const last = completions.length - 1
    const move = (index: number) => {
      handled()
      if (open !== undefined) setOpen({ ...open, active: index, isChosen: true })
    }
    if (isMod && (event.key === 'ArrowUp' || event.key === 'ArrowDown')) {
      handled()
      const found = event.key === 'ArrowUp' ? history.earlier(text) : history.later()
      if (found !== undefined) write(found)
      setOpen(undefined)
      return
    }
    if (event.ctrlKey && event.key === ' ') {
      handled()
      openAt(text, area.current?.selectionStart ?? text.length, true)
      return
    }
    if (completions.length > 0 && open !== undefined) {
      const marked = active === undefined ? undefined : completions[active]
      if (event.key === 'ArrowDown')
        return move(active === undefined || active >= last ? 0 : active + 1)
      if (event.key === 'ArrowUp')
        return move(active === undefined || active <= 0 ? last : active - 1)
      if (event.key === 'Tab' && !event.shiftKey) {
        handled()
        take(marked ?? completions[0]!, open.context)
        return
      }
      if (event.key === 'Enter' && !event.shiftKey && !isMod && marked !== undefined) {
        handled()
        take(marked, open.context)
        return
      }
    }
    if (event.key === 'Escape') {
      if (open !== undefined && completions.length > 0) setOpen(undefined)
      else area.current?.blur()
      handled()
      return
    }
    if (event.key === 'Enter' && !event.shiftKey) {
      handled()
      run()
    }
  }

  return (
    <div class="query-box">
      <div class="query-frame" data-invalid={shownProblem !== undefined}>
        <div class="query-lines">
          <QueryText text={text} problem={shownProblem} placeholder={placeholder ?? ''} />
          <textarea
            ref={area}
            class="query-area"
            data-focus="query"
            rows={1}
            aria-label={label}
            aria-autocomplete="list"
            aria-haspopup="listbox"
            aria-controls={open === undefined ? undefined : `${id}-list`}
            aria-activedescendant={active === undefined ? undefined : `${id}-${active}`}
            aria-invalid={shownProblem !== undefined}
            aria-describedby={shownProblem === undefined ? undefined : `${id}-problem`}
            autocomplete="off"
            autocapitalize="off"
            spellcheck={false}
            value={text}
            onInput={event => {
              const { value: next, selectionStart } = event.currentTarget
              setText(next)
              onInput?.(next)
              openAt(next, selectionStart, false)
            }}
            onKeyDown={onKeyDown}
            onClick={() => setOpen(undefined)}
            onBlur={() => setOpen(undefined)}
          />
        </div>
      </div>
      {open !== undefined && completions.length > 0 && (
        <CompletionList
          id={id}
          area={area}
          from={open.context.from}
          text={text}
          completions={completions}
          active={active}
          onTake={completion => take(completion, open.context)}
        />
      )}
      <p class="visually-hidden" role="status">
        {open !== undefined && completions.length > 0 && `${completions.length} completions`}
      </p>
      {shownProblem && (
        <p class="query-problem" id={`${id}-problem`} role="alert">
          {shownProblem.message}
        </p>
      )}
    </div>
  )
}

/** In quotes, behind an operator and where a label must come, the list opens without a letter typed. */
function opensUnasked({ kind }: CompletionContext): boolean {
  return kind === 'value' || kind === 'label'
}

/** Whether an operator can follow a label at `offset`: in braces, and none is there yet. */
function completionGoesOn(text: string, offset: number): boolean {
  const context = completionAt(`${text.slice(0, offset)} `, offset + 1)
  return context?.kind === 'operator' && !/^\s*[=!]/.test(text.slice(offset))
}
