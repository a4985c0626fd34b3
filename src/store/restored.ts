/** The first start on a backup: says what of it is not there any more, and makes it a live directory. */
import type { Logger } from 'pino'
import { missingParts, removeManifest } from './backup-manifest.ts'

/** Before anything else looks at the directory. Nothing happens to one that is no backup. */
export function noticeRestored(dataDir: string, logger: Pick<Logger, 'info' | 'error'>): void {
  const missing = missingParts(dataDir)
  if (missing === undefined) return
  for (const { path, what } of missing) {
    logger.error({ file: path }, `restored from a backup, whose file ${path} ${what}`)
  }
  logger.info({ missing: missing.length }, 'the directory is a backup; it is used from now on')
  removeManifest(dataDir)
}
