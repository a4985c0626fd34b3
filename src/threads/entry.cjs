/**
 * The first file of a thread whose TypeScript was stripped by the main thread (`stripped-sources.ts`
 * says why). Plain JavaScript, so that the thread never loads a stripper, and CommonJS, so that it
 * can give out whatever functions the real entry exports.
 */
const { registerHooks } = require('node:module')
const { fileURLToPath } = require('node:url')
const { workerData } = require('node:worker_threads')

const { entry, sources } = workerData.strippedEntry

registerHooks({
  /** Whose text is here needs not be looked for on the disk, folder by folder: a sixth of the start. */
  resolve(specifier, context, nextResolve) {
    if (specifier.startsWith('.') && context.parentURL !== undefined) {
      const { href } = new URL(specifier, context.parentURL)
      if (sources[href] !== undefined) return { url: href, format: 'module', shortCircuit: true }
    }
    return nextResolve(specifier, context)
  },
  load(url, context, nextLoad) {
    const source = sources[url]
    if (source === undefined) return nextLoad(url, context)
    return { format: 'module', source, shortCircuit: true }
  },
})

module.exports = require(fileURLToPath(entry))
