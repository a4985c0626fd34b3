/** Settings > Storage: how much there is, how fast it grows, what is deleted when, and how it goes. */

import { useEffect, useState } from 'preact/hooks'
import { type StorageStats, showStorage } from '../api/settings.ts'
import { bytesText, countText, elapsedText, numberText, plural } from '../format.ts'
import { useEvery } from '../state/every.ts'
import { useRequest } from '../state/request.ts'
import { durationWords } from '../time/range.ts'
import { Icon } from '../ui/icon.tsx'
import { agoText } from './ago.ts'
import { Group, Stat } from './figures.tsx'
import { RetentionGroup } from './retention-group.tsx'
import { SectionHead } from './section-head.tsx'
import {
  bytesPerRecord,
  type Finding,
  findingsOf,
  type Rate,
  rateOf,
  samplesMax,
  withSample,
} from './storage-reading.ts'

const pollMs = 2_000
const sampledText = durationWords(pollMs * (samplesMax - 1))

export function Storage() {
  const found = useRequest('storage', showStorage)
  const stats = found.answer
  const [samples, setSamples] = useState<readonly StorageStats[]>([])
  useEvery(pollMs, () => found.isBusy || found.refresh(), true)
  useEffect(() => {
    if (stats !== undefined) setSamples(before => withSample(before, stats))
  }, [stats])
  return (
    <>
      <SectionHead title="Storage" reading="Loading storage" found={found} />
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
    <p class={`storage-finding framed storage-finding-${kind}`}>
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
  const { scrub, backups } = stats
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
      <RetentionGroup deletedSegments={retention.deletedSegments} />
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
      <Group title="Checks and copies">
        <Scrubbed scrub={scrub} time={stats.time} />
        <Stat
          title="Last backup"
          value={backups.lastAt === null ? 'none yet' : agoText(backups.lastAt, stats.time)}
        >
          by <code>logstrata backup</code>, of records and settings; run it daily, to another disk
        </Stat>
        <Stat
          title="Copy of the settings"
          value={
            backups.catalogCopyAt === null ? 'none yet' : agoText(backups.catalogCopyAt, stats.time)
          }
        >
          made each day; <code>logstrata restore-catalog</code> goes back to it
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

/** The scrub reads all files again and again, and says what is not as it was written. */
function Scrubbed({ scrub, time }: { scrub: StorageStats['scrub']; time: number }) {
  const { passes, lastPassAt, lastPassMs, bytes, findings, damagedBlocks } = scrub
  return (
    <>
      <Stat
        title="Last check of all files"
        value={lastPassAt === null ? 'under way' : agoText(lastPassAt, time)}
      >
        {lastPassAt === null
          ? `the first since the start; ${bytesText(bytes)} read so far`
          : `took ${elapsedText(lastPassMs)}; ${plural(passes, 'check')} since the start, ${bytesText(bytes)} read`}
      </Stat>
      <Stat title="Findings since start" value={findings === 0 ? 'nothing' : countText(findings)}>
        {damagedBlocks === 0
          ? 'no records are left out of answers'
          : `${plural(damagedBlocks, 'block')} left out of answers: restore them from a backup`}
      </Stat>
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

function perRecord(part: { readonly records: number; readonly bytes: number }): string | undefined {
  const bytes = bytesPerRecord(part)
  return bytes === undefined ? undefined : `${bytesText(Math.round(bytes))} a record`
}

/** A tenth of an event is worth showing only where there are few. */
function rateText(perSecond: number): string {
  return numberText(perSecond < 10 ? Math.round(perSecond * 10) / 10 : Math.round(perSecond))
}
