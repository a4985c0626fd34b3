/**
 * Which keys were pressed, as the texts in which shortcuts are written: `?`, `g l`, `Mod+k`, `Escape`. `Mod`
 * is Ctrl, on a Mac ⌘. A sequence's keys must follow one another within a second.
 */

export interface Pressed {
  readonly key: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
  readonly shiftKey?: boolean
}

const sequencePauseMs = 1_000

export const isMac = typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.platform)

/**
 * One key with its modifiers; Shift is in the key itself, as in `?`, but named beside `Mod`:
 * `Mod+Shift+z`.
 */
export function keyText(pressed: Pressed, onMac = isMac): string {
  const { key, ctrlKey, metaKey, altKey, shiftKey = false } = pressed
  const isMod = onMac ? metaKey : ctrlKey
  const name = isMod ? key.toLowerCase() : key
  const isShifted = isMod && shiftKey && /^[a-z]$/.test(name)
  return `${isMod ? 'Mod+' : ''}${altKey ? 'Alt+' : ''}${isShifted ? 'Shift+' : ''}${name}`
}

/** How a shortcut is shown to people. */
export function shownKeys(keys: string, onMac = isMac): readonly string[] {
  const names: Record<string, string> = {
    'Mod+k': onMac ? '⌘K' : 'Ctrl+K',
    'Mod+Enter': onMac ? '⌘↩' : 'Ctrl+Enter',
    Escape: 'Esc',
    ArrowUp: '↑',
    ArrowDown: '↓',
  }
  return keys.split(' ').map(one => names[one] ?? one.replace('Mod+', onMac ? '⌘' : 'Ctrl+'))
}

/** Follows the keys and tells which shortcut is complete. */
export class KeySequence {
  #keys: readonly string[] = []
  #lastAt = 0

  /**
   * Takes the next key, at a time in ms. Returns the one of `shortcuts` that the last keys make, the
   * longest first; undefined when there is none, or more may follow.
   */
  next(key: string, atMs: number, shortcuts: readonly string[]): string | undefined {
    if (atMs - this.#lastAt > sequencePauseMs) this.#keys = []
    this.#lastAt = atMs
    const longest = Math.max(1, ...shortcuts.map(keys => keys.split(' ').length))
    this.#keys = [...this.#keys, key].slice(-longest)
    const ending = (length: number) => this.#keys.slice(this.#keys.length - length).join(' ')
    for (let length = this.#keys.length; length > 0; length--) {
      const pressed = ending(length)
      if (shortcuts.includes(pressed)) {
        this.#keys = []
        return pressed
      }
      // `g` begins `g l`: a shortcut on the `l` alone must wait for what follows.
      if (shortcuts.some(keys => keys.startsWith(`${pressed} `))) return undefined
    }
    return undefined
  }
}
