/**
 * Slow or rude connections held by a process of their own, so that whoever measures the service beside them
 * does not wait for its own event loop. Started by `holdElsewhere`, as a program it holds them.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { holdRudeConnections, type RudeKind } from './rude-connections.ts'
import { holdSlowConnections, type Lifetimes, type SlowTarget } from './slow-connections.ts'

/** What the process that holds them is told, once. */
interface Order {
  readonly target: SlowTarget
  readonly count: number
  /** Slow ones of all kinds when absent. */
  readonly rude?: RudeKind
}

/** What it tells at the end. */
export interface HeldSlowConnections {
  readonly lifetimes: Lifetimes
  /** Open when the end was asked for. */
  readonly openCount: number
}

export interface HeldRudeConnections {
  readonly closedCount: number
}

export interface HoldingProcess<Held> {
  readonly pid: number
  /** Resolves when all are ended; slow ones when the service has closed each of the first. */
  end(): Promise<Held>
}

/** Opens `count` connections of all kinds in another process, and keeps as many open until `end`. */
export function holdElsewhere(
  target: SlowTarget,
  count: number,
): HoldingProcess<HeldSlowConnections> {
  return holdByOrder({ target, count })
}

/** The same of one rude kind. */
export function holdRudeElsewhere(
  rude: RudeKind,
  target: SlowTarget,
  count: number,
): HoldingProcess<HeldRudeConnections> {
  return holdByOrder({ target, count, rude })
}

function holdByOrder<Held>(order: Order): HoldingProcess<Held> {
  const child: ChildProcess = fork(fileURLToPath(import.meta.url))
  child.send(order)
  return {
    pid: child.pid!,
    async end() {
      child.send('end')
      const [held] = (await once(child, 'message')) as [Held]
      child.disconnect()
      await once(child, 'exit')
      return held
    },
  }
}

async function hold(): Promise<void> {
  const [{ target, count, rude }] = (await once(process, 'message')) as [Order]
  if (rude !== undefined) {
    const connections = holdRudeConnections(rude, target, count)
    await once(process, 'message')
    const heldRude: HeldRudeConnections = { closedCount: connections.closedCount() }
    connections.end()
    process.send!(heldRude)
    return
  }
  const slow = holdSlowConnections(target, count)
  await once(process, 'message')
  const openCount = slow.openCount()
  await slow.allClosedOnce
  slow.end()
  const held: HeldSlowConnections = { lifetimes: slow.lifetimes, openCount }
  process.send!(held)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await hold()
