/**
 * One process per data directory: `LOCK` is a symbolic link whose text names the process that holds it.
 * To make a link is atomic, and takes no data block where a text of up to 59 bytes lies in the inode
 * (ext4, tmpfs and others), so that a service starts on a full disk too. Where links are not allowed
 * (Windows, FAT) nothing starts, and the error says so.
 *
 * A process that was killed leaves its lock behind. Process numbers are used again, so the holder is
 * alive only when a process of that number started at the same moment of the same boot (Linux tells
 * both in /proc; without it the number has to do). Such a name never comes back, and that makes taking
 * over safe, however many processes try at once:
 *
 *     LOCK ──▶ dead holder            LOCK.after-<hash of the dead holder's name> ──▶ its successor
 *
 * 1. Who makes the link `after` a dead holder is the only one that may follow it. A successor that died
 *    too is followed in the same way.
 * 2. It counts only if LOCK is still the dead holder's afterwards: if not, another one was quicker.
 * 3. The successor renames its link to LOCK, and is the holder.
 *
 * A process in another process namespace (a container) or on another machine cannot be seen, and is
 * taken for dead. A LOCK that is not a link is nobody's: earlier versions wrote a file.
 *
 * A holder that is about to end says so by a second link, `LOCK.ending`, with its own name: who comes next
 * may wait for it (`lock-wait.ts`). It means nothing beside the lock of another process.
 */
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import { join } from 'node:path'
import { refuseDirectory } from '../disk/refuse-directory.ts'

interface Owner {
  readonly pid: number
  /** Start time in clock ticks since boot, and the boot; empty where there is no /proc. */
  readonly startedAt: string
  readonly boot: string
}

/** The directory is in use. The message names the process and the remedy. */
export class DataDirLocked extends Error {
  override name = 'DataDirLocked'
  /** The process that has it; undefined when several are about to take it. */
  readonly pid: number | undefined
  /** Whether that process has said that it ends, or the system is ending it. */
  readonly isEnding: boolean

  constructor(message: string, holder?: { readonly pid: number; readonly isEnding: boolean }) {
    super(message)
    this.pid = holder?.pid
    this.isEnding = holder?.isEnding ?? false
  }
}

/** Each one that is in vain shows that another process took the lock, or released it. */
const attemptsMax = 100
const bootHexDigits = 16
const claimBeginning = 'LOCK.after-'
/** Signal 9 in the masks of /proc/PID/status. */
const sigkillBit = 1n << 8n
const noLinks = new Set(['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP'])

/** Takes the lock, or throws DataDirLocked. Call the result to release it. */
export function lockDataDir(dataDir: string): () => void {
  const lock = join(dataDir, 'LOCK')
  refuseDirectory(lock)
  const own = nameOf(ownerOf(process.pid))
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    const holder = holderAt(lock)
    const isTaken = holder === undefined ? tryLink(own, lock) : tryFollow(dataDir, holder, own)
    if (isTaken) {
      return () => {
        letGo(endingPath(dataDir), own)
        letGo(lock, own)
      }
    }
  }
  throw new DataDirLocked(`${lock} cannot be taken; other processes are starting on it too`)
}

/** Says that this process, if it has the lock, is about to release it. Never throws. */
export function sayEnding(dataDir: string): void {
  const own = nameOf(ownerOf(process.pid))
  const path = endingPath(dataDir)
  try {
    if (holderAt(join(dataDir, 'LOCK')) === own) tryLink(own, path)
  } catch {
    // A courtesy to who comes next; whatever is wrong with the directory must not keep us from ending.
  }
}

/** Takes the lock from a holder that is dead; false when another process was quicker. */
function tryFollow(dataDir: string, holder: string, own: string): boolean {
  const lock = join(dataDir, 'LOCK')
  for (let last = holder; ; ) {
    const owner = readOwner(last)
    if (owner !== undefined && isAlive(owner)) {
      if (holderAt(lock) !== holder) return false // A successor that came too late holds nothing.
      throw inUse(dataDir, owner, last)
    }
    const claim = join(dataDir, claimAfter(last))
    if (tryLink(own, claim)) {
      if (holderAt(lock) !== holder) {
        letGo(claim, own)
        return false
      }
      fs.renameSync(claim, lock)
      removeClaims(dataDir)
      return true
    }
    const next = holderAt(claim)
    if (next === undefined) return false
    last = next
  }
}

