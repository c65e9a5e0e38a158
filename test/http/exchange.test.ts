// One request and its answer: nothing of it stays behind.
import { createHook } from 'node:async_hooks'
import { createServer, type ServerResponse } from 'node:http'
import { Agent } from 'undici'
import { expect, it, onTestFinished } from 'vitest'
import { exchange } from '../../src/http/http.ts'

/** Longer than anything waits here, and of no other timer. */
const totalMs = 123_456

type Limits = Parameters<typeof exchange>[2]

async function ask(answer: (response: ServerResponse) => void, limits: Limits) {
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
  return exchange(agent, request, limits)
}

/** The timers of this length that have neither run nor been cleared: those of `AbortSignal.timeout` as well. */
function timersOf(ms: number): ReadonlySet<number> {
  const running = new Set<number>()
  const hook = createHook({
    init(id, type, _, timer) {
      if (type === 'Timeout' && '_idleTimeout' in timer && timer._idleTimeout === ms)
        running.add(id)
    },
    destroy: (id) => void running.delete(id),
  }).enable()
  onTestFinished(() => void hook.disable())
  return running
}

it.each([
  ['that is answered', (response: ServerResponse) => void response.end('yes'), true],
  ['whose answer is not wanted', (response: ServerResponse) => void response.end('no'), false],
  ['that is cut off', (response: ServerResponse) => void response.destroy(), true],
  [
    'whose answer is too large',
    (response: ServerResponse) => void response.end('x'.repeat(1_000)),
    true,
  ],
])('a request %s is let go at once: no timer holds it', async (_, answer, isBodyWanted) => {
  const timers = timersOf(totalMs)
  let timed = 0
  const timing = (response: ServerResponse) => {
    timed = timers.size
    answer(response)
  }
  await ask(timing, { totalMs, wantsBody: () => isBodyWanted }).catch(() => undefined)
  expect(timed).toBe(1)
  await expect.poll(() => timers.size).toBe(0)
})

const begins = (response: ServerResponse) => void response.write('y')

it.each([
  ['before its answer', () => undefined, { totalMs: 50 }],
  ['amid its answer', begins, { totalMs: 50 }],
  ['when its body takes too long', begins, { totalMs, bodyMs: 50 }],
])('a request is given up %s when its time is up', async (_, answer, limits) => {
  await expect(ask(answer, limits)).rejects.toMatchObject({ name: 'TimeoutError' })
})
