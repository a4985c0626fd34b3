/**
 * What was, what is, and what was undone. Changes with the same name that follow each other, such as the
 * letters typed into one field, are one step.
 */

export interface UndoStack<T> {
  readonly past: readonly T[]
  readonly present: T
  readonly future: readonly T[]
  /** Of the last change; undefined after undo, redo and changes that stand alone. */
  readonly lastName: string | undefined
}

/** Steps that can be undone. */
export const stepsMax = 200

export function undoStack<T>(present: T): UndoStack<T> {
  return { past: [], present, future: [], lastName: undefined }
}

/** @param name Changes of one name are one step; without a name each is one. */
export function changed<T>(stack: UndoStack<T>, present: T, name?: string): UndoStack<T> {
  if (present === stack.present) return stack
  const isSameStep = name !== undefined && name === stack.lastName
  const past = isSameStep ? stack.past : [...stack.past, stack.present].slice(-stepsMax)
  return { past, present, future: [], lastName: name }
}

export function undone<T>(stack: UndoStack<T>): UndoStack<T> {
  const before = stack.past.at(-1)
  if (before === undefined) return stack
  return {
    past: stack.past.slice(0, -1),
    present: before,
    future: [stack.present, ...stack.future],
    lastName: undefined,
  }
}

export function redone<T>(stack: UndoStack<T>): UndoStack<T> {
  const [next, ...future] = stack.future
  if (next === undefined) return stack
  return { past: [...stack.past, stack.present], present: next, future, lastName: undefined }
}
