/**
 * Which groups of a dashboard are folded otherwise than the dashboard says. That is no change of it, but it
 * goes along with changes: where a widget is moved or removed, those behind it have another path, and what
 * is undone shows the groups as they were.
 */

import { type ReadonlySignal, signal } from '@preact/signals'
import { type Json, type Path, pathKey } from './model/json-tree.ts'
import { isWithin, withoutStep } from './model/regroup.ts'

type Folded = ReadonlyMap<string, Path>

export class Folding {
  readonly #tree: ReadonlySignal<Json>
  readonly #folded = signal<Folded>(new Map())
  /** As it was when a tree was left. */
  readonly #left = new WeakMap<object, Folded>()

  constructor(tree: ReadonlySignal<Json>) {
    this.#tree = tree
  }

  isTurned(group: Path): boolean {
    return this.#folded.value.has(pathKey(group))
  }

  turn(group: Path): void {
    const next = new Map(this.#folded.peek())
    if (!next.delete(pathKey(group))) next.set(pathKey(group), group)
    this.#folded.value = next
  }

  /** Call it before `change`, which takes the widget away, or to another path. */
  during(change: () => void, widget: Path, to?: Path): void {
    const before = this.#folded.peek()
    this.#leave()
    change()
    const moved = [...before.values()].flatMap(path => {
      if (!isWithin(path, widget)) return [withoutStep(path, widget)]
      return to === undefined ? [] : [[...to, ...path.slice(widget.length)]]
    })
    this.#folded.value = new Map(moved.map(path => [pathKey(path), path]))
  }

  /** For undo and redo. */
  duringReturn(change: () => void): void {
    this.#leave()
    change()
    const tree = this.#tree.peek()
    const known = typeof tree === 'object' && tree !== null ? this.#left.get(tree) : undefined
    if (known !== undefined) this.#folded.value = known
  }

  #leave(): void {
    const tree = this.#tree.peek()
    if (typeof tree === 'object' && tree !== null) this.#left.set(tree, this.#folded.peek())
  }
}
