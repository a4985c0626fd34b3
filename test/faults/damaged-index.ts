/**
 * Damage to `index.lmdb` by chance, and what a store makes of it: whatever happens to the index, all that the
 * footers name must be in sight afterwards, nothing else, and it must be said.
 */

import fs from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { makeRandom, type Random } from '../../bench/random.ts'
import { realDisk } from '../../src/disk/real-disk.ts'
import { allEntries } from '../../src/index/entry.ts'
import { openBlockIndex } from '../../src/index/open-index.ts'
import { segmentPath } from '../../src/segment/files.ts'
import { differsFrom } from '../../src/store/maintain/index-check.ts'
import { rebuildIndex } from '../../src/store/maintain/rebuild-index.ts'
import { scrubIndex } from '../../src/store/maintain/scrub-tasks.ts'
import { openSegments } from '../../src/store/view/segments.ts'
import { dayMs } from '../../src/time-units.ts'
import { type StreamRecord, sealRecords } from '../segment/sealed.ts'

const pageBytes = 4_096
const daysCount = 5
const blocksPerDay = 100
const recordsPerBlock = 28

/** Of the directory that `makeIndexed` makes. */
export const recordCount = daysCount * blocksPerDay * recordsPerBlock

/** Writes five segments of a hundred small blocks: an index of many pages, once a store was there. */
export async function makeIndexed(dataDir: string): Promise<void> {
  fs.mkdirSync(join(dataDir, 'journal'), { recursive: true })
  for (let day = 0; day < daysCount; day++) {
    const number = day + 1
    const name = new Date(day * dayMs).toISOString().slice(0, 10)
    fs.mkdirSync(join(dataDir, 'segments', name), { recursive: true })
    const blocks = Array.from({ length: blocksPerDay }, (_, block) =>
      Array.from({ length: recordsPerBlock }, (_, i) => recordOf(day, block, i)),
    )
    const path = segmentPath(join(dataDir, 'segments'), name, number)
    const replaces = { journals: [], segments: [] }
    sealRecords(path, number, blocks, { createdAt: 0, replaces, group: [number] })
  }
  await openAndLook(dataDir)
}

function recordOf(day: number, block: number, i: number): StreamRecord {
  const stream = { service: `service-${block % 40}`, environment: 'test' }
  const timestamp = day * dayMs + block * 1_000 + i
  const level = i % 7 === 0 ? 'error' : 'info'
  return { timestamp, level, message: `event ${i}`, attributes: [], stream }
}

interface Seen {
  /** Every entry that queries see, in an order of its own. */
  readonly entries: readonly string[]
  readonly log: string
}

/** Opens what a start opens, writes to the index, and closes it. `whileOpen` damages it meanwhile. */
export async function openAndLook(dataDir: string, whileOpen?: () => void): Promise<Seen> {
  const paths = {
    segments: join(dataDir, 'segments'),
    journal: join(dataDir, 'journal'),
    quarantine: join(dataDir, 'quarantine'),
  }
  let log = ''
  const logger = pino({ level: 'info', base: null }, { write: line => (log += line) })
  const opened = await openBlockIndex(dataDir, logger)
  const { index } = opened
  try {
    const { segments } = await openSegments(paths, opened, logger, realDisk)
    if (whileOpen !== undefined) {
      whileOpen()
      // What a scrub does, without its thread.
      const report = scrubIndex(join(dataDir, 'index.lmdb'))
      const isDamaged = 'fault' in report || differsFrom(report, [...segments.all]).length > 0
      if (isDamaged) await rebuildIndex({ disk: realDisk, index, segments, logger })
      if (isDamaged) log += 'the scrub has built the index anew'
    }
    await index.noteJournal(7, true)
    await index.noteJournal(7, false)
    const entries = [...segments.entries(allEntries)].map(entry => JSON.stringify(entry))
    return { entries: entries.sort(), log }
  } finally {
    await index.close()
  }
}

/** Changes the bytes of an index by chance. Returns in what way. */
export function damage(random: Random, bytes: Buffer): { bytes: Buffer; how: string } {
  const damaged = Buffer.from(bytes)
  const pageCount = Math.floor(bytes.length / pageBytes)
  const page = () => random.below(pageCount) * pageBytes
  const [one, other] = [page(), page()]
  const how = random.pick(['swap', 'swap', 'copy', 'zeros', 'flip', 'flip', 'garbage', 'cut'])
  if (how === 'swap') {
    bytes.copy(damaged, one, other, other + pageBytes)
    bytes.copy(damaged, other, one, one + pageBytes)
  } else if (how === 'copy') bytes.copy(damaged, one, other, other + pageBytes)
  else if (how === 'zeros') damaged.fill(0, one, one + pageBytes)
  else if (how === 'flip') {
    const count = 1 + random.below(8)
    for (let i = 0; i < count; i++) damaged[random.below(damaged.length)]! ^= 1 << random.below(8)
  } else if (how === 'garbage') {
    for (let at = 0; at < 64; at++) damaged[one + random.below(pageBytes)] = random.below(256)
  } else return { bytes: damaged.subarray(0, random.below(bytes.length)), how }
  return { bytes: damaged, how }
}

/**
 * Damages the index of the directory that `makeIndexed` made, either while nobody has it or while it is in use,
 * and looks at what is served afterwards. Returns what is wrong with that; the process may die on the way.
 */
export async function tryDamage(
  dataDir: string,
  seed: number,
  good: { readonly index: Buffer; readonly entries: readonly string[] },
): Promise<{ how: string; wasSaid: boolean; violations: string[] }> {
  const path = join(dataDir, 'index.lmdb')
  const random = makeRandom(seed)
  const isInUse = seed % 3 === 0
  const { bytes, how } = damage(random, good.index)
  fs.rmSync(`${path}-lock`, { force: true })
  fs.writeFileSync(path, isInUse ? good.index : bytes)
  const seen = await openAndLook(
    dataDir,
    isInUse ? () => fs.writeFileSync(path, bytes, { flag: 'r+' }) : undefined,
  )
  const again = await openAndLook(dataDir)
  const violations: string[] = []
  if (!isDeepEqual(seen.entries, good.entries)) violations.push('entries are wrong')
  if (!isDeepEqual(again.entries, good.entries))
    violations.push('entries are wrong after a restart')
  if (/anew/.test(again.log)) violations.push(`it was not repaired: ${again.log}`)
  return { how: `${how}${isInUse ? ' in use' : ''}`, wasSaid: /anew/.test(seen.log), violations }
}

function isDeepEqual(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((entry, i) => entry === other[i])
}
