/**
 * All that journal, segments and store ask of the file system, and no more, so that tests can stand in
 * a disk that is full, slow or broken, or one that loses its power (`test/disk/simulated-disk.ts`).
 *
 * Two forms: what the main thread does while requests are served does not wait; what is done in
 * threads of its own, at the start and in small steps, does, and has `Sync` in its name.
 *
 * What survives a power cut: of a file, what was there at its last `datasync`; of a directory, the
 * names that it had at its last `syncDirectory`. Of everything later any part may be there or not.
 */

/** A file that only grows, but for `truncate` after a failed write. */
export interface AppendFile {
  /**
   * Writes the buffers one after the other at `offset`. Resolves to the bytes written, which are
   * fewer than asked when the disk is full: Node reports that with no error.
   */
  write(buffers: readonly Buffer[], offset: number): Promise<number>
  /** Resolves when everything written is on the device. A failure is final: see `journal.ts`. */
  datasync(): Promise<void>
  truncate(bytes: number): Promise<void>
  close(): Promise<void>
}

/** A file that is written once, from its beginning to its end. */
export interface OutputFile {
  /** Appends. Returns the bytes written: fewer than asked when the disk is full, with no error. */
  write(bytes: Uint8Array): number
  /** Returns when everything written is on the device. */
  datasync(): void
  close(): void
}

/** A file that is read. It stays readable when its name is gone. */
export interface InputFile {
  /** Bytes that the file has now. */
  size(): number
  /** Reads at most `bytes` bytes at `offset` into `buffer` at `at`; returns how many, 0 at the end. */
  read(buffer: Buffer, at: number, bytes: number, offset: number): number
  close(): void
}

/** Paths are absolute. Errors are those of Node, with their `code`. */
export interface Disk {
  /** Makes a new file; fails when it exists. */
  create(path: string): Promise<AppendFile>
  /** Fails when there is no such file. */
  remove(path: string): Promise<void>
  /**
   * Removes a file so that it stays removed after a power cut; does not mind when there is none. Its
   * space comes back step by step afterwards, unless it has another name: nobody may read it any more.
   */
  removeDurably(path: string): Promise<void>
  /** Makes the names in a directory durable. */
  syncDirectory(path: string): Promise<void>
  /** Links a file under a second name; fails when it exists. */
  link(from: string, to: string): Promise<void>
  /** Copies a file; fails when `to` exists. The copy may be cut short without an error. */
  copy(from: string, to: string): Promise<void>

  openSync(path: string): InputFile
  /** Makes a file, or empties the one that is there. */
  createSync(path: string): OutputFile
  /** Takes the place of what is there under the new name. */
  renameSync(from: string, to: string): void
  /** Does not mind when there is no such file. */
  removeSync(path: string): void
  /** Makes a directory and what is missing above it. Returns the first one made, if any was. */
  makeDirectorySync(path: string): string | undefined
  /** Makes the names in a directory durable. */
  syncDirectorySync(path: string): void
  /** The names in a directory, in no particular order. */
  listSync(path: string): string[]
  /** Bytes of a file, some number for a directory; undefined when there is neither. */
  sizeSync(path: string): number | undefined
}
