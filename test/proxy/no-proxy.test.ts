// NO_PROXY as containers have it in their environment: networks. Ignored without a word, a service inside is asked over the proxy.
// From: openclaw/openclaw#97713 and #95998, wecode-ai/Wegent#3556 (networks), nodejs/undici#5616 (an entry that never matches, silently).
import { type AddressInfo, createServer } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { createAgent } from '../../src/http/http.ts'

it.each(['127.0.0.0/8', '127.9.*', 'https://127.9.9.9', '10.0.0.0/8,127.9.0.0/16,.example.com'])(
  'reaches directly what is in %s',
  async (except) => {
    const asked: string[] = []
    const proxy = createServer((socket) => {
      socket.on('error', () => socket.destroy())
      socket.once('data', (data) => {
        asked.push(data.toString().split('\r\n')[0] ?? '')
        socket.end('HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\n\r\n')
      })
    })
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
    const { port } = proxy.address() as AddressInfo
    const agent = createAgent({
      proxy: { url: `http://127.0.0.1:${port}`, except },
      connectMs: 2000,
      answerMs: 2000,
    })
    onTestFinished(async () => {
      await agent.destroy()
      proxy.close()
    })

    // Nobody listens there: what counts is who was asked.
    await agent
      .request({ origin: 'https://127.9.9.9:9', path: '/', method: 'GET' })
      .catch(() => undefined)

    expect(asked).toEqual([])
  },
)
