/**
 * The box that a query is written in: a `<textarea>` that grows from one line to five, over the same
 * text in colours. Enter runs, Shift+Enter begins a new line, Ctrl or ⌘ with ↑ and ↓ goes through what
 * was run before. A list of completions opens while one types, of which Tab takes one; it is made from
 * what is known at once and filled in when answers come: typing never waits for the network.
 *
 * The text being written is the box's own; `value` is what was last run, and setting it to something
 * else writes that into the box. What the grammar cannot read is marked while it is typed, and never run.
 */

import type { RefObject } from 'preact'
import { useId, useImperativeHandle, useMemo, useRef, useState } from 'preact/hooks'
import type { ApiProblem } from '../api/problem.ts'
import { isMac } from '../app/key-sequence.ts'
import { CompletionList } from './completion-list.tsx'
import type { Completion, Suggest } from './completions.ts'
import { QueryHistory } from './history.ts'
import { mayBecomeRight, mistakeIn, mistakeOf } from './mistake.ts'
import { QueryText } from './query-text.tsx'
import type { CompletionState } from './use-completion.ts'
import { useWriting, type Writing } from './use-writing.ts'

export interface QueryBoxProps {
  /** The query that was last run. */
  readonly value: string
  /** Read out as the box's name. */
  readonly label: string
  readonly suggest: Suggest
  /** Why the service refused `value`; its place is underlined until the text changes. */
  readonly problem?: ApiProblem | undefined
  readonly placeholder?: string
  /** Boxes of the same name share what was run. */
  readonly history?: string
  /** To run what is written by something else than Enter. */
  readonly handle?: RefObject<QueryBoxHandle | null>
  onRun(query: string): void
  /** At every change of the text. */
  onInput?(query: string): void
}

export interface QueryBoxHandle {
  run(): void
}

export function QueryBox(props: QueryBoxProps) {
  const { value, label, problem, placeholder, handle } = props
  const id = useId()
  const area = useRef<HTMLTextAreaElement>(null)
  const writing = useWriting(props, area)
  const { text, completion } = writing
  const [refused, setRefused] = useState<string | undefined>(undefined)
  const [history] = useState(() => new QueryHistory(localStorage, props.history))
  const isOpen = completion.list.length > 0

  const mistake = useMemo(() => mistakeIn(text), [text])
  const isRefused = refused === text || (text === value && problem !== undefined)
  const isMarked = mistake !== undefined && (isRefused || !mayBecomeRight(text, mistake))
  const shown = isMarked ? mistake : text === value ? mistakeOf(problem) : undefined

  const run = () => {
    completion.close()
    const isWrong = mistakeIn(text) !== undefined
    setRefused(isWrong ? text : undefined)
    if (isWrong) return
    history.add(text)
    props.onRun(text)
  }
  useImperativeHandle(handle ?? { current: null }, () => ({ run }))

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing || !actOnKey(event, writing, { area, history, run })) return
    event.preventDefault()
    event.stopPropagation()
  }

  return (
    <div class="query-box grows">
      <div class="query-frame" data-invalid={shown !== undefined}>
        <div class="query-lines">
          <QueryText text={text} mistake={shown} placeholder={placeholder ?? ''} />
          <textarea
            ref={area}
            class="query-area"
            data-focus="query"
            rows={1}
            aria-label={label}
            aria-autocomplete="list"
            aria-haspopup="listbox"
            aria-controls={isOpen ? `${id}-list` : undefined}
            aria-activedescendant={isOpen ? `${id}-${completion.active}` : undefined}
            aria-invalid={shown !== undefined}
            aria-describedby={shown === undefined || isOpen ? undefined : `${id}-problem`}
            autocomplete="off"
            autocapitalize="off"
            spellcheck={false}
            value={text}
            onInput={({ currentTarget }) => {
              writing.onTyped(currentTarget.value, currentTarget.selectionStart)
            }}
            onKeyDown={onKeyDown}
            onClick={completion.close}
            onBlur={completion.close}
          />
        </div>
      </div>
      {isOpen && (
        <CompletionList
          id={id}
          area={area}
          from={completion.from}
          text={text}
          completions={completion.list}
          active={completion.active}
          isChosen={completion.isChosen}
          onTake={writing.take}
        />
      )}
      <p class="visually-hidden" role="status">
        {isOpen && `${completion.list.length} completions`}
      </p>
      {shown && !isOpen && (
        <p class="query-problem small" id={`${id}-problem`} role={isRefused ? 'alert' : 'status'}>
          {shown.message}
        </p>
      )}
    </div>
  )
}

interface Keyed {
  readonly area: RefObject<HTMLTextAreaElement | null>
  readonly history: QueryHistory
  run(): void
}

/** What a key does, but for those that write: whether it was one. */
function actOnKey(event: KeyboardEvent, writing: Writing, { area, history, run }: Keyed): boolean {
  const { text, completion, write, take } = writing
  const { key } = event
  const isOpen = completion.list.length > 0
  const isMod = isMac ? event.metaKey : event.ctrlKey
  if (isMod && (key === 'ArrowUp' || key === 'ArrowDown')) {
    const found = key === 'ArrowUp' ? history.earlier(text) : history.later()
    if (found !== undefined) write(found)
    completion.close()
  } else if (event.ctrlKey && key === ' ') {
    completion.openAt(text, area.current?.selectionStart ?? text.length, true)
  } else if (isOpen && actOnList(event, completion, take)) {
    return true
  } else if (key === 'Escape') {
    if (isOpen) completion.close()
    else area.current?.blur()
  } else if (key === 'Enter' && !event.shiftKey) {
    run()
  } else {
    return false
  }
  return true
}

/** What a key does while the list is open: whether it was for the list. */
function actOnList(
  event: KeyboardEvent,
  { list, active, isChosen, mark }: CompletionState,
  take: (completion: Completion) => void,
): boolean {
  const { key, shiftKey, ctrlKey, metaKey } = event
  const step = { ArrowDown: 1, ArrowUp: -1 }[key]
  if (step !== undefined) {
    mark((active + step + list.length) % list.length)
    return true
  }
  const isTab = key === 'Tab' && !shiftKey
  const isEnter = key === 'Enter' && !shiftKey && !ctrlKey && !metaKey && isChosen
  if (isTab || isEnter) take(list[active]!)
  return isTab || isEnter
}
