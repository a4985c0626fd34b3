/**
 * Where a file of this program is that is read or started by its path. In the sources it lies where it
 * was written; what is built of them (`src/build/server.js`) has all such files in one folder, under
 * their names, TypeScript as JavaScript.
 */
import { basename } from 'node:path'

/** The file at `path` as seen from the module at `from`, which is its `import.meta.url`. */
export function ownFile(path: string, from: string): URL {
  if (from.endsWith('.ts')) return new URL(path, from)
  return new URL(basename(path).replace(/\.ts$/, '.js'), from)
}
