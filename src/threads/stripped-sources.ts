/**
 * How a thread gets TypeScript without stripping it itself.
 *
 * Node's type stripper is a WebAssembly program, and each thread that imports a `.ts` file starts its
 * own: about 6 MB and 50 ms of a core each. Worse, it detaches a buffer, and from then on V8 checks
 * for detached buffers at every access to a typed array in that thread: a loop over a column takes
 * twice as long, a scan up to a third longer. So the main thread takes a worker's sources from those
 * that were stripped once and kept (`stripped-cache.js`) and hands them over as text, and `entry.cjs`
 * puts them in the place of the files. (A worker that transfers a buffer to another thread detaches
 * it, and is as slow again.)
 *
 * Only the speed depends on it: where it cannot be done, and for files that it has missed, the thread
 * strips for itself.
 */
import module from 'node:module'
import { strippedText } from './stripped-cache.js'

/** The stripped text of modules, by their `file:` URL. */
export type StrippedSources = Readonly<Record<string, string>>

/** What `entry.cjs` finds in its worker data beside what the worker itself is given. */
export interface StrippedEntry {
  readonly entry: string
  readonly sources: StrippedSources
}

/** The part of Piscina's options that says what runs in a thread. */
export interface ThreadProgram {
  readonly filename: string
  readonly workerData: Readonly<Record<string, unknown>>
  /** None of the process' own: what it imports first (`--import`) is for it, and would be loaded
   *  again, at the same cost, by each thread that starts. */
  readonly execArgv: string[]
}

/**
 * The program of a thread that runs the TypeScript module `entry`; `workerData` is what it finds
 * there. Neither the module nor one that it imports may await at its top level.
 */
export function threadProgram(
  entry: URL,
  workerData: Readonly<Record<string, unknown>> = {},
): ThreadProgram {
  const sources = strippedSources(entry)
  const execArgv: string[] = []
  if (sources === undefined) return { filename: entry.href, workerData, execArgv }
  const strippedEntry: StrippedEntry = { entry: entry.href, sources }
  return {
    filename: new URL('./entry.cjs', import.meta.url).href,
    workerData: { ...workerData, strippedEntry },
    execArgv,
  }
}

/**
 * The sources of a module and of every `.ts` file that it imports, directly or not; undefined when
 * they cannot be stripped here. Lines and columns stay where they are in the files.
 */
export function strippedSources(entry: URL): StrippedSources | undefined {
  // Young: since Node 22.15, and without a promise to stay as it is.
  if (module.registerHooks === undefined) return undefined
  const sources: Record<string, string> = {}
  const pending = [entry.href]
  for (let url = pending.pop(); url !== undefined; url = pending.pop()) {
    if (sources[url] !== undefined) continue
    const source = strippedText(url)
    if (source === undefined) return undefined // The thread that imports the file says why.
    sources[url] = source
    for (const specifier of importedFiles(source)) pending.push(new URL(specifier, url).href)
  }
  return sources
}

/** What a module imports at its top; of stripped text, because imports of types are gone from it. */
function importedFiles(source: string): string[] {
  const imports = source.matchAll(/^(?:import|export|\}).*?'(\.[^']*\.ts)'/gm)
  return Array.from(imports, match => match[1]!)
}
