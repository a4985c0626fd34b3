/**
 * A dialog that does one thing: Enter does it, Escape does not, and a failure is said in it. The focus
 * begins in its first input, or, where there is none, on Cancel: what is asked is not done by a stray
 * Enter.
 */

import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { explain } from '../ui/states.tsx'

interface ActionDialogProps {
  readonly title: string
  /** The button's text, such as `Delete the token`. */
  readonly act: string
  readonly kind: 'primary' | 'danger'
  readonly children: ComponentChildren
  /** What it throws is shown; whoever shows it at a field does not throw it. */
  onAct(): Promise<void>
  onClose(): void
}

export function ActionDialog({ title, act, kind, children, onAct, onClose }: ActionDialogProps) {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(undefined)
  const form = useRef<HTMLFormElement>(null)
  const cancel = useRef<HTMLButtonElement>(null)
  const formId = useId()
  useLayoutEffect(() => {
    const input = form.current?.querySelector<HTMLElement>('input, select')
    ;(input ?? cancel.current)?.focus()
  }, [])

  const submit = async (event: Event) => {
    event.preventDefault()
    if (isBusy) return
    setBusy(true)
    setError(undefined)
    try {
      await onAct()
    } catch (reason) {
      setError(reason)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button kind="outline" buttonRef={cancel} onClick={onClose}>
            Cancel
          </Button>
          <Button kind={kind} type="submit" form={formId} disabled={isBusy}>
            {act}
          </Button>
        </>
      }
    >
      {/* What is wrong is said at the field, in our words, not in a bubble of the browser's. */}
      <form class="settings-form column" id={formId} ref={form} noValidate onSubmit={submit}>
        {children}
      </form>
      <div role="alert">{error !== undefined && <FailureText error={error} />}</div>
    </Dialog>
  )
}

function FailureText({ error }: { readonly error: unknown }) {
  const { title, detail, remedy } = explain(error)
  return (
    <p class="settings-failure">
      <strong>{title}.</strong> {detail} {remedy}
    </p>
  )
}
