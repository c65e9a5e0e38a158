// A server on a port of its own, whose connections are kept.
import type { Server } from 'node:http'

export async function listen(
  server: Server,
): Promise<{ readonly url: string; stop(): Promise<void> }> {
  server.keepAliveTimeout = 120_000
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new TypeError('it listens on no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}
