/** Finds a command, a dashboard, a saved query or a service by some of its letters. */

import { useId, useMemo, useState } from 'preact/hooks'
import { useRequest } from '../state/request.ts'
import { useModal } from '../ui/dialog.tsx'
import { type Command, commands } from './commands.ts'
import { loadPlaces } from './places.ts'
import { Keys } from './shortcut-list.tsx'

/** More than these nobody looks through. */
const placesMax = 40

export function Palette({ onClose }: { onClose(): void }) {
  const { box, close } = useModal(onClose)
  const [text, setText] = useState('')
  const [active, setActive] = useState(0)
  const id = useId()
  const places = useRequest('places', loadPlaces)
  const found = useMemo(
    () => [
      ...matching(commands.peek(), text),
      ...(text.trim() === '' ? [] : matching(places.answer ?? [], text).slice(0, placesMax)),
    ],
    [text, places.answer],
  )
  const run = (command: Command | undefined) => {
    if (command === undefined) return
    onClose()
    // After the dialog has given the focus back, so that the command may move it.
    setTimeout(command.run)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') run(found[active])
    else if (event.key === 'ArrowDown') setActive((active + 1) % Math.max(1, found.length))
    else if (event.key === 'ArrowUp') setActive(active === 0 ? found.length - 1 : active - 1)
    else return
    event.preventDefault()
  }
  return (
    <dialog class="dialog palette floating" aria-label="Find a command" ref={box} {...close}>
      <input
        class="palette-input"
        role="combobox"
        aria-label="Find a command"
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-activedescendant={found[active] && `${id}-${active}`}
        placeholder="Find a command, dashboard, query or service"
        autocomplete="off"
        spellcheck={false}
        value={text}
        onInput={event => {
          setText(event.currentTarget.value)
          setActive(0)
        }}
        onKeyDown={onKeyDown}
      />
      <div class="palette-list" role="listbox" id={`${id}-list`} aria-label="Commands">
        {found.map((command, index) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the input.
          // biome-ignore lint/a11y/useKeyWithClickEvents: Enter in the input does it.
          <div
            key={command.id}
            id={`${id}-${index}`}
            class="palette-item line apart"
            role="option"
            aria-selected={index === active}
            onPointerMove={() => setActive(index)}
            onClick={() => run(command)}
          >
            <span class="truncate">{command.text}</span>
            {command.keys === undefined ? (
              <span class="faint">{command.group}</span>
            ) : (
              <Keys command={command} />
            )}
          </div>
        ))}
      </div>
      {found.length === 0 && <p class="palette-none soft">Nothing of this name.</p>}
    </dialog>
  )
}

/** Those whose text has all words of `text`, in any order. */
function matching(all: readonly Command[], text: string): readonly Command[] {
  const words = text.toLowerCase().split(/\s+/)
  return all.filter(command => {
    const name = `${command.group} ${command.text}`.toLowerCase()
    return words.every(word => name.includes(word))
  })
}
