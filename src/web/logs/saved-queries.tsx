/** Queries under a name: to run, and for editors to save and delete. Deleting can be undone. */

import { useState } from 'preact/hooks'
import {
  deleteSavedQuery,
  listSavedQueries,
  type SavedQuery,
  saveQuery,
} from '../api/saved-queries.ts'
import { useCommands } from '../app/commands.ts'
import { may } from '../app/session.ts'
import { compareNames } from '../natural-order.ts'
import { QueryText } from '../query/query-text.tsx'
import { setParams } from '../state/location.ts'
import { useRequest } from '../state/request.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Popover, usePopover } from '../ui/popover.tsx'
import { explain, Progress } from '../ui/states.tsx'
import { attempt, toast } from '../ui/toasts.tsx'
import { SavingAs, savingItems } from './save-as.tsx'
import { columns, query, run } from './shown.ts'

export function SavedQueries() {
  const { anchor, isOpen, open, close, button } = usePopover()
  useCommands('Logs', [
    {
      id: 'logs.saved',
      text: 'Saved queries',
      keys: 'q',
      run: open,
    },
  ])
  return (
    <>
      <IconButton
        kind="outline"
        icon="star"
        label="Saved queries"
        keys="q"
        aria-haspopup="dialog"
        buttonRef={anchor}
        {...button}
      />
      {isOpen && (
        <Popover anchor={anchor} label="Saved queries" onClose={close}>
          <SavedList onClose={close} />
        </Popover>
      )}
      <SavingAs />
    </>
  )
}

/** Runs it, with its columns. */
export function takeSaved(saved: SavedQuery): void {
  run(saved.query)
  setParams(columns.change(saved.columns), 'replace')
}

function SavedList({ onClose }: { onClose(): void }) {
  const found = useRequest('saved', listSavedQueries)
  const isEditor = may('editor')
  const take = (saved: SavedQuery) => {
    takeSaved(saved)
    onClose()
  }
  const remove = (saved: SavedQuery) =>
    attempt(async () => {
      await deleteSavedQuery(saved.id)
      found.refresh()
      toast(`“${saved.name}” is deleted`, () => void attempt(() => saveQuery(saved)))
    })
  return (
    <div class="saved">
      <Progress isBusy={found.isBusy} text="Reading" />
      {found.error !== undefined && <p class="soft">{explain(found.error).detail}</p>}
      {found.answer?.length === 0 && (
        <p class="saved-none soft">
          {isEditor ? 'None yet. The query in the box can be saved here.' : 'None yet.'}
        </p>
      )}
      <ul class="saved-list">
        {inOrder(found.answer)?.map(saved => (
          <li class="saved-item line" key={saved.id}>
            <button type="button" class="saved-take column bare grows" onClick={() => take(saved)}>
              <bdi class="truncate">{saved.name}</bdi>
              <QueryText text={saved.query} />
            </button>
            {isEditor && (
              <IconButton
                isSmall
                icon="trash"
                label={`Delete ${saved.name}`}
                onClick={() => void remove(saved)}
              />
            )}
          </li>
        ))}
      </ul>
      {isEditor && <SaveForm names={found.answer ?? []} onSaved={found.refresh} />}
      {isEditor && (
        <div class="saved-further line wraps">
          <span class="soft">Or as</span>
          {savingItems.map(({ text, icon, run }) => (
            <Button
              key={text}
              isSmall
              {...(icon && { icon })}
              onClick={() => {
                onClose()
                run()
              }}
            >
              {text}
            </Button>
          ))}
        </div>
      )}
    </div>
  )
}

function SaveForm({ names, onSaved }: { names: readonly SavedQuery[]; onSaved(): void }) {
  const [name, setName] = useState('')
  const isTaken = names.some(one => one.name === name.trim())
  const save = () =>
    attempt(async () => {
      await saveQuery({ name, query: query.peek(), columns: columns.peek() })
      setName('')
      onSaved()
    })
  return (
    <form
      class="saved-form line"
      onSubmit={event => {
        event.preventDefault()
        if (name.trim() !== '') void save()
      }}
    >
      <Field
        label="Save this query as"
        value={name}
        maxLength={200}
        hint={isTaken ? 'There is one of this name; it will be replaced.' : 'Visible to everybody.'}
        onChange={setName}
      />
      <Button kind="outline" type="submit" disabled={name.trim() === ''}>
        {isTaken ? 'Replace' : 'Save'}
      </Button>
    </form>
  )
}

function inOrder(all: readonly SavedQuery[] | undefined) {
  return all?.toSorted((a, b) => compareNames(a.name, b.name))
}
