/**
 * Blocks and questions as they are asked of a scan thread, whose arrays V8 does not count: the same tests,
 * in a process that has them so.
 */
import { leaveUncounted } from '../../src/threads/uncounted-memory.ts'

leaveUncounted()
await import('../segment/segment-round-trip.test.ts')
await import('../segment/zstd-frame.test.ts')
await import('./source-reader.test.ts')
await import('./counted.test.ts')
