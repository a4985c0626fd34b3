/** Run by `stop.test.ts` in a process of its own: tries to listen on the port of its argument. */

import { createHttpServer } from '../../src/http/server.ts'
import { standIns } from './stand-ins.ts'

try {
  const port = Number(process.argv[2])
  const { dependencies } = standIns()
  const server = await createHttpServer({ ...dependencies, host: '127.0.0.1', port })
  await server.stop(0)
  console.log('listened')
} catch (error) {
  console.log((error as Error).message)
}
