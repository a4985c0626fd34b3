/** What a thread returns, whose memory is handed over and not copied. */
import { move, transferableSymbol, valueSymbol } from 'piscina'

/** For a task to return: `outcome`, with memory of its own in `buffers`, which this thread has no more. */
export function handOver(outcome: object, buffers: ArrayBuffer[]) {
  return move({ [valueSymbol]: outcome, [transferableSymbol]: buffers })
}
