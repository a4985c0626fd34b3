/**
 * `primary.json` in the data directory: that its catalog is a copy, and of when. It is there before the
 * catalog is, and goes when the directory is started as a service of its own.
 */
import { join } from 'node:path'
import { type Static, Type } from 'typebox'
import type { Disk } from '../../disk/disk.ts'
import { realDisk } from '../../disk/real-disk.ts'
import { readSmallFile, replaceSmallFile } from '../../disk/small-file.ts'
import { checkBody } from '../../schema/check.ts'

export const copyFileName = 'primary.json'

const schema = Type.Object({
  format: Type.Literal(1),
  /** The address that it was copied from. */
  primary: Type.String(),
  /** Ms since 1970: the copy is what the primary had then; null: it has never been whole. */
  copiedAt: Type.Union([Type.Integer(), Type.Null()]),
})

export type CopyNote = Omit<Static<typeof schema>, 'format'>

/** Undefined when the catalog is the directory's own. */
export function readCopyNote(dataDir: string, disk: Disk = realDisk): CopyNote | undefined {
  const text = readSmallFile(join(dataDir, copyFileName), disk)
  return text === undefined ? undefined : checkBody(schema, JSON.parse(text))
}

export function writeCopyNote(dataDir: string, note: CopyNote, disk = realDisk): Promise<void> {
  const content: Static<typeof schema> = { format: 1, ...note }
  return replaceSmallFile(join(dataDir, copyFileName), `${JSON.stringify(content)}\n`, disk)
}

/** For a backup, before the catalog is copied: that is then as new as the note says, or newer. */
export async function copyCopyNote(dataDir: string, directory: string): Promise<void> {
  const note = readCopyNote(dataDir)
  if (note !== undefined) await writeCopyNote(directory, note)
}

/** From now on the catalog is the directory's own. Returns of what it was a copy; undefined: of nothing. */
export async function endCopy(dataDir: string, disk = realDisk): Promise<CopyNote | undefined> {
  const note = readCopyNote(dataDir, disk)
  if (note !== undefined) await disk.removeDurably(join(dataDir, copyFileName))
  return note
}
