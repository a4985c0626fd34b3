/**
 * Everything that can be done by key or found in the palette. Views add theirs while they are shown
 * (`useCommands`); the list under `?` and the palette show what is there now.
 */

import { type ReadonlySignal, signal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { KeySequence, keyText } from './key-sequence.ts'

export interface Command {
  /** Unique among all that may be shown at once, such as `logs.live`. */
  readonly id: string
  /** What it does, as an order: "Go to logs". */
  readonly text: string
  /** Under which heading it is listed. */
  readonly group: string
  /** Such as `g l`, or `Mod+k`, taken while one types, too; without keys it is in the palette only. */
  readonly keys?: string
  run(): void
}

const registered = signal<readonly Command[]>([])

export const commands: ReadonlySignal<readonly Command[]> = registered

/** Adds commands until the returned function is called. One of the same id takes precedence if later. */
function addCommands(added: readonly Command[]): () => void {
  registered.value = [...registered.peek(), ...added]
  return () => {
    registered.value = registered.peek().filter(one => !added.includes(one))
  }
}

/** Adds commands of a group for as long as the component is shown. `run` may change with every render. */
export function useCommands(group: string, current: readonly Omit<Command, 'group'>[]): void {
  const latest = useRef(current)
  latest.current = current
  const shape = JSON.stringify(current.map(({ id, text, keys }) => [id, text, keys]))
  useLayoutEffect(
    () =>
      addCommands(
        latest.current.map(command => ({
          ...command,
          group,
          run: () => latest.current.find(({ id }) => id === command.id)?.run(),
        })),
      ),
    [shape],
  )
}

/** Carries out commands by their keys. Call once. */
export function listenToKeys(): void {
  const sequence = new KeySequence()
  document.addEventListener('keydown', event => {
    if (event.defaultPrevented || event.isComposing) return
    const key = keyText(event)
    const isTyping = isEditable(event.target)
    const usable = registered
      .peek()
      .filter(({ keys }) => keys !== undefined && (!isTyping || keys.startsWith('Mod+')))
      .reverse() // What was added last is in front: a view's Escape before the frame's.
    const pressed = sequence.next(
      key,
      event.timeStamp,
      usable.map(({ keys }) => keys!),
    )
    const command = usable.find(({ keys }) => keys === pressed)
    if (command === undefined || isDialogOpen()) return
    event.preventDefault()
    command.run()
  })
}

function isEditable(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target instanceof HTMLInputElement) {
    return !['checkbox', 'radio', 'button', 'range'].includes(target.type)
  }
  return target.isContentEditable || ['TEXTAREA', 'SELECT'].includes(target.tagName)
}

/** The page behind a dialog does nothing; what it offers, it does itself. */
function isDialogOpen(): boolean {
  return document.querySelector('dialog[open]') !== null
}
