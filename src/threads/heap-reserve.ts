/**
 * Memory that was touched before anybody needs it, and lies free in the allocator's heap. The first touch of
 * a page is a fault, which on virtual machines may take 10 µs and more, of a huge page up to 6 ms: a burst of
 * bodies that takes 20 MB of fresh pages has everybody wait for a tenth of a second.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { type OthersFirst, othersFirst } from './others-first.ts'

/** A huge page: others wait for one fault at a time. The allocator has larger ones mapped by themselves. */
const pieceBytes = 2 * 1024 * 1024
const pageBytes = 4 * 1024
/** Between two pieces, ms. */
const restMs = 20

/**
 * Touches `bytes` of this thread's heap, piece by piece, while nobody is waited for, and frees them together.
 * They stay where the allocator keeps as much (`allocatorEnvironment` in `memory-policy.js`). Rejects with
 * the signal's reason, and lets go of all.
 */
export async function reserveHeap(bytes: number, turns: OthersFirst): Promise<void> {
  const touched: Buffer<ArrayBuffer>[] = []
  try {
    while (touched.length * pieceBytes < bytes) {
      await pause(restMs, undefined, { signal: turns.signal })
      await othersFirst(turns)
      touched.push(touchedPiece())
    }
  } finally {
    for (const { buffer } of touched) buffer.transfer(0) // Freed now, and not by the collector.
  }
}

function touchedPiece(): Buffer<ArrayBuffer> {
  const piece = Buffer.allocUnsafeSlow(pieceBytes)
  for (let at = 0; at < pieceBytes; at += pageBytes) piece[at] = 0
  return piece
}
