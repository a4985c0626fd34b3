/** A server of the test's own, at a free port of this machine. */
import { once } from 'node:events'
import { Server as HttpServer } from 'node:http'
import type { AddressInfo, Server } from 'node:net'

/** Listens until the test ends, and has no client any more then. */
export async function listening(t: { teardown(stop: () => void): void }, server: Server) {
  server.listen(0, '127.0.0.1')
  t.teardown(() => {
    server.close()
    if (server instanceof HttpServer) server.closeAllConnections()
  })
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { port, url: `http://127.0.0.1:${port}` }
}
