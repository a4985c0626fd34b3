/**
 * Whether the disk has room for events, also while none come: what a full disk has refused would never
 * be tried again if nobody was let in before it is known that there is room.
 *
 * The file system is asked for its free bytes; and because quotas, inodes and a disk that was made
 * read-only do not show in these, a few bytes are written beside the journal and removed again.
 */
import { rm, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** What is in the journal's directory for a moment; a crash may leave it, the next look removes it. */
const probeName = 'room.probe'
const probe = Buffer.alloc(64 * 1024)

/** So long an answer is good for all who ask, ms. */
const freshMs = 1_000
/** Nobody waits longer for a disk that does not answer, ms. */
const patienceMs = 1_000

/** Bytes that the file system of a directory has left for us. */
export async function freeBytesOf(directory: string): Promise<number> {
  const { bavail, bsize, blocks } = await statfs(directory)
  // Some file systems have no idea of their size, and say 0 of it.
  return blocks === 0 ? Number.POSITIVE_INFINITY : bavail * bsize
}

export class Room {
  readonly #directory: string
  readonly #bytesMin: number
  #text: string | undefined
  #freeBytes = Number.POSITIVE_INFINITY
  #answeredAt = Number.NEGATIVE_INFINITY
  #looking: Promise<void> | undefined
  #lookingSince = 0

  /** @param bytesMin Room that there should be. */
  constructor(directory: string, bytesMin: number) {
    this.#directory = directory
    this.#bytesMin = bytesMin
  }

  /**
   * Why there is no room, for people; undefined when there is. As known before while the disk is silent.
   */
  async lack(): Promise<string | undefined> {
    if (performance.now() - this.#answeredAt < freshMs) return this.#text
    if (this.#looking === undefined) {
      this.#lookingSince = performance.now()
      this.#looking = this.#look().finally(() => {
        this.#looking = undefined
      })
    }
    let timer: NodeJS.Timeout | undefined
    const patience = new Promise<void>(resolve => {
      timer = setTimeout(resolve, patienceMs)
    })
    await Promise.race([this.#looking, patience])
    clearTimeout(timer)
    return this.#text
  }

  /** Of the disk, as of the last look. */
  get freeBytes(): number {
    return this.#freeBytes
  }

  /** How long the disk has not answered, ms. */
  get silentMs(): number {
    return this.#looking === undefined ? 0 : performance.now() - this.#lookingSince
  }

  async #look(): Promise<void> {
    this.#text = await this.#lack().catch(
      (error: NodeJS.ErrnoException) => `the disk takes no writes (${error.code ?? error.message})`,
    )
    this.#answeredAt = performance.now()
  }

  async #lack(): Promise<string | undefined> {
    this.#freeBytes = await freeBytesOf(this.#directory)
    if (this.#freeBytes < this.#bytesMin) {
      const need = `an event may need ${this.#bytesMin}`
      return `the disk is full: ${this.#freeBytes} bytes are free, ${need}`
    }
    const path = join(this.#directory, probeName)
    try {
      await writeFile(path, probe, { mode: 0o600 })
    } finally {
      await rm(path, { force: true })
    }
    return undefined
  }
}
