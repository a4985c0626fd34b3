/** The thread that seals and compacts, one task after the other. It ends when there is nothing to do. */
import { machineMemoryBytes, sealHeapMb } from '../../memory-policy.js'
import { passingPool } from '../../threads/passing-pool.ts'
import { threadProgram } from '../../threads/program.ts'
import type { CompactTask } from './compact.ts'
import type { SealTask, WrittenSegment } from './seal.ts'
import type { SealFailure } from './seal-tasks.ts'

const idleMs = 15_000

export class SealThread {
  readonly #pool = passingPool(threadProgram('./seal-worker.ts', import.meta.url), idleMs, {
    heapMb: sealHeapMb(machineMemoryBytes),
  })

  seal(task: SealTask): Promise<WrittenSegment[] | SealFailure> {
    return this.#pool.run(task, { name: 'seal' })
  }

  compact(task: CompactTask): Promise<WrittenSegment[] | SealFailure> {
    return this.#pool.run(task, { name: 'compact' })
  }

  async close(): Promise<void> {
    await this.#pool.destroy()
  }
}
