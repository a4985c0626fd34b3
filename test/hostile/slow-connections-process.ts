/**
 * Slow connections held by a process of their own, so that whoever measures the service beside them
 * does not wait for its own event loop. Started by `holdElsewhere`, as a program it holds them.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { holdSlowConnections, type Lifetimes, type SlowTarget } from './slow-connections.ts'

/** What the process that holds them is told, once. */
interface Order {
  readonly target: SlowTarget
  readonly count: number
}

/** What it tells at the end. */
export interface HeldSlowConnections {
  readonly lifetimes: Lifetimes
  /** Open when the end was asked for. */
  readonly openCount: number
}

export interface HoldingProcess {
  readonly pid: number
  /** Resolves when the service has closed each of the first connections, and all are ended. */
  end(): Promise<HeldSlowConnections>
}

/** Opens `count` connections of all kinds in another process, and keeps as many open until `end`. */
export function holdElsewhere(target: SlowTarget, count: number): HoldingProcess {
  const child: ChildProcess = fork(fileURLToPath(import.meta.url))
  const order: Order = { target, count }
  child.send(order)
  return {
    pid: child.pid!,
    async end() {
      child.send('end')
      const [held] = (await once(child, 'message')) as [HeldSlowConnections]
      child.disconnect()
      await once(child, 'exit')
      return held
    },
  }
}

async function hold(): Promise<void> {
  const [{ target, count }] = (await once(process, 'message')) as [Order]
  const slow = holdSlowConnections(target, count)
  await once(process, 'message')
  const openCount = slow.openCount()
  await slow.allClosedOnce
  slow.end()
  const held: HeldSlowConnections = { lifetimes: slow.lifetimes, openCount }
  process.send!(held)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await hold()
