/** How the live tail goes: its rate, what was left out, and pause, resume, clear. */

import { countText, numberText } from '../format.ts'
import { Button } from '../ui/button.tsx'
import type { Tailing } from './use-tail.ts'

interface LiveBarProps {
  readonly tailing: Tailing
  onResume(): void
}

export function LiveBar({ tailing, onResume }: LiveBarProps) {
  const { state, isPaused, waiting, dropped, rate, shown } = tailing
  return (
    <>
      <span class="live-state strong" role="status">
        <span class={`light-lamp${isLit(tailing) ? ' light-lamp-on' : ''}`} />
        {isPaused ? 'Paused' : stateTexts[state]}
      </span>
      <span class="soft">
        {countText(shown.length)} shown · {rateText(rate)}
        {isPaused && waiting > 0 && ` · ${countText(waiting)} new`}
        {dropped > 0 && <strong class="level-warn"> · {countText(dropped)} left out</strong>}
      </span>
      <Button
        isSmall
        kind="outline"
        icon={isPaused ? 'play' : 'pause'}
        onClick={isPaused ? onResume : tailing.pause}
      >
        {isPaused ? 'Resume' : 'Pause'}
      </Button>
      <Button isSmall onClick={tailing.clear}>
        Clear
      </Button>
    </>
  )
}

const stateTexts = {
  connecting: 'Connecting',
  open: 'Live',
  interrupted: 'Interrupted, trying again',
  ended: 'Ended',
} as const

function isLit({ state, isPaused }: Tailing): boolean {
  return state === 'open' && !isPaused
}

function rateText(rate: number): string {
  return `${rate >= 10 ? countText(Math.round(rate)) : numberText(rate)}/s`
}
