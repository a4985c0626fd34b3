/**
 * A segment's bytes on their way to the disk: gathers small pieces, writes them in order, and either
 * ends with a whole, durable file under its name, or leaves nothing.
 *
 *   create N.seg.tmp ─▶ append … ─▶ fdatasync ─▶ rename to N.seg ─▶ fsync of the directories
 */
import assert from 'node:assert/strict'
import { dirname } from 'node:path'
import type { Disk, OutputFile } from '../disk/disk.ts'
import { isDiskFull, ShortWrite } from '../disk/disk-full.ts'
import { unfinishedPath } from './files.ts'
import { SegmentWriteFailed } from './segment-error.ts'

/** Bytes gathered before a write: beyond it, system calls no longer count. */
const gatheredBytesMax = 256 * 1024

export class DurableFile {
  readonly path: string
  readonly #disk: Disk
  readonly #output: OutputFile
  /** The directories in which a name is new. */
  readonly #changedDirectories: readonly string[]
  #gathered: Uint8Array[] = []
  #gatheredBytes = 0
  #writtenBytes = 0
  #isOpen = true

  /** Throws SegmentWriteFailed, as all methods do; the file is then gone and of no further use. */
  constructor(path: string, disk: Disk) {
    this.path = path
    this.#disk = disk
    const directory = dirname(path)
    try {
      this.#changedDirectories = changedBy(disk.makeDirectorySync(directory), directory)
      this.#output = disk.createSync(unfinishedPath(path))
    } catch (error) {
      throw new SegmentWriteFailed(path, 'create the segment', isDiskFull(error), error)
    }
  }

  /** Bytes appended so far: where the next ones will be. */
  get offset(): number {
    return this.#writtenBytes + this.#gatheredBytes
  }

  /** Appends bytes, which must not change until the file is committed. */
  append(bytes: Uint8Array): void {
    assert(this.#isOpen, 'a file that was given up takes nothing more')
    this.#gathered.push(bytes)
    this.#gatheredBytes += bytes.length
    if (this.#gatheredBytes >= gatheredBytesMax) this.#flush()
  }

  /** Makes the file durable under its name. */
  commit(): void {
    assert(this.#isOpen, 'a file is committed once')
    this.#flush()
    this.#try('sync the segment', () => this.#output.datasync())
    this.#try('close the segment', () => {
      this.#isOpen = false
      this.#output.close()
    })
    this.#try('rename the segment', () =>
      this.#disk.renameSync(unfinishedPath(this.path), this.path),
    )
    this.#try('sync the directory of the segment', () => {
      for (const directory of this.#changedDirectories) this.#disk.syncDirectorySync(directory)
    })
  }

  /** Removes what there is. After `commit` there is nothing to remove. */
  abandon(): void {
    if (this.#isOpen) {
      this.#isOpen = false
      this.#output.close()
    }
    this.#disk.removeSync(unfinishedPath(this.path))
  }

  #flush(): void {
    const bytes = this.#gathered.length === 1 ? this.#gathered[0]! : Buffer.concat(this.#gathered)
    this.#gathered = []
    this.#gatheredBytes = 0
    this.#try('write the segment', () => {
      const written = this.#output.write(bytes)
      this.#writtenBytes += written
      if (written !== bytes.length) throw new ShortWrite(`${written} of ${bytes.length} bytes`)
    })
  }

  #try(action: string, run: () => void): void {
    try {
      run()
    } catch (error) {
      this.abandon()
      throw new SegmentWriteFailed(this.path, action, isDiskFull(error), error)
    }
  }
}

/** `directory`, in which the file is new, and above it those in which a directory is. */
function changedBy(firstMade: string | undefined, directory: string): string[] {
  const changed = [directory]
  if (firstMade === undefined) return changed
  let made = directory
  while (made !== dirname(firstMade) && made !== dirname(made)) {
    made = dirname(made)
    changed.push(made)
  }
  return changed
}
