/**
 * The whole dashboard as JSON: to read and copy, and for editors to change. What is applied is one step of
 * undo.
 */

import { useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import type { BoardModel } from '../board-model.ts'
import { faultOf } from '../model/changes.ts'
import { type Json, printTree, readTree, textAt } from '../model/json-tree.ts'

interface JsonDialogProps {
  readonly model: BoardModel
  readonly isReadOnly?: boolean
  onClose(): void
}

export function JsonDialog({ model, isReadOnly = false, onClose }: JsonDialogProps) {
  const [text, setText] = useState(() => printTree(model.tree.peek(), 2))
  const id = textAt(model.tree.peek(), ['metadata', 'id'])
  const { tree, fault } = judge(text, id)
  const apply = () => {
    if (tree === undefined) return
    model.panel.value = undefined
    model.change(tree)
    onClose()
  }
  return (
    <Dialog
      title="Dashboard as JSON"
      width="wide"
      onClose={onClose}
      actions={
        <>
          <CopyButton text={text} label="Copy" hasText />
          {!isReadOnly && (
            <Button kind="primary" disabled={tree === undefined} onClick={apply}>
              Apply
            </Button>
          )}
        </>
      }
    >
      <textarea
        class="input mono json-text"
        aria-label="JSON"
        aria-invalid={fault === undefined ? undefined : true}
        spellcheck={false}
        readOnly={isReadOnly}
        value={text}
        onInput={event => setText(event.currentTarget.value)}
      />
      <p class="json-fault field-error small tone-bad" role="status">
        {fault}
      </p>
    </Dialog>
  )
}

function judge(
  text: string,
  id: string | undefined,
): { readonly tree?: Json; readonly fault?: string } {
  try {
    const tree = readTree(text)
    const fault = faultOf(tree)
    if (fault !== undefined) return { fault }
    // Under another id it would be saved as another dashboard, and this page would not show it.
    if (textAt(tree, ['metadata', 'id']) !== id) {
      return { fault: `"metadata.id" must stay ${JSON.stringify(id)}: duplicate it instead` }
    }
    return { tree }
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) }
  }
}
