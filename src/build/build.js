/**
 * Builds what runs: the page into `build/web`, the service and its threads into `build/server`. Each part
 * is built only when something that went into it has changed, which takes some 30 ms to see.
 *
 *   node src/build/build.js            what is stale (`npm start`, `npm test` and `npm pack` call it)
 *
 * Plain JavaScript, for any Node from 18 on: it runs on the machine's own Node.
 */
import { buildPage } from './page.js'
import { buildServer } from './server.js'

for (const [part, build] of [
  ['page', buildPage],
  ['service', buildServer],
]) {
  try {
    const startedAt = Date.now()
    if (await build()) say(`built the ${part} in ${Date.now() - startedAt} ms`)
  } catch (error) {
    say(`the ${part} was not built: ${error.message}`)
    process.exitCode = 1
  }
}

function say(text) {
  process.stderr.write(`logstrata: ${text}\n`)
}
