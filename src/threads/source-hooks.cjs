// @ts-check
/**
 * Puts texts in the place of files, in the thread that calls it. Plain JavaScript, so that no stripper
 * is loaded, and CommonJS, for `entry.cjs`.
 */
const { registerHooks } = require('node:module')

/**
 * From now on a module whose text `sourceOf` knows by its URL is made from that.
 * @param {(url: string) => string | undefined} sourceOf
 */
exports.registerSources = sourceOf => {
  registerHooks({
    /** What has a text needs not be looked for on the disk, folder by folder: a sixth of the start. */
    resolve(specifier, context, nextResolve) {
      if (specifier.startsWith('.') && context.parentURL !== undefined) {
        const { href } = new URL(specifier, context.parentURL)
        if (sourceOf(href) !== undefined) return { url: href, format: 'module', shortCircuit: true }
      }
      return nextResolve(specifier, context)
    },
    load(url, context, nextLoad) {
      const source = sourceOf(url)
      if (source === undefined) return nextLoad(url, context)
      return { format: 'module', source, shortCircuit: true }
    },
  })
}
