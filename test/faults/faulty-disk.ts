/**
 * A disk that fails for the real service: `faulty-disk.c`, built with the machine's C compiler and
 * preloaded into the process, turns chosen system calls into failures while the service runs.
 *
 * libuv must not go around the C library by io_uring: the environment says so.
 */
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'

const compiler = ['cc', 'gcc'].find(name => spawnSync(name, ['--version']).status === 0)

/** Why a test that needs a faulty disk cannot run here; false when it can. For tap's `skip`. */
export const noFaultyDisk =
  process.platform !== 'linux' || compiler === undefined
    ? 'there is no C compiler that could make the faulty disk'
    : false

export type Call = 'write' | 'sync'
/** `short`: fewer bytes than asked, no error. `full`: the same, and the next write says ENOSPC. */
export type Failure = 'EIO' | 'ENOSPC' | 'short' | 'full'

export interface Fault {
  /** Calls on files whose path has this part, such as `/journal/`. */
  readonly part: string
  readonly call: Call
  readonly failure: Failure
  /** The first of these calls to fail from now on, counted from 1. */
  readonly nth: number
  /** How many fail; default 1, 2 for `full`. */
  readonly times?: number
}

/** Offsets in the struct that `faulty-disk.c` maps; all numbers are 32 bits wide. */
const at = {
  calls: 0,
  nth: 4,
  times: 8,
  error: 12,
  thenError: 16,
  delayMs: 20,
  seen: 24,
  failed: 28,
}
const partAt = 32
const controlBytes = 288

const callBits: Record<Call, number> = { write: 1, sync: 2 }
const errorNumbers: Record<Failure, number> = {
  EIO: constants.errno.EIO,
  ENOSPC: constants.errno.ENOSPC,
  short: 0,
  full: 0,
}

export class FaultyDisk {
  /** What the service must be started with. */
  readonly environment: Readonly<Record<string, string>>
  readonly #fd: number

  /** `directory` gets the library and the file that steers it; it must not be the data directory. */
  constructor(directory: string) {
    const library = join(directory, 'faulty-disk.so')
    const source = join(import.meta.dirname, './faulty-disk.c')
    const argv = ['-shared', '-fPIC', '-O1', '-o', library, source, '-ldl']
    const { status, stderr } = spawnSync(compiler!, argv, { encoding: 'utf8' })
    if (status !== 0) throw new Error(`the faulty disk does not compile: ${stderr}`)
    const control = join(directory, 'faulty-disk.control')
    this.#fd = fs.openSync(control, 'w+')
    fs.writeSync(this.#fd, Buffer.alloc(controlBytes), 0, controlBytes, 0)
    this.environment = {
      LD_PRELOAD: library,
      FAULTY_DISK_CONTROL: control,
      UV_USE_IO_URING: '0',
    }
  }

  /** Makes calls fail from now on. */
  fail({ part, call, failure, nth, times = failure === 'full' ? 2 : 1 }: Fault): void {
    this.#steer(part, {
      calls: callBits[call],
      nth,
      times,
      error: errorNumbers[failure],
      thenError: failure === 'full' ? constants.errno.ENOSPC : 0,
    })
  }

  /** Makes each sync of such a file take longer, by so many ms. */
  slowDown(part: string, delayMs: number): void {
    this.#steer(part, { calls: callBits.sync, delayMs })
  }

  /** From now on nothing fails and nothing is slow. */
  heal(): void {
    this.#steer('', {})
  }

  /** Calls that were meant since the disk was steered last, and how many of them went wrong. */
  get counted(): { readonly seen: number; readonly failed: number } {
    const bytes = Buffer.alloc(controlBytes)
    fs.readSync(this.#fd, bytes, 0, controlBytes, 0)
    return { seen: bytes.readInt32LE(at.seen), failed: bytes.readInt32LE(at.failed) }
  }

  close(): void {
    fs.closeSync(this.#fd)
  }

  #steer(part: string, numbers: Partial<Record<keyof typeof at, number>>): void {
    const bytes = Buffer.alloc(controlBytes)
    bytes.write(part, partAt, 'utf8')
    for (const [name, value] of Object.entries(numbers)) {
      bytes.writeInt32LE(value, at[name as keyof typeof at])
    }
    // In two steps: no call is counted while the rest of it changes.
    fs.writeSync(this.#fd, Buffer.alloc(4), 0, 4, at.calls)
    fs.writeSync(this.#fd, bytes, 4, controlBytes - 4, 4)
    fs.writeSync(this.#fd, bytes, 0, 4, at.calls)
  }
}
