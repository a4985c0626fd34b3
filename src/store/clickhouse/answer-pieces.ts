/** An answer as it comes, in pieces whose memory may be given back one after the other. */

/** What comes from a socket at once is some 64 KiB: so many of these become one. */
const pieceBytes = 1024 * 1024

export class AnswerPieces {
  readonly #pieces: Buffer<ArrayBuffer>[] = []
  #chunks: Buffer[] = []
  #chunkBytes = 0

  add(chunk: Buffer): void {
    this.#chunks.push(chunk)
    this.#chunkBytes += chunk.length
    if (this.#chunkBytes >= pieceBytes) this.#join()
  }

  /** Each has all of its memory. */
  end(): readonly Buffer<ArrayBuffer>[] {
    if (this.#chunkBytes > 0) this.#join()
    return this.#pieces
  }

  #join(): void {
    const piece = Buffer.allocUnsafeSlow(this.#chunkBytes)
    let at = 0
    for (const chunk of this.#chunks) {
      piece.set(chunk, at)
      at += chunk.length
    }
    this.#pieces.push(piece)
    this.#chunks = []
    this.#chunkBytes = 0
  }
}
