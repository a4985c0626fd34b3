/** Copies a text, and says so where it was pressed. */

import { useEffect, useState } from 'preact/hooks'
import { Button, IconButton } from './button.tsx'

interface CopyButtonProps {
  /** Or how to get it, such as from the service. */
  readonly text: string | (() => Promise<string>)
  readonly label: string
  /** The icon alone, or with the label beside it. */
  readonly hasText?: boolean
  readonly isSmall?: boolean
}

const shownMs = 1_500

export function CopyButton({ text, label, hasText = false, isSmall = false }: CopyButtonProps) {
  const [outcome, setOutcome] = useState<'copied' | 'failed' | undefined>(undefined)
  useEffect(() => {
    if (outcome === undefined) return undefined
    const timer = setTimeout(() => setOutcome(undefined), shownMs)
    return () => clearTimeout(timer)
  }, [outcome])
  const onClick = async () => {
    try {
      await copyText(typeof text === 'string' ? text : await text())
      setOutcome('copied')
    } catch {
      setOutcome('failed')
    }
  }
  const shown = { copied: 'Copied', failed: 'Not copied' }
  const current = outcome === undefined ? label : shown[outcome]
  const icon = outcome === 'copied' ? 'check' : outcome === 'failed' ? 'warning' : 'copy'
  if (hasText) {
    return (
      <Button kind="outline" isSmall={isSmall} icon={icon} onClick={onClick}>
        <span aria-live="polite">{current}</span>
      </Button>
    )
  }
  return <IconButton isSmall={isSmall} icon={icon} label={current} onClick={onClick} />
}

/** Over plain HTTP browsers have no clipboard for scripts; a selected text can still be copied. */
async function copyText(text: string): Promise<void> {
  if (navigator.clipboard !== undefined) {
    await navigator.clipboard.writeText(text)
    return
  }
  const area = document.createElement('textarea')
  area.value = text
  area.className = 'visually-hidden'
  // Inside an open dialog the rest of the page is inert and cannot be selected.
  const parent = document.querySelector('dialog[open]') ?? document.body
  const before = document.activeElement
  parent.append(area)
  area.select()
  const isCopied = document.execCommand('copy')
  area.remove()
  if (before instanceof HTMLElement) before.focus()
  if (!isCopied) throw new Error('the browser does not let the page copy')
}
