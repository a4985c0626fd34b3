/**
 * What tests find instead of `src/threads/program.ts` (see `preload.mjs`): threads run what is built of
 * the same sources, made anew when it is stale. A thread that strips the types of a hundred files takes
 * half a second of a processor each time that one starts, and one of built code a tenth.
 */
import { basename, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { ThreadProgram } from '../src/threads/program.ts'
import { builtProgram } from './built.ts'

const directory = dirname(await builtProgram())

/** As the one of the sources, which looks for the module at `path` as seen from the one at `_from`. */
export function threadProgram(
  path: string,
  _from: string,
  workerData: Readonly<Record<string, unknown>> = {},
): ThreadProgram {
  const built = join(directory, basename(path).replace(/\.ts$/, '.js'))
  return { filename: pathToFileURL(built).href, workerData }
}
