/** What runs in a thread. */
import { ownFile } from '../own-file.ts'

/** The part of Piscina's options that says what runs in a thread. */
export interface ThreadProgram {
  readonly filename: string
  readonly workerData: Readonly<Record<string, unknown>>
}

/**
 * The program of a thread: the module at `path` as seen from the one at `from`, its `import.meta.url`.
 * `workerData` is what it finds there.
 */
export function threadProgram(
  path: string,
  from: string,
  workerData: Readonly<Record<string, unknown>> = {},
): ThreadProgram {
  return { filename: ownFile(path, from).href, workerData }
}
