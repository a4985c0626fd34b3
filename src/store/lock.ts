/**
 * One process per data directory. The file `LOCK` names the process that holds it; a process that was
 * killed leaves it behind, and the next start sees that its owner is gone.
 *
 * A process number alone is not enough, because numbers are used again: the owner is alive only when
 * a process of that number started at the same moment of the same boot (Linux tells both in /proc).
 */
import fs from 'node:fs'
import { join } from 'node:path'

interface Owner {
  readonly pid: number
  /** Start time in clock ticks since boot, and the boot; empty where there is no /proc. */
  readonly startedAt: string
  readonly boot: string
}

/** The directory is in use. The message names the process and the remedy. */
export class DataDirLocked extends Error {
  override name = 'DataDirLocked'
}

/** Takes the lock, or throws DataDirLocked. Call the result to let go of it. */
export function lockDataDir(dataDir: string): () => void {
  const path = join(dataDir, 'LOCK')
  const own = `${path}.${process.pid}`
  fs.writeFileSync(own, JSON.stringify(ownerOf(process.pid)), { mode: 0o600 })
  try {
    // A link appears whole or not at all, and fails when the name is taken.
    for (let attempt = 0; attempt < 10; attempt++) {
      if (tryLink(own, path)) return () => fs.rmSync(path, { force: true })
      refuseIfAlive(path, dataDir)
      removeStale(path, own)
    }
    throw new DataDirLocked(`${path} cannot be taken; other processes are starting on it too`)
  } finally {
    fs.rmSync(own, { force: true })
  }
}

function tryLink(own: string, path: string): boolean {
  try {
    fs.linkSync(own, path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

function refuseIfAlive(path: string, dataDir: string): void {
  const owner = readOwner(path)
  if (owner === undefined || !isAlive(owner)) return
  throw new DataDirLocked(
    `the data directory ${dataDir} is in use by process ${owner.pid}; ` +
      'stop that one first, or start with another --data-dir',
  )
}

/**
 * Moves a dead owner's lock out of the way. Of two processes that try, one may move the fresh lock
 * of the other: it sees that the owner lives, and puts it back.
 */
function removeStale(path: string, own: string): void {
  const moved = `${own}.stale`
  try {
    fs.renameSync(path, moved)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    throw error
  }
  const owner = readOwner(moved)
  if (owner !== undefined && isAlive(owner)) tryLink(moved, path)
  fs.rmSync(moved, { force: true })
}

function readOwner(path: string): Owner | undefined {
  try {
    const owner = JSON.parse(fs.readFileSync(path, 'utf8')) as Owner
    return Number.isInteger(owner.pid) ? owner : undefined
  } catch {
    return undefined // Gone meanwhile, or cut by a power failure: nobody's.
  }
}

function isAlive(owner: Owner): boolean {
  try {
    process.kill(owner.pid, 0)
  } catch (error) {
    // EPERM: it lives, but belongs to somebody else.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false
  }
  const now = ownerOf(owner.pid)
  return now.startedAt === owner.startedAt && now.boot === owner.boot
}

function ownerOf(pid: number): Owner {
  return { pid, startedAt: startTicks(pid), boot: readText('/proc/sys/kernel/random/boot_id') }
}

/** Field 22 of /proc/PID/stat (proc(5)); the fields before it may hold anything up to the last `)`. */
function startTicks(pid: number): string {
  const stat = readText(`/proc/${pid}/stat`)
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
}

function readText(path: string): string {
  try {
    return fs.readFileSync(path, 'utf8').trim()
  } catch {
    return ''
  }
}