/** The name of the link to the successor of `holder`. */
function claimAfter(holder: string): string {
  return claimBeginning + createHash('sha256').update(holder).digest('hex').slice(0, 32)
}

function endingPath(dataDir: string): string {
  return join(dataDir, 'LOCK.ending')
}

/** Nobody needs claims once LOCK has a new holder; those of dead processes would stay for ever. */
function removeClaims(dataDir: string): void {
  remove(endingPath(dataDir))
  for (const name of fs.readdirSync(dataDir)) {
    if (name.startsWith(claimBeginning)) remove(join(dataDir, name))
  }
}

/** False when the name is taken. */
function tryLink(name: string, path: string): boolean {
  try {
    fs.symlinkSync(name, path)
    return true
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return false
    if (!noLinks.has(code)) throw error
    throw new Error(
      `lock ${path}: symbolic links are not allowed there (${code}); ` +
        'start with a --data-dir on a file system that has them',
      { cause: error },
    )
  }
}

/** The name in the link at `path`, a made-up name for anything else, undefined when nothing is there. */
function holderAt(path: string): string | undefined {
  try {
    const status = fs.lstatSync(path, { bigint: true })
    return status.isSymbolicLink()
      ? fs.readlinkSync(path)
      : `no link: ${status.ino} of ${status.ctimeNs}`
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Removes the link at `path`, if it is still ours. */
function letGo(path: string, own: string): void {
  if (holderAt(path) === own) remove(path)
}

function remove(path: string): void {
  try {
    fs.unlinkSync(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}

function inUse(dataDir: string, { pid }: Owner, name: string): DataDirLocked {
  return new DataDirLocked(
    `the data directory ${dataDir} is in use by process ${pid}; ` +
      'stop that one first, or start with another --data-dir',
    { pid, isEnding: holderAt(endingPath(dataDir)) === name || isBeingEnded(pid) },
  )
}

/** At most 45 bytes. */
function nameOf({ pid, startedAt, boot }: Owner): string {
  return `${pid}-${startedAt}-${boot}`
}

function readOwner(name: string): Owner | undefined {
  const [, pid, startedAt, boot] = /^([1-9]\d{0,9})-(\d*)-([0-9a-f]*)$/.exec(name) ?? []
  if (pid === undefined || startedAt === undefined || boot === undefined) return undefined
  return { pid: Number(pid), startedAt, boot }
}

function isAlive(owner: Owner): boolean {
  try {
    process.kill(owner.pid, 0)
  } catch (error) {
    // EPERM: it lives, but belongs to somebody else.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false
  }
  return nameOf(ownerOf(owner.pid)) === nameOf(owner) && !isDefunct(owner.pid)
}

/** Ended, with all of its threads, though its parent has not asked yet how. */
function isDefunct(pid: number): boolean {
  return /^[ZX]/.test(statFields(pid)[0] ?? '') && threadCount(pid) <= 1
}

/** Whether the system is ending it: SIGKILL waits for it, or its first thread has ended. */
function isBeingEnded(pid: number): boolean {
  const pending = /^ShdPnd:\s*([0-9a-f]+)$/m.exec(readText(`/proc/${pid}/status`))?.[1] ?? '0'
  const isKilled = (BigInt(`0x${pending}`) & sigkillBit) !== 0n
  return isKilled || /^[ZX]/.test(statFields(pid)[0] ?? '')
}

function threadCount(pid: number): number {
  try {
    return fs.readdirSync(`/proc/${pid}/task`).length
  } catch {
    return 0
  }
}

function ownerOf(pid: number): Owner {
  const boot = readText('/proc/sys/kernel/random/boot_id').replaceAll('-', '')
  return { pid, startedAt: startTicks(pid), boot: boot.slice(0, bootHexDigits) }
}

/** Field 22 of /proc/PID/stat (proc(5)). */
function startTicks(pid: number): string {
  return statFields(pid)[19] ?? ''
}

/** The fields of /proc/PID/stat from the third on; the second may hold anything up to the last `)`. */
function statFields(pid: number): string[] {
  const stat = readText(`/proc/${pid}/stat`)
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

function readText(path: string): string {
  try {
    return fs.readFileSync(path, 'utf8').trim()
  } catch {
    return ''
  }
}
