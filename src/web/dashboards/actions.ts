/**
 * What can be done with a whole dashboard, on its page and in the list. Each says what happened, with Undo
 * where it can be undone.
 */

import { pathTo } from '../../http/page-paths.ts'
import { deleteDashboard, getDashboardText, saveDashboard } from '../api/dashboards.ts'
import { keepingEnvironment } from '../app/environment.tsx'
import { go } from '../state/location.ts'
import { download } from '../ui/download.ts'
import { explain } from '../ui/states.tsx'
import { toast } from '../ui/toasts.tsx'
import { readBoard } from './model/board.ts'
import { duplicateOf, importable } from './model/changes.ts'
import { type Json, printTree, readTree, valueAt, withValue } from './model/json-tree.ts'
import { makeUnsaved } from './unsaved.ts'

/** A dashboard as the service has it. */
export interface LoadedBoard {
  readonly tree: Json
  readonly version: string | undefined
}

export async function loadBoard(id: string, signal?: AbortSignal): Promise<LoadedBoard> {
  const { text, version } = await getDashboardText(id, signal)
  return { tree: valueAt(readTree(text), ['dashboard']) ?? {}, version }
}

export async function loadTree(id: string): Promise<Json> {
  return (await loadBoard(id)).tree
}

export function openBoard(id: string, ...flags: readonly ('edit' | 'new')[]): void {
  const to = new URL(keepingEnvironment(pathTo('dashboard', id)), window.location.href)
  for (const flag of flags) to.searchParams.set(flag, '1')
  go(to.href)
}

/** Opens a dashboard that is in this page only. The service gets it when it is saved first. */
export function createBoard(): void {
  openBoard(makeUnsaved(), 'edit', 'new')
}

/** Makes a copy and opens it. */
export function duplicateBoard(tree: Json): Promise<void> {
  return told(async () => {
    openBoard((await saveDashboard(duplicateOf(tree))).id)
    toast('Duplicated: this is the copy')
  })
}

/** Deletes it, and goes to the list; Undo saves it again under its id. */
export function deleteBoard(id: string, onDone: () => void = () => {}): Promise<void> {
  return told(async () => {
    const tree = await loadTree(id)
    await deleteDashboard(id)
    const title = readBoard(tree).title || id
    toast(`Deleted “${title}”`, () => {
      void told(async () => {
        await saveDashboard(tree)
        toast(`“${title}” is back`)
        onDone()
      })
    })
    go(keepingEnvironment(pathTo('dashboards')))
    onDone()
  })
}

/** Downloads the dashboard as a file. */
export function exportBoard(tree: Json): void {
  const { title, id } = readBoard(tree)
  const name = (title || id || 'dashboard').replace(/[^\p{L}\p{N}]+/gu, '-').slice(0, 80)
  const json = new Blob([`${printTree(tree, 2)}\n`], { type: 'application/json' })
  download(json, `${name}.json`)
}

/** Saves the dashboard in a file and opens it. One whose id is taken comes beside it, never in its place. */
export function importBoard(file: File, takenIds: readonly string[]): Promise<void> {
  return told(async () => {
    const tree = importable(await file.text())
    const isTaken = takenIds.includes(readBoard(tree).id)
    const { id } = await saveDashboard(
      isTaken ? withValue(tree, ['metadata', 'id'], undefined) : tree,
    )
    openBoard(id)
    toast(isTaken ? 'Imported as a copy: the id is already in use' : 'Imported')
  })
}

/** Does it; a failure is told in the service's words. */
async function told(act: () => Promise<void>): Promise<void> {
  try {
    await act()
  } catch (error) {
    const isOurs = error instanceof Error && error.constructor === Error
    const isSyntax = error instanceof SyntaxError
    if (isOurs || isSyntax) toast(`This file is not a dashboard: ${error.message}`)
    else {
      const { title, detail } = explain(error)
      toast(`${title}: ${detail}`)
    }
  }
}
