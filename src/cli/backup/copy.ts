/** The copying of a backup: file by file, each on disk before its name is relied on. */
import fs from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { syncDirectory } from '../../disk/sync-directory.ts'
import { copyWhole, linkOrCopy } from '../../store/maintain/link-file.ts'
import type { DataFile } from '../../store/view/data-files.ts'

export interface CopyOptions {
  readonly from: string
  /** A directory that is there and empty. */
  readonly to: string
  readonly files: readonly DataFile[]
  readonly signal: AbortSignal
  /** Called when a file is there and on disk. */
  readonly onFile: (file: DataFile) => void
}

/** Durable when it resolves. Rejects with the signal's reason, and with what the file system says. */
export async function copyFiles({ from, to, files, signal, onFile }: CopyOptions): Promise<void> {
  for (const folder of ['journal', 'segments']) await fs.mkdir(join(to, folder), { mode: 0o700 })
  const folders = new Set([to, join(to, 'journal'), join(to, 'segments')])
  for (const file of files) {
    signal.throwIfAborted()
    const target = join(to, file.path)
    const folder = dirname(target)
    if (!folders.has(folder)) {
      await fs.mkdir(folder, { mode: 0o700 })
      folders.add(folder)
    }
    const source = join(from, file.path)
    if (file.isFinal) await linkOrCopy(source, target)
    else await copyWhole(source, target)
    // Links too: with durability `written` a file of the journal may not be on disk yet.
    await syncFile(target)
    onFile(file)
  }
  for (const folder of folders) await syncDirectory(folder)
}

async function syncFile(path: string): Promise<void> {
  const file = await fs.open(path, 'r')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}
