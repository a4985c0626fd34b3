/** How often a dashboard asks again by itself: in the address, so that a wall shows what its link says. */

import { useState } from 'preact/hooks'
import { useEvery } from '../state/every.ts'
import { choiceParam } from '../state/param-kinds.ts'
import { urlParam } from '../state/url-param.ts'
import { IconButton } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { Menu } from '../ui/menu.tsx'

const choices = ['off', '10s', '30s', '1m', '5m', '15m'] as const
const secondsOf = { off: 0, '10s': 10, '30s': 30, '1m': 60, '5m': 300, '15m': 900 } as const

const every = urlParam('refresh', choiceParam(choices))

/** Counts up at every turn, and when `again` is called. Nobody asks for a page that is out of sight. */
export function useTurns(): { readonly turn: number; again(): void } {
  const [turn, setTurn] = useState(0)
  const seconds = secondsOf[every.value]
  const again = () => setTurn(before => before + 1)
  useEvery(seconds === 0 ? undefined : seconds * 1_000, again)
  return { turn, again }
}

export function RefreshButtons({ onRefresh }: { onRefresh(): void }) {
  const chosen = every.value
  return (
    <div class="button-group line wraps">
      <IconButton kind="outline" icon="refresh" label="Refresh" keys="r" onClick={onRefresh} />
      <Menu
        label={`Refresh automatically: ${chosen}`}
        className="button button-outline"
        items={[
          { heading: 'Refresh automatically' },
          ...choices.map(choice => ({
            text: choice === 'off' ? 'Off' : `Every ${choice}`,
            isChosen: choice === chosen,
            run: () => every.set(choice, 'replace'),
          })),
        ]}
      >
        {chosen !== 'off' && <span>{chosen}</span>}
        <Icon name="down" />
      </Menu>
    </div>
  )
}
