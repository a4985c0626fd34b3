/** A button with a list of things to do or choose; arrows, Home, End and first letters move in it. */

import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { placeByKey } from './arrow-keys.ts'
import { Icon, type IconName } from './icon.tsx'
import { Popover } from './popover.tsx'

export interface MenuItem {
  readonly text: string
  readonly icon?: IconName
  /** Among choices: whether it is the one that holds. */
  readonly isChosen?: boolean
  readonly isDangerous?: boolean
  run(): void
}

/** A heading for the items below it, or a line of text. */
export interface MenuText {
  readonly heading: string
}

interface MenuProps {
  /** Of the button, when its content does not say it. */
  readonly label: string
  /** The button's content. */
  readonly children: ComponentChildren
  readonly items: readonly (MenuItem | MenuText)[]
  readonly className?: string
  /** Such as to load what the items are made of. */
  onOpen?(): void
}

export function Menu({ label, children, items, className = 'button', onOpen }: MenuProps) {
  const button = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(false)
  const close = useRef(() => setOpen(false)).current
  const toggle = () => {
    if (!isOpen) onOpen?.()
    setOpen(!isOpen)
  }
  return (
    <>
      <button
        type="button"
        class={className}
        aria-label={label}
        title={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        ref={button}
        onClick={toggle}
        onKeyDown={event => {
          if (event.key === 'ArrowDown' && !isOpen) {
            event.preventDefault()
            toggle()
          }
        }}
      >
        {children}
      </button>
      {isOpen && (
        <Popover anchor={button} onClose={close}>
          <MenuItems
            label={label}
            items={items}
            onRun={item => {
              close()
              button.current?.focus()
              item.run()
            }}
          />
        </Popover>
      )}
    </>
  )
}

interface Choice<T> {
  readonly value: T
  set(value: T, step?: 'replace'): void
}

/** Items for the values that a preference, or a part of the address, can have: `texts` by value. */
export function choices<T extends string>(
  chosen: Choice<T>,
  texts: Readonly<Record<T, string>>,
): readonly MenuItem[] {
  return (Object.keys(texts) as T[]).map(value => ({
    text: texts[value],
    isChosen: chosen.value === value,
    run: () => chosen.set(value, 'replace'),
  }))
}

function MenuItems({
  label,
  items,
  onRun,
}: {
  readonly label: string
  readonly items: MenuProps['items']
  onRun(item: MenuItem): void
}) {
  const list = useRef<HTMLDivElement>(null)
  const buttons = () => [
    ...(list.current?.querySelectorAll<HTMLElement>('[role^="menuitem"]') ?? []),
  ]
  // Before anything else can be pressed: an arrow key right after the one that opened it is for the list.
  useLayoutEffect(() => {
    const all = buttons()
    const chosen = all.find(one => one.getAttribute('aria-checked') === 'true')
    ;(chosen ?? all[0])?.focus({ preventScroll: true })
  }, [])

  const onKeyDown = (event: KeyboardEvent) => {
    const all = buttons()
    const at = all.indexOf(document.activeElement as HTMLElement)
    const next = nextIndex(event.key, at, all)
    if (next === undefined) return
    event.preventDefault()
    all[next]?.focus()
  }
  return (
    <div class="menu" role="menu" aria-label={label} tabIndex={-1} ref={list} onKeyDown={onKeyDown}>
      {items.map(item =>
        'heading' in item ? (
          <div class="menu-heading small faint" key={item.heading} role="presentation">
            {item.heading}
          </div>
        ) : (
          <button
            key={item.text}
            type="button"
            class={`menu-item line bare${item.isDangerous ? ' tone-bad' : ''}`}
            {...roleOf(item)}
            tabIndex={-1}
            onClick={() => onRun(item)}
          >
            {item.icon && <Icon name={item.icon} />}
            <span class="truncate">{item.text}</span>
            {item.isChosen && <Icon name="check" />}
          </button>
        ),
      )}
    </div>
  )
}

function roleOf({ isChosen }: MenuItem) {
  return isChosen === undefined
    ? ({ role: 'menuitem' } as const)
    : ({ role: 'menuitemradio', 'aria-checked': isChosen } as const)
}

function nextIndex(key: string, at: number, all: readonly HTMLElement[]): number | undefined {
  const count = all.length
  const place = placeByKey(key, at, count)
  if (place !== undefined) return place
  if (key.length !== 1 || key === ' ') return undefined
  const turned = all.map((_, index) => (at + 1 + index) % count)
  return turned.find(index => all[index]!.textContent.trim().toLowerCase().startsWith(key))
}
