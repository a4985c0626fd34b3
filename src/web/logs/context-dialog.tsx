/** The records around one, of the same stream: what happened just before and after, search kept. */

import { useEffect, useRef, useState } from 'preact/hooks'
import { type AnswerRecord, queryContext } from '../api/records.ts'
import { useRequest } from '../state/request.ts'
import { zone } from '../time/zone.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { ErrorState, Progress } from '../ui/states.tsx'
import { toast } from '../ui/toasts.tsx'
import { RecordDetail } from './detail.tsx'
import { fieldOf } from './record-fields.ts'
import { LogRow } from './row.tsx'
import { surrounded } from './shown.ts'

/** On either side, and how many more at a time. */
const stepCount = 25

export function ContextDialog() {
  const record = surrounded.value
  if (record === undefined) return null
  return (
    <Dialog title="Surrounding records" width="wide" onClose={() => (surrounded.value = undefined)}>
      <Surroundings key={record.id} record={record} />
    </Dialog>
  )
}

function Surroundings({ record }: { readonly record: AnswerRecord }) {
  const found = useRequest(record.id, signal =>
    queryContext({ id: record.id, before: stepCount, after: stepCount }, signal),
  )
  const [earlier, setEarlier] = useState<Side>({ records: [], isAll: false })
  const [later, setLater] = useState<Side>({ records: [], isAll: false })
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    place.current?.querySelector('.context-center')?.scrollIntoView({ block: 'center' })
  }, [found.answer])
  const before = [...earlier.records, ...(found.answer?.before ?? [])]
  const after = [...(found.answer?.after ?? []), ...later.records]

  const more = async (side: 'before' | 'after') => {
    const end = side === 'before' ? (before[0] ?? record) : (after.at(-1) ?? record)
    try {
      const counts = { before: 0, after: 0, [side]: stepCount }
      const records = (await queryContext({ id: end.id, ...counts }))[side]
      const isAll = records.length === 0
      if (side === 'before') setEarlier({ records: [...records, ...earlier.records], isAll })
      else setLater({ records: [...later.records, ...records], isAll })
    } catch {
      toast('No more records could be loaded')
    }
  }
  const stream = ['service.name', 'environment'].map(name => fieldOf(record, name)).join(', ')
  return (
    <div class="context" ref={place}>
      <p class="soft">What came just before and after it, from {stream}, whatever the query.</p>
      <div class="context-rows mono">
        <Progress isBusy={found.isBusy} text="Loading surrounding records" />
        {found.error !== undefined && <ErrorState error={found.error} onRetry={found.refresh} />}
        {found.answer !== undefined && (
          <>
            <MoreButton isAll={earlier.isAll} text="Earlier" onClick={() => more('before')} />
            <ContextRows records={before} />
            <div class="context-center">
              <ContextRows records={[record]} isCenter />
            </div>
            <ContextRows records={after} />
            <MoreButton isAll={later.isAll} text="Later" onClick={() => more('after')} />
          </>
        )}
      </div>
    </div>
  )
}

interface Side {
  readonly records: readonly AnswerRecord[]
  readonly isAll: boolean
}

function MoreButton(props: { isAll: boolean; text: string; onClick(): void }) {
  return (
    <Button isSmall disabled={props.isAll} onClick={props.onClick}>
      {props.isAll ? `No ${props.text.toLowerCase()} records` : `${props.text} records`}
    </Button>
  )
}

function ContextRows({
  records,
  isCenter = false,
}: {
  readonly records: readonly AnswerRecord[]
  readonly isCenter?: boolean
}) {
  const [openId, setOpenId] = useState<string | undefined>(undefined)
  const look = {
    zone: zone.value,
    hasDay: true,
    columns: [],
    isJson: false,
    isWrapped: false,
    places: Number.POSITIVE_INFINITY,
    sought: undefined,
    precision: 'ms' as const,
  }
  return (
    <>
      {records.map(record => (
        // biome-ignore lint/a11y: keys press its button.
        <div
          key={record.id}
          class={isCenter ? 'context-row-center' : ''}
          onClick={event => {
            const isRow = (event.target as Element).closest('.log-row') !== null
            if (isRow) setOpenId(openId === record.id ? undefined : record.id)
          }}
        >
          <LogRow record={record} look={look} isOpen={openId === record.id} />
          {openId === record.id && <RecordDetail record={record} />}
        </div>
      ))}
    </>
  )
}
