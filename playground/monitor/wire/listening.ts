// Puts a server on a free port of this machine, takes it away, and puts it back on the same one.
import { once } from 'node:events'
import type { Server } from 'node:http'

export interface Listening {
  up(): Promise<void>
  /** Also ends every connection. */
  down(): Promise<void>
  url(): string
}

export function createListening(server: Server): Listening {
  const host = '127.0.0.1'
  let port = 0
  return {
    async up() {
      if (server.listening) return
      server.listen(port, host)
      await once(server, 'listening')
      const address = server.address()
      if (address !== null && typeof address === 'object') port = address.port
    },
    async down() {
      if (!server.listening) return
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
    url: () => `http://${host}:${port}`,
  }
}
