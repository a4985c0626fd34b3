/**
 * What retention knows of the time, kept in `retention-clock.json`: a few bytes, replaced as a whole. Who
 * loses it loses only that the next start believes the clock as it is.
 */
import { join } from 'node:path'
import { type Static, Type } from 'typebox'
import type { Disk } from '../../disk/disk.ts'
import { readAt } from '../../disk/read.ts'
import { checkBody } from '../../schema/check.ts'
import type { KnownClock } from './retention-clock.ts'

const fileName = 'retention-clock.json'
const fileBytesMax = 4_096

const schema = Type.Object({
  format: Type.Literal(1),
  time: Type.Integer(),
  doubt: Type.Optional(Type.Object({ apartMs: Type.Number(), ranMs: Type.Number() })),
})

/** Undefined when there is none. Throws when it cannot be read, or is not one. */
export function readClockFile(dataDir: string, disk: Disk): KnownClock | undefined {
  const path = join(dataDir, fileName)
  if (disk.sizeSync(path) === undefined) return undefined
  const file = disk.openSync(path)
  try {
    const text = readAt(file, 0, fileBytesMax).toString('utf8')
    return checkBody(schema, JSON.parse(text))
  } finally {
    file.close()
  }
}

/** Resolves when it survives a power cut. The last one stays when that fails. */
export async function writeClockFile(
  dataDir: string,
  { time, doubt }: KnownClock,
  disk: Disk,
): Promise<void> {
  const path = join(dataDir, fileName)
  const unfinished = `${path}.tmp`
  const content: Static<typeof schema> = { format: 1, time, ...(doubt && { doubt }) }
  const bytes = Buffer.from(`${JSON.stringify(content)}\n`)
  disk.removeSync(unfinished) // Of a process that was killed.
  const file = await disk.create(unfinished)
  try {
    const written = await file.write([bytes], 0)
    if (written < bytes.length) throw new Error(`write ${fileName}: no space left on device`)
    await file.datasync()
  } finally {
    await file.close()
  }
  disk.renameSync(unfinished, path)
  await disk.syncDirectory(dataDir)
}
