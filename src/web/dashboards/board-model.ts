/**
 * A dashboard that is open: its tree with what was changed, whether that is saved, and what is selected
 * and folded. Views read its signals.
 */

import { computed, type ReadonlySignal, signal } from '@preact/signals'
import { type Drop, DropAreas } from './edit/dropping.ts'
import { Folding } from './folding.ts'
import { type Board, readBoard } from './model/board.ts'
import type { Place } from './model/grid.ts'
import { type Json, type Path, pathKey, withValue } from './model/json-tree.ts'
import { regrouped } from './model/regroup.ts'
import { changed, redone, type UndoStack, undone, undoStack } from './model/undo-stack.ts'

export type Panel = 'settings' | 'variables' | { readonly widget: Path }

export interface BoardState {
  /** What the service has, or, while it has none, what a new dashboard begins with. */
  readonly saved: Json
  /** Of `saved`. */
  readonly version: string | undefined
  readonly isStored: boolean
  /** With what was changed; `saved` when left out. */
  readonly present?: Json
}

export class BoardModel {
  readonly tree: ReadonlySignal<Json>
  readonly board: ReadonlySignal<Board>
  /** Whether the service has it. */
  readonly isStored: ReadonlySignal<boolean>
  /** Whether there is something to lose. */
  readonly isDirty: ReadonlySignal<boolean>
  readonly canUndo: ReadonlySignal<boolean>
  readonly canRedo: ReadonlySignal<boolean>
  /** What is edited beside the grid. */
  readonly panel = signal<Panel | undefined>(undefined)
  /** Where a widget that is dragged would be dropped; undefined over its own list. */
  readonly drop = signal<Drop | undefined>(undefined)
  readonly dropAreas = new DropAreas()
  /** Why queries of widgets failed, by `queryKey`. */
  readonly failures = signal<ReadonlyMap<string, unknown>>(new Map())
  readonly #stack: ReturnType<typeof signal<UndoStack<Json>>>
  readonly #saved: ReturnType<typeof signal<Json>>
  readonly #isStored: ReturnType<typeof signal<boolean>>
  #version: string | undefined
  readonly #folding: Folding

  constructor({ saved, version, isStored, present = saved }: BoardState) {
    this.#version = version
    const stack = signal(changed(undoStack(saved), present))
    const savedTree = signal(saved)
    const isStoredNow = signal(isStored)
    this.#isStored = isStoredNow
    this.isStored = computed(() => isStoredNow.value)
    this.#stack = stack
    this.#saved = savedTree
    this.tree = computed(() => stack.value.present)
    this.#folding = new Folding(this.tree)
    this.board = computed(() => readBoard(this.tree.value))
    this.isDirty = computed(() => stack.value.present !== savedTree.value)
    this.canUndo = computed(() => stack.value.past.length > 0)
    this.canRedo = computed(() => stack.value.future.length > 0)
  }

  get saved(): Json {
    return this.#saved.peek()!
  }

  /** Of what the service had when it was last read or written. */
  get version(): string | undefined {
    return this.#version
  }

  /** @param name Changes of one name that follow each other are one step of undo. */
  change(next: Json, name?: string): void {
    this.#stack.value = changed(this.#stack.peek()!, next, name)
  }

  /** Moves a widget to another list; what is edited beside the grid goes along. */
  moveTo(widget: Path, list: Path, place?: Place): void {
    const moved = regrouped(this.tree.peek(), widget, list, place)
    if (moved === undefined) return
    this.#folding.during(() => this.change(moved.tree), widget, moved.path)
    if (typeof this.panel.peek() === 'object') this.panel.value = { widget: moved.path }
  }

  remove(widget: Path): void {
    this.panel.value = undefined
    const next = withValue(this.tree.peek(), widget, undefined)
    this.#folding.during(() => this.change(next), widget)
  }

  undo(): void {
    this.#folding.duringReturn(() => {
      this.#stack.value = undone(this.#stack.peek()!)
    })
  }

  redo(): void {
    this.#folding.duringReturn(() => {
      this.#stack.value = redone(this.#stack.peek()!)
    })
  }

  /** `tree` is what the service has now. */
  markSaved(tree: Json, version: string | undefined): void {
    this.#isStored.value = true
    this.#saved.value = tree
    this.#version = version
  }

  /** Shows what the service has now instead of what was changed here; that can be undone. */
  take(tree: Json, version: string | undefined): void {
    this.panel.value = undefined
    this.markSaved(tree, version)
    this.change(tree)
  }

  /** Back to what was saved; that can be undone. */
  discard(): void {
    this.panel.value = undefined
    this.change(this.saved)
  }

  isClosed(path: Path, isClosedAtFirst: boolean): boolean {
    return this.#folding.isTurned(path) !== isClosedAtFirst
  }

  toggle(path: Path): void {
    this.#folding.turn(path)
  }

  report(key: string, error: unknown): void {
    if (this.failures.peek().get(key) === error) return
    const next = new Map(this.failures.peek())
    if (error === undefined) next.delete(key)
    else next.set(key, error)
    this.failures.value = next
  }
}

/** The name of a widget's query among `failures`. */
export function queryKey(widget: Path, index: number): string {
  return `${pathKey(widget)}#${index}`
}
