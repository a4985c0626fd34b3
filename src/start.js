/**
 * Starts `main.ts` with the sources that were stripped once and kept (`threads/stripped-cache.js`), so
 * that Node's type stripper is not even loaded. Without this, `node src/main.ts` does the same, slower.
 */
import { registerSources } from './threads/source-hooks.cjs'
import { isOwnSource, keepStripped, strippedText } from './threads/stripped-cache.js'

registerSources(url => (isOwnSource(url) ? strippedText(url) : undefined))
process.once('exit', keepStripped) // The service does it before, once it listens.

await import('./main.ts')
