/** The silences that hold, which editors make and end. */

import { useState } from 'preact/hooks'
import { endSilence, listSilences, type StoredSilence } from '../api/alerts.ts'
import { may } from '../app/session.ts'
import { useRequest } from '../state/request.ts'
import { dateTimeText } from '../time/clock.ts'
import { zone } from '../time/zone.ts'
import { Button } from '../ui/button.tsx'
import { Table } from '../ui/table.tsx'
import { attempt, toast } from '../ui/toasts.tsx'
import { Listed } from './listed.tsx'
import { matchersText } from './matchers.ts'
import { SilenceDialog } from './silence-dialog.tsx'

export function SilenceList() {
  const found = useRequest('silences', listSilences)
  const [isMaking, setMaking] = useState(false)
  const end = async ({ id }: StoredSilence) => {
    await attempt(async () => {
      await endSilence(id)
      toast('The silence is over: people are told again.')
    })
    found.refresh()
  }
  return (
    <>
      {may('editor') && (
        <p>
          <Button kind="outline" icon="plus" onClick={() => setMaking(true)}>
            New silence
          </Button>
        </p>
      )}
      <Listed
        found={found}
        reading="Reading the silences"
        none={{ title: 'No silence holds', text: 'People are told of all alerts that fire.' }}
      >
        {silences => (
          <Table
            label="Silences"
            isStacked
            rows={silences}
            keyOf={({ id }) => id}
            columns={[
              { title: 'Of', cell: ({ matchers }) => <code>{matchersText(matchers)}</code> },
              {
                title: 'Until',
                cell: ({ until }) => dateTimeText(until, zone.value).slice(0, 16),
              },
              { title: 'Why', cell: ({ comment }) => comment || '–' },
              { title: 'By', cell: ({ by }) => by },
            ]}
            actions={silence =>
              may('editor') && (
                <Button isSmall kind="outline" onClick={() => void end(silence)}>
                  End
                </Button>
              )
            }
          />
        )}
      </Listed>
      {isMaking && (
        <SilenceDialog matchers={[]} onClose={() => setMaking(false)} onMade={found.refresh} />
      )}
    </>
  )
}
