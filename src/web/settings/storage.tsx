/** Settings > Storage: how much there is, how fast it grows, what is deleted when, and how it goes. */

import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { type StorageStats, showStorage } from '../api/settings.ts'
import { bytesText, countText, elapsedText, numberText } from '../format.ts'
import { useRequest } from '../state/request.ts'
import { durationWords } from '../time/range.ts'
import { Icon } from '../ui/icon.tsx'
import { ErrorState, Progress } from '../ui/states.tsx'
import { NotCurrent } from './not-current.tsx'
import {
  bytesPerRecord,
  type Finding,
  findingsOf,
  type Rate,
  rateOf,
  samplesMax,
  withSample,
} from './storage-reading.ts'
import { useEvery } from './use-every.ts'

const pollMs = 2_000
const sampledText = durationWords(pollMs * (samplesMax - 1))

export function Storage() {
  const found = useRequest('storage', showStorage)
  const stats = found.answer
  const [samples, setSamples] = useState<readonly StorageStats[]>([])
  useEvery(pollMs, () => {
    if (!found.isBusy) found.refresh()
  })
  useEffect(() => {
    if (stats !== undefined) setSamples(before => withSample(before, stats))
  }, [stats])
  return (
    <>
      <header class="page-header">
        <h1>Storage</h1>
        {stats !== undefined && <NotCurrent error={found.error} />}
      </header>
      <Progress isBusy={found.isBusy && stats === undefined} text="Loading storage" />
      {stats === undefined && found.error !== undefined && (
        <ErrorState error={found.error} onRetry={found.refresh} />
      )}
      {stats !== undefined && (
        <>
          {findingsOf(stats).map(finding => (
            <FindingLine key={finding.title} finding={finding} />
          ))}
          <Stats stats={stats} rate={rateOf(samples)} />
        </>
      )}
    </>
  )
}

const findingIcons = { ok: 'check', warn: 'warning', error: 'warning' } as const

function FindingLine({ finding: { kind, title, text } }: { readonly finding: Finding }) {
  return (
    <p class={`storage-finding storage-finding-${kind}`}>
      <Icon name={findingIcons[kind]} />
      <span>
        <strong>{title}.</strong> <span class="soft">{text}</span>
      </span>
    </p>
  )
}

interface StatsProps {
  readonly stats: StorageStats
  readonly rate: Rate | undefined
}

function Stats({ stats, rate }: StatsProps) {
  const { journal, segments, disk, quarantine, retention, events, queuedScans } = stats
  return (
    <>
      <Group title="Size">
        <Stat title="Records" value={countText(journal.records + segments.records)}>
          {countText(segments.records)} in segments, {countText(journal.records)} in the journal
        </Stat>
        <Stat title="On disk" value={bytesText(journal.bytes + segments.bytes)}>
          {bytesText(segments.bytes)} in {plural(segments.files, 'segment')},{' '}
          {bytesText(journal.bytes)} in {plural(journal.files, 'file')} of the journal
        </Stat>
        <Compression stats={stats} />
      </Group>
      <Group title="Events now">
        <Stat
          title="Rate"
          value={rate === undefined ? 'measuring…' : `${rateText(rate.eventsPerSecond)} events/s`}
        >
          {rate === undefined
            ? 'two looks are needed'
            : `${bytesText(Math.round(rate.bytesPerSecond))} of JSON a second, over the last ${sampledText}`}
        </Stat>
        <Stat title="Accepted since start" value={countText(events.accepted)}>
          {bytesText(events.bytes)} of JSON
        </Stat>
        <Stat title="Rejected since start" value={countText(events.rejected)}>
          {events.rejected === 0
            ? 'every event was taken'
            : 'each sender was told why in its answer'}
        </Stat>
      </Group>
      <Group title="Retention">
        <Stat
          title="By age"
          value={retention.ageMs === null ? 'kept for ever' : durationWords(retention.ageMs)}
        >
          set by <code>--retention-age</code> or <code>LOGSTRATA_RETENTION_AGE</code> when the
          service starts
        </Stat>
        <Stat
          title="By size"
          value={retention.bytes === null ? 'no bound' : bytesText(retention.bytes)}
        >
          set by <code>--retention-bytes</code> or <code>LOGSTRATA_RETENTION_BYTES</code>; the
          oldest go first
        </Stat>
        <Stat title="Deleted since start" value={plural(retention.deletedSegments, 'segment')}>
          whole segments, once all of their records are too old or too many
        </Stat>
      </Group>
      <Group title="Disk">
        <Stat title="Free" value={bytesText(disk.freeBytes)}>
          of {bytesText(disk.totalBytes)} on the disk that has the data
        </Stat>
        <Stat
          title="Last write"
          value={journal.lastCommitMs === 0 ? 'none yet' : elapsedText(journal.lastCommitMs)}
        >
          with its sync; senders wait so long for their answers
        </Stat>
        <Stat
          title="Damaged"
          value={quarantine.files === 0 ? 'nothing' : plural(quarantine.files, 'part')}
        >
          {quarantine.files === 0
            ? 'every byte that was read was as it was written'
            : `${bytesText(quarantine.bytes)} in quarantine/ of the data directory`}
        </Stat>
      </Group>
      <Group title="Backlog">
        <Stat title="Waiting for the disk" value={bytesText(journal.pendingBytes)}>
          events that came a moment ago
        </Stat>
        <Stat title="Waiting to be sealed" value={plural(journal.unsealedFiles, 'file')}>
          closed files of the journal
        </Stat>
        <Stat title="Waiting to be scanned" value={plural(queuedScans, 'task')}>
          parts of queries that wait for a thread
        </Stat>
      </Group>
    </>
  )
}

/** Segments show what it comes to; before the first one, the journal is all there is. */
function Compression({ stats: { journal, segments } }: Pick<StatsProps, 'stats'>) {
  const sealed = perRecord(segments)
  const arrived = perRecord(journal)
  if (sealed === undefined) {
    return (
      <Stat title="Compression" value={arrived ?? 'no records yet'}>
        in the journal; segments, which are made of it, take less
      </Stat>
    )
  }
  return (
    <Stat title="Compression" value={sealed}>
      in segments{arrived && `; ${arrived} in the journal, before it is sealed`}
    </Stat>
  )
}

function Group({
  title,
  children,
}: {
  readonly title: string
  readonly children: ComponentChildren
}) {
  return (
    <section class="settings-card">
      <h2>{title}</h2>
      <dl class="storage-stats">{children}</dl>
    </section>
  )
}

interface StatProps {
  readonly title: string
  readonly value: string
  readonly children: ComponentChildren
}

function Stat({ title, value, children }: StatProps) {
  return (
    <div class="storage-stat">
      <dt>{title}</dt>
      <dd class="storage-stat-value">{value}</dd>
      <dd class="storage-stat-note">{children}</dd>
    </div>
  )
}

function perRecord(part: { readonly records: number; readonly bytes: number }): string | undefined {
  const bytes = bytesPerRecord(part)
  return bytes === undefined ? undefined : `${bytesText(Math.round(bytes))} a record`
}

function plural(count: number, word: string): string {
  return `${countText(count)} ${word}${count === 1 ? '' : 's'}`
}

/** A tenth of an event is worth showing only where there are few. */
function rateText(perSecond: number): string {
  return numberText(perSecond < 10 ? Math.round(perSecond * 10) / 10 : Math.round(perSecond))
}
