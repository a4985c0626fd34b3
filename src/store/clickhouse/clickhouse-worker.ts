/** The entry point of the threads that speak with ClickHouse (Piscina calls these by name). */

import { workerData } from 'node:worker_threads'
import { isDiskFull } from '../../disk/disk-full.ts'
import { realDisk } from '../../disk/real-disk.ts'
import { getOrInsertComputed } from '../../get-or-insert.ts'
import { collectGarbage } from '../../threads/garbage.ts'
import { beLessUrgent } from '../../threads/urgency.ts'
import { ClickHouseFailed, Connection } from './connection.ts'
import { type Fetched, type FetchTask, fetchRecords } from './fetch.ts'
import { type Shipped, type ShipTask, shipFile } from './ship.ts'

/** An error's class does not survive the way between threads; what it means does. */
export interface Failure {
  /** `unreachable`: what ClickHouse has done is not known. `disk`: of this machine. */
  readonly failure: 'unreachable' | 'refused' | 'disk' | 'other'
  /** Whether the same may succeed later with nothing changed. */
  readonly isPassing: boolean
  readonly reason: string
}

beLessUrgent((workerData as { niceness: number }).niceness)

/** One for each server that was asked; there is one. */
const connections = new Map<string, Promise<Connection>>()

export function ship(task: ShipTask): Promise<Shipped | Failure> {
  return outcomeOf(task.url, connection => shipFile(task, connection, realDisk))
}

export function fetchFor(task: FetchTask): Promise<Fetched | Failure> {
  return outcomeOf(task.url, connection => fetchRecords(task, connection))
}

async function outcomeOf<T>(
  url: string,
  work: (connection: Connection) => Promise<T>,
): Promise<T | Failure> {
  try {
    return await work(await getOrInsertComputed(connections, url, () => Connection.open(url)))
  } catch (error) {
    return failureOf(error as Error)
  } finally {
    collectGarbage()
  }
}

function failureOf(error: Error): Failure {
  const reason = error.message
  if (error instanceof ClickHouseFailed) {
    const failure = error.code === undefined ? 'unreachable' : 'refused'
    return { failure, isPassing: error.isPassing, reason }
  }
  return { failure: isDiskFull(error) ? 'disk' : 'other', isPassing: true, reason }
}
