// A TLS server in front of one without, on 127.0.0.1, with a certificate that an authority of the tests' own signed.
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { createServer } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

/** Signs for `localhost`, `127.0.0.1` and `monitor.test`. No machine trusts it. Of no use anywhere else. */
export const authorityPath = fileURLToPath(new URL('./authority.pem', import.meta.url))
const signed = readFileSync(new URL('./signed-by-authority.pem', import.meta.url))

export interface TlsFront {
  /** As in `https://localhost:40123`. */
  readonly url: string
  /** Where requests go, from now on: `http://127.0.0.1:40124`. */
  leadTo(url: string): void
}

/** Stops after the test. */
export async function startTls(): Promise<TlsFront> {
  const open = new Set<Socket>()
  let target = 0
  const server = createServer({ cert: signed, key: signed }, (secured) => {
    const plain = connect(target, '127.0.0.1')
    for (const [one, other] of [
      [secured, plain],
      [plain, secured],
    ] as const) {
      open.add(one)
      one.on('error', () => other.destroy()).on('close', () => other.destroy())
      one.pipe(other)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    for (const socket of open) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  const address = server.address()
  return {
    url: `https://localhost:${address !== null && typeof address === 'object' ? address.port : 0}`,
    leadTo(url) {
      target = Number(new URL(url).port)
    },
  }
}
