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
  load(url, context, nextLoad) {
    const source = sources[url]
    if (source === undefined) return nextLoad(url, context)
    return { format: 'module', source, shortCircuit: true }
  },
})

module.exports = require(fileURLToPath(entry))
