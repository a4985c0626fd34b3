/** The service as `npm start` runs it, built from the sources as they are now. */
import { fileURLToPath } from 'node:url'
import { buildServer } from '../src/build/server.js'

// At once when nothing has changed; a figure of the build before would be told for this one.
await buildServer()

/** What `npm start` runs: it hands over to the service, in the same process. */
export const launcher = fileURLToPath(new URL('../src/cli/logstrata.js', import.meta.url))
