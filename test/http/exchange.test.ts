// One request and its answer: nothing of it stays behind.
import { getEventListeners } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { Agent } from 'undici'
import { expect, it, onTestFinished } from 'vitest'
import { exchange } from '../../src/http/http.ts'

async function ask(answer: (response: ServerResponse) => void, signal: AbortSignal) {
  const server = createServer((_, response) => answer(response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = address !== null && typeof address === 'object' ? address.port : 0
  const agent = new Agent({ maxResponseSize: 100 })
  onTestFinished(async () => {
    await agent.destroy()
    server.close()
  })
  const request = { origin: `http://127.0.0.1:${port}`, path: '/', method: 'GET' } as const
  return exchange(agent, request, { signal })
}

it.each([
  ['that is answered', (response: ServerResponse) => void response.end('yes')],
  ['that is cut off', (response: ServerResponse) => void response.destroy()],
  ['whose answer is too large', (response: ServerResponse) => void response.end('x'.repeat(1_000))],
])('a request %s is let go by a signal that outlives it', async (_, answer) => {
  const { signal } = new AbortController()
  await ask(answer, signal).catch(() => undefined)
  expect(getEventListeners(signal, 'abort')).toEqual([])
})

it('a request is given up when its signal says so', async () => {
  const controller = new AbortController()
  const asked = ask(() => controller.abort(new Error('enough')), controller.signal)
  await expect(asked).rejects.toThrow('enough')
})
