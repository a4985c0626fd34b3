/**
 * The first file of a thread whose TypeScript was stripped by the main thread (`stripped-sources.ts`
 * says why). Plain JavaScript, so that the thread never loads a stripper, and CommonJS, so that it
 * can give out whatever functions the real entry exports.
 */
const { fileURLToPath } = require('node:url')
const { workerData } = require('node:worker_threads')
const { registerSources } = require('./source-hooks.cjs')

const { entry, sources } = workerData.strippedEntry

registerSources(url => sources[url])

module.exports = require(fileURLToPath(entry))
