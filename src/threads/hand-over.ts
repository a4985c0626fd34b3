/** What a thread returns, whose memory is handed over and not copied. */
import type { Transferable } from 'node:worker_threads'
import { move, transferableSymbol, valueSymbol } from 'piscina'

/** For a task to return: `outcome`, with memory and ports of its own in `given`, which this thread has no
 *  more. */
export function handOver(outcome: object, given: Transferable[]) {
  return move({ [valueSymbol]: outcome, [transferableSymbol]: given })
}
