/**
 * Loaded before all else in each process that runs our sources for a test: keeps compiled code, and sources without
 * their types, in `.tap/compile-cache`. Most of what a short process does is to make both again.
 */
import { hash } from 'node:crypto'
import fs from 'node:fs'
import module from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

// Counts of coverage are less exact for what was compiled before.
if (process.env.NODE_V8_COVERAGE === undefined) {
  const cache = join(import.meta.dirname, '../.tap/compile-cache')
  process.env.NODE_COMPILE_CACHE ??= cache
  module.enableCompileCache(process.env.NODE_COMPILE_CACHE)
  // Node strips types anew in each process: half a second of the 250 files behind a store.
  module.registerHooks({
    load: (url, context, next) =>
      context.format === 'module-typescript' && url.startsWith('file:')
        ? { format: 'module', source: withoutTypes(fileURLToPath(url), cache), shortCircuit: true }
        : next(url, context),
  })
}

/** The source of a file without its types, as kept in `directory` since the file was last changed. */
function withoutTypes(path, directory) {
  const { mtimeMs, size } = fs.statSync(path)
  const name = `${hash('sha1', `${process.version} ${path} ${mtimeMs} ${size}`)}.js`
  const kept = join(directory, name)
  try {
    return fs.readFileSync(kept, 'utf8')
  } catch {
    const source = stripTypes(fs.readFileSync(path, 'utf8'))
    fs.mkdirSync(directory, { recursive: true })
    // Another process may read or write it meanwhile.
    fs.writeFileSync(`${kept}.${process.pid}`, source)
    fs.renameSync(`${kept}.${process.pid}`, kept)
    return source
  }
}

/** Node says of this call, not of the same done by import, that it may change: once in each process. */
function stripTypes(source) {
  const { emitWarning } = process
  process.emitWarning = () => {}
  try {
    return module.stripTypeScriptTypes(source)
  } finally {
    process.emitWarning = emitWarning
  }
}
