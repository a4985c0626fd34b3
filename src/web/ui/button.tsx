/** Everything that is pressed. An icon alone still has a name: `label` is read out and shown on hover. */

import type { ButtonHTMLAttributes, ComponentChildren, Ref } from 'preact'
import { Icon, type IconName } from './icon.tsx'

type Native = Omit<ButtonHTMLAttributes, 'class' | 'icon' | 'label' | 'size' | 'ref'>

interface ButtonProps extends Native {
  /** `plain` when left out. */
  readonly kind?: 'plain' | 'outline' | 'primary' | 'danger'
  readonly isSmall?: boolean
  readonly icon?: IconName
  readonly children: ComponentChildren
  readonly buttonRef?: Ref<HTMLButtonElement>
}

export function Button({ kind, isSmall, icon, children, buttonRef, ...native }: ButtonProps) {
  return (
    <button
      type="button"
      class={buttonClass({ kind, isSmall })}
      ref={buttonRef ?? null}
      {...native}
    >
      {icon && <Icon name={icon} />}
      {children}
    </button>
  )
}

interface IconButtonProps extends Native {
  readonly icon: IconName
  /** What it does, also as its tooltip; `keys` are added there. */
  readonly label: string
  readonly keys?: string
  readonly kind?: 'plain' | 'outline'
  readonly isSmall?: boolean
  readonly buttonRef?: Ref<HTMLButtonElement>
}

export function IconButton({
  icon,
  label,
  keys,
  kind,
  isSmall,
  buttonRef,
  ...native
}: IconButtonProps) {
  return (
    <button
      type="button"
      class={`${buttonClass({ kind, isSmall })} button-icon`}
      aria-label={label}
      title={keys === undefined ? label : `${label} (${keys})`}
      ref={buttonRef ?? null}
      {...native}
    >
      <Icon name={icon} />
    </button>
  )
}

interface Look {
  readonly kind?: 'plain' | 'outline' | 'primary' | 'danger' | undefined
  readonly isSmall?: boolean | undefined
}

/** For links that look like buttons. */
export function buttonClass({ kind = 'plain', isSmall = false }: Look = {}): string {
  return `button button-${kind}${isSmall ? ' button-small' : ''}`
}
