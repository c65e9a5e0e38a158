// One request and its answer: what of it arrives, what is given up, and that nothing of it stays behind.
import { createHook } from 'node:async_hooks'
import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Dispatcher } from 'undici'
import { expect, it, onTestFinished } from 'vitest'
import { type Connector, createAgent, exchange } from '../../src/http/http.ts'

/** Longer than anything waits here, and of no other timer. */
const totalMs = 123_456

type Limits = Parameters<typeof exchange>[2]
type Answering = (response: ServerResponse) => unknown

async function serve(
  answer: RequestListener,
  how: Partial<Parameters<typeof createAgent>[0]> = {},
) {
  const server = createServer(answer)
  let connections = 0
  server.on('connection', () => {
    connections += 1
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = address !== null && typeof address === 'object' ? address.port : 0
  const agent = createAgent({ connectMs: totalMs, answerMs: 0, ...how })
  onTestFinished(async () => {
    await agent.destroy()
    server.closeAllConnections()
    server.close()
  })
  const request: Dispatcher.DispatchOptions = {
    origin: `http://127.0.0.1:${port}`,
    path: '/',
    method: 'GET',
  }
  return {
    ask: (limits: Limits = { totalMs }) => exchange(agent, request, limits),
    connections: () => connections,
  }
}

const mostBytes = 100

async function ask(answer: Answering, limits?: Limits) {
  const world = await serve((_, response) => void answer(response), { mostBytes })
  return world.ask(limits)
}

/** The timers of this length that have neither run nor been cleared. */
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

const unwanted: Limits = { totalMs, wantsBody: () => false }

it.each<[string, Answering, Limits]>([
  ['that is answered', (response) => response.end('yes'), { totalMs }],
  ['whose answer is not wanted', (response) => response.end('no'), unwanted],
  ['that is cut off', (response) => response.destroy(), { totalMs }],
  ['whose answer is too large', (response) => response.end('x'.repeat(mostBytes + 1)), { totalMs }],
])('a request %s is let go at once: no timer holds it', async (_, answer, limits) => {
  const timers = timersOf(totalMs)
  let timed = 0
  const timing = (response: ServerResponse) => {
    timed = timers.size
    answer(response)
  }
  await ask(timing, limits).catch(() => undefined)
  expect(timed).toBe(1)
  await expect.poll(() => timers.size).toBe(0)
})

const begins: Answering = (response) => response.write('y')

it.each<[string, Answering, Limits]>([
  ['before its answer', () => undefined, { totalMs: 50 }],
  ['amid its answer', begins, { totalMs: 50 }],
  ['when its body takes too long', begins, { totalMs, bodyMs: 50 }],
])(
  'a request is given up %s when its time is up, and its connection closed',
  async (_, answer, limits) => {
    const closed = Promise.withResolvers<void>()
    const closing = (response: ServerResponse) => {
      response.on('close', closed.resolve)
      answer(response)
    }
    await expect(ask(closing, limits)).rejects.toMatchObject({ name: 'TimeoutError' })
    await closed.promise
  },
)

it('a request that was given up while it was connecting is not sent any more', async () => {
  const connecting = Promise.withResolvers<void>()
  const isOver = Promise.withResolvers<void>()
  let requests = 0
  const slowly: (connect: Connector) => Connector = (connect) => (options, callback) =>
    void connecting.promise.then(() =>
      connect(options, (...made) => {
        made[1]?.on('close', isOver.resolve)
        callback(...made)
      }),
    )
  const { ask: asked, connections } = await serve(
    (_, response) => {
      requests += 1
      response.end()
    },
    { around: slowly },
  )

  await expect(asked({ totalMs: 50 })).rejects.toMatchObject({ name: 'TimeoutError' })
  connecting.resolve()
  await isOver.promise

  expect({ requests, connections: connections() }).toEqual({ requests: 0, connections: 1 })
})

it.each<[string, Answering]>([
  [
    'when a letter comes in two pieces',
    (response) => {
      const bytes = Buffer.from('{"m":"ü"}')
      response.write(bytes.subarray(0, 7))
      setImmediate(() => response.end(bytes.subarray(7)))
    },
  ],
  ['behind a mark of byte order', (response) => response.end('\ufeff{"m":"ü"}')],
  [
    'after word that it is on its way',
    (response) => {
      response.writeEarlyHints({ link: '</>; rel=preload' })
      response.end('{"m":"ü"}')
    },
  ],
])('an answer is read whole %s', async (_, answer) => {
  const limits = { totalMs, wantsBody: (status: number) => status === 200 }
  expect(await ask(answer, limits)).toMatchObject({ status: 200, text: '{"m":"ü"}' })
})

it('a connection is kept after a small body that is not wanted', async () => {
  const { ask: asked, connections } = await serve((_, response) => void response.end('no'))
  for (const _ of [1, 2, 3]) {
    expect(await asked(unwanted)).toMatchObject({ status: 200, text: '' })
    // Undici takes a connection up again one turn after its answer.
    await nextTurn()
  }
  expect(connections()).toBe(1)
})

it.each<[string, Answering]>([
  ['is large', (response) => response.end('x'.repeat(8_000_000))],
  ['does not end', begins],
])('a connection is closed amid a body that is not wanted and %s', async (_, answer) => {
  const { promise: closed, resolve } = Promise.withResolvers<boolean>()
  const { ask: asked } = await serve((_request, response) => {
    response.on('close', () => resolve(response.writableFinished))
    answer(response)
  })
  expect(await asked(unwanted)).toMatchObject({ status: 200, text: '' })
  expect(await closed).toBe(false)
})
