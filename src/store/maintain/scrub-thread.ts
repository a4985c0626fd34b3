/** The thread that scrubs. It ends when there is nothing to do for a moment: most of each minute. */
import { passingPool } from '../../threads/passing-pool.ts'
import { threadProgram } from '../../threads/program.ts'
import type {
  IndexReport,
  JournalPart,
  JournalReport,
  SegmentPart,
  SegmentReport,
  Unreadable,
} from './scrub-tasks.ts'

const idleMs = 2_000

export class ScrubThread {
  readonly #pool = passingPool(threadProgram('./scrub-worker.ts', import.meta.url), idleMs)

  /** What the index at a path says, read without LMDB. */
  index(path: string): Promise<IndexReport> {
    return this.#pool.run(path, { name: 'scrubIndex' })
  }

  segment(part: SegmentPart): Promise<SegmentReport | Unreadable> {
    return this.#pool.run(part, { name: 'scrubSegment' })
  }

  journal(part: JournalPart): Promise<JournalReport | Unreadable> {
    return this.#pool.run(part, { name: 'scrubJournal' })
  }

  async close(): Promise<void> {
    await this.#pool.destroy()
  }
}
