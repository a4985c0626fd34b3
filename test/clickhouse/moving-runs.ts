/** Data directories whose records are moved to an engine and back, as the command does it. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { runCommand } from '../../src/cli/commands.ts'
import { listSegments } from '../../src/segment/files.ts'
import type { Store } from '../../src/store/store.ts'
import { builtProgram, passedOn } from '../built.ts'
import { type FakeTerminal, fakeTerminal } from '../cli/fake-terminal.ts'
import { directoryOfProcess } from '../directory-of-process.ts'
import { endWithThisProcess } from '../service/end-with-this-process.ts'
import { appendParts, type Stored, sampleOf, storedAt } from '../store/random-store.ts'
import { openStoreIn, recordsIn } from '../store/store-in.ts'
import type { Places } from './engine-process.ts'
import { openStoreOn, plain, timesOfRows } from './store-on-engine.ts'

const program = await builtProgram()

export interface Ran {
  /** Or the signal that has ended it. */
  readonly code: number | string | null
  readonly printed: string
  readonly complained: string
}

/** A data directory, and where its records go. */
export interface Move {
  readonly engine: { readonly url: string }
  readonly dataDir: string
  readonly database?: string
}

function flagsOf(
  { engine, dataDir, database = 'default' }: Move,
  flags: readonly string[],
): string[] {
  return ['ship', ...flags, '--data-dir', dataDir, '--clickhouse-url', `${engine.url}/${database}`]
}

export const to = ['--to', 'clickhouse']
export const from = ['--from', 'clickhouse']

/** In this process. */
export async function ship(
  places: Move,
  flags: readonly string[],
  terminal: FakeTerminal = fakeTerminal(),
): Promise<Ran> {
  const code = await runCommand(flagsOf(places, flags), terminal)
  return { code, printed: terminal.printed(), complained: terminal.complained() }
}

/** As it is shipped, in a process of its own. */
export function shipAlone(places: Move, flags: readonly string[]): Promise<Ran> {
  return ran(startShip(places, flags))
}

/** The same, which ends where `crashAt` says. */
export function shipUntil(places: Move, flags: readonly string[], crashAt: string): Promise<Ran> {
  return ran(startShip(places, flags, { CRASH_AT: crashAt }))
}

/**
 * As it is shipped, in a process of its own that is killed so many ms after its first words, if it has not
 * ended by then.
 */
export async function shipKilled(places: Move, flags: readonly string[], ms: number): Promise<Ran> {
  const child = startShip(places, flags)
  const ending = new AbortController()
  const { signal } = ending
  const kill = async () => {
    await once(child.stderr, 'data', { signal })
    await pause(ms, undefined, { signal })
    child.kill('SIGKILL')
  }
  kill().catch(() => {}) // It has ended.
  return ran(child).finally(() => ending.abort())
}

function startShip(places: Move, flags: readonly string[], more: NodeJS.ProcessEnv = {}) {
  const argv = [program, ...flagsOf(places, flags)]
  const env = { ...passedOn(), ...more }
  const child = spawn(process.execPath, argv, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  endWithThisProcess(child)
  return child
}

async function ran(child: ReturnType<typeof startShip>): Promise<Ran> {
  const ended = once(child, 'close')
  const [printed, complained] = await Promise.all([text(child.stdout), text(child.stderr)])
  const [status, signal] = (await ended) as [number | null, NodeJS.Signals | null]
  return { code: status ?? signal, printed, complained }
}

/** Every record, with its place, in order. */
export async function everythingIn(store: Store): Promise<unknown[]> {
  return (await recordsIn(store)).map(plain)
}

/** The same of the directory, by a store that is opened for it and closed. */
async function everythingOf(opened: Promise<Store & { close(): Promise<void> }>) {
  const store = await opened
  try {
    return await everythingIn(store)
  } finally {
    await store.close()
  }
}

export const rows = sampleOf(storedAt(timesOfRows), 300)
const fewFiles = ['--journal-file-bytes', '32KiB']

let filled: Promise<Filled> | undefined

interface Filled {
  readonly directory: string
  readonly records: readonly unknown[]
}

/**
 * Makes a directory of the local store with all `rows`: in segments, and some, a sixth, in the journal. Resolves
 * with its records. It is made once in a process, and copied from there.
 */
export async function fill({ dataDir }: Pick<Places, 'dataDir'>): Promise<readonly unknown[]> {
  filled ??= (async () => {
    const directory = directoryOfProcess('filled')
    return { directory, records: await fillWith(directory, rows) }
  })()
  const { directory, records } = await filled
  await cp(directory, dataDir, { recursive: true })
  return records
}

/** The same of other records. */
export async function fillWith(dataDir: string, all: readonly Stored[]): Promise<unknown[]> {
  const store = await openStoreIn(dataDir, { flags: fewFiles })
  const sealedCount = Math.floor((all.length * 5) / 6)
  await appendParts(store, all.slice(0, sealedCount), 40)
  await store.settle()
  await appendParts(store, all.slice(sealedCount), 40)
  await store.close()
  return everythingOf(openStoreIn(dataDir, { flags: fewFiles }))
}

export const onFiles = ({ dataDir }: Pick<Places, 'dataDir'>) => everythingOf(openStoreIn(dataDir))
export const onClickHouse = ({ dataDir, engine }: Places) =>
  everythingOf(openStoreOn(dataDir, engine.url))

export function segmentsIn({ dataDir }: Pick<Places, 'dataDir'>) {
  return listSegments(join(dataDir, 'segments'))
}
