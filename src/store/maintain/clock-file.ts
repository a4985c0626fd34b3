/**
 * What retention knows of the time, kept in `retention-clock.json`: a few bytes, replaced as a whole. Who
 * loses it loses only that the next start believes the clock as it is.
 */
import { join } from 'node:path'
import { type Static, Type } from 'typebox'
import type { Disk } from '../../disk/disk.ts'
import { readSmallFile, replaceSmallFile } from '../../disk/small-file.ts'
import { checkBody } from '../../schema/check.ts'
import type { KnownClock } from './retention-clock.ts'

const fileName = 'retention-clock.json'

const schema = Type.Object({
  format: Type.Literal(1),
  time: Type.Integer(),
  doubt: Type.Optional(Type.Object({ apartMs: Type.Number(), ranMs: Type.Number() })),
})

/** Undefined when there is none. Throws when it cannot be read, or is not one. */
export function readClockFile(dataDir: string, disk: Disk): KnownClock | undefined {
  const text = readSmallFile(join(dataDir, fileName), disk)
  return text === undefined ? undefined : checkBody(schema, JSON.parse(text))
}

/** Resolves when it survives a power cut. The last one stays when that fails. */
export function writeClockFile(
  dataDir: string,
  { time, doubt }: KnownClock,
  disk: Disk,
): Promise<void> {
  const content: Static<typeof schema> = { format: 1, time, ...(doubt && { doubt }) }
  return replaceSmallFile(join(dataDir, fileName), `${JSON.stringify(content)}\n`, disk)
}
