/**
 * A server as a child process: started, found by the line that it prints, measured, stopped.
 * Figures come from /proc, so the benchmarks run on Linux only.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { endWithThisProcess } from '../test/service/end-with-this-process.ts'

export interface ServerChild {
  readonly pid: number
  /** Such as `http://127.0.0.1:41234`. */
  readonly baseUrl: string
  /** SIGTERM, then waits. Throws when the server does not end with 0. */
  stop(): Promise<void>
}

export interface Memory {
  readonly residentBytes: number
  readonly peakBytes: number
}

/** USER_HZ: Linux shows CPU times to user space in hundredths of a second on every architecture. */
const ticksPerSecond = 100

/** Runs `node ARGV…` and waits for its line `listening on http://…`. It ends with this process. */
export async function startServer(argv: readonly string[]): Promise<ServerChild> {
  const child = spawn(process.execPath, argv, {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  endWithThisProcess(child)
  const baseUrl = await waitForAddress(child, argv)
  return {
    pid: child.pid!,
    baseUrl,
    stop: async () => {
      const exited = once(child, 'exit')
      child.kill('SIGTERM')
      const [code, signal] = await exited
      if (code !== 0) {
        throw new Error(`node ${argv.join(' ')} ended with ${code ?? signal}`)
      }
    },
  }
}

async function waitForAddress(child: ChildProcess, argv: readonly string[]): Promise<string> {
  for await (const line of createInterface({ input: child.stdout! })) {
    const address = /listening on (http:\/\/\S+)/.exec(line)?.[1]
    if (address !== undefined) {
      child.stdout!.resume() // What it prints later is read and thrown away: a full pipe would stop it.
      return address
    }
  }
  throw new Error(`node ${argv.join(' ')} ended without saying where it listens`)
}

export function readMemory(pid: number): Memory {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const kib = (name: string) =>
    Number(new RegExp(`^${name}:\\s+([0-9]+) kB`, 'm').exec(status)?.[1])
  return { residentBytes: kib('VmRSS') * 1024, peakBytes: kib('VmHWM') * 1024 }
}

/** CPU seconds of a process's threads so far, user and system. */
export function readCpuSeconds(pid: number): number {
  return sumOfTicks(pid, 11)
}

/** CPU seconds of all children of this process that have ended and were waited for. */
export function readEndedChildrenCpuSeconds(): number {
  return sumOfTicks(process.pid, 13)
}

/** `field`: index of the user time among the fields after the name, see proc(5); system follows. */
function sumOfTicks(pid: number, field: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The name stands in parentheses and may hold blanks; the third field of proc(5) follows it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[field]) + Number(fields[field + 1])) / ticksPerSecond
}
