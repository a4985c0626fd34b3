/** How long records are kept, and for admins the way to change that. */

import { useState } from 'preact/hooks'
import { type RetentionAnswer, showRetention } from '../api/settings.ts'
import { may } from '../app/session.ts'
import { bytesText, plural } from '../format.ts'
import { useRequest } from '../state/request.ts'
import { durationWords } from '../time/range.ts'
import { Button } from '../ui/button.tsx'
import { later } from '../ui/later.tsx'
import { Group, Stat } from './figures.tsx'

const RetentionDialog = later(async () => (await import('./retention-dialog.tsx')).RetentionDialog)

const flags = {
  ageMs: ['--retention-age', 'LOGSTRATA_RETENTION_AGE'],
  bytes: ['--retention-bytes', 'LOGSTRATA_RETENTION_BYTES'],
} as const

export function RetentionGroup({ deletedSegments }: { readonly deletedSegments: number }) {
  const found = useRequest('retention', showRetention)
  const [isOpen, setOpen] = useState(false)
  const retention = found.answer
  if (retention === undefined) return null
  const { ageMs, bytes, fixed } = retention
  return (
    <Group
      title="Retention"
      actions={
        <>
          {may('admin') && fixed.length < 2 && (
            <Button isSmall kind="outline" icon="edit" onClick={() => setOpen(true)}>
              Change retention
            </Button>
          )}
          {isOpen && (
            <RetentionDialog
              retention={retention}
              onClose={() => setOpen(false)}
              onChanged={found.refresh}
            />
          )}
        </>
      }
    >
      <Stat title="By age" value={ageMs === null ? 'kept for ever' : durationWords(ageMs)}>
        <Origin of="ageMs" fixed={fixed} />
      </Stat>
      <Stat title="By size" value={bytes === null ? 'no bound' : bytesText(bytes)}>
        <Origin of="bytes" fixed={fixed} />; the oldest go first
      </Stat>
      <Stat title="Deleted since start" value={plural(deletedSegments, 'segment')}>
        whole segments, once all of their records are too old or too many
      </Stat>
    </Group>
  )
}

/** Who has the last word on a bound. */
function Origin({ of, fixed }: { of: keyof typeof flags; fixed: RetentionAnswer['fixed'] }) {
  const [flag, variable] = flags[of]
  if (!fixed.includes(of)) return <>{may('admin') ? 'set here' : 'set here, by admins'}</>
  return (
    <>
      fixed by <code>{flag}</code> or <code>{variable}</code> when the service starts
    </>
  )
}
