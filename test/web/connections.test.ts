// A server that is full: whom it lets go, so that a newcomer is answered.
import { describe, expect, it, onTestFinished } from 'vitest'
import { createWebServer, type Handler } from '../../src/web/server.ts'
import { type BareConnection, openBareConnection } from '../bare-connection.ts'
import { send } from '../signed-request.ts'
import { openWorld } from '../world.ts'

const get = (path: string) => `GET ${path} HTTP/1.1\r\nhost: bellhop\r\n\r\n`

/** A server with room for three connections; a test says when its slow path answers. */
async function openSmallServer() {
  const answer = Promise.withResolvers<void>()
  const slow: Handler = async (_request, response) => {
    response.writeEarlyHints({ link: '</begun>' })
    await answer.promise
    response.end('done')
  }
  const reads: Handler = (request, response) => {
    response.writeEarlyHints({ link: '</begun>' })
    request.resume().once('end', () => response.end('read'))
  }
  const quick: Handler = ({ url }, response) => void response.end(`ok ${url}`)
  const long: Handler = (_request, response) => void response.end('x'.repeat(tooMuchForBuffers))
  const routes = new Map([
    ['GET /long', long],
    ['GET /slow', slow],
    ['POST /read', reads],
    ['GET /quick', quick],
  ])
  const server = createWebServer(routes, { mostConnections: 3 })
  const port = await server.listen('127.0.0.1', 0)
  onTestFinished(() => server.cut())

  /** A connection on which this was sent, and this heard. */
  async function open(text: string, answered: string): Promise<BareConnection> {
    const connection = openBareConnection(port)
    connection.write(text)
    await connection.hears(answered)
    return connection
  }
  return {
    /** On which a request was answered, and that is kept. */
    kept: () => open(get('/quick'), 'ok'),
    /** On which a whole request waits for its answer. */
    waiting: () => open(get('/slow'), 'begun'),
    /** On which a request is half sent. */
    half: () => open('POST /read HTTP/1.1\r\nhost: bellhop\r\ncontent-length: 8\r\n\r\nhalf', 'begun'),
    /** On which an answer is ready, and not read. */
    async unread() {
      const connection = openBareConnection(port)
      connection.write(get('/long'))
      await connection.hears('x')
      connection.stopsReading()
      return connection
    },
    silent: () => openBareConnection(port),
    answer: answer.resolve,
  }
}

/** What is not read is kept by the system, up to some megabytes. */
const tooMuchForBuffers = 32 * 1024 * 1024

const areOpen = (...connections: readonly BareConnection[]) => connections.map((one) => one.isOpen())

describe('a server that is full', () => {
  it('ends the connection that has been idle longest for a newcomer', async () => {
    const { kept } = await openSmallServer()
    const first = await kept()
    const second = await kept()
    const third = await kept()
    const fourth = await kept()

    // It was used since, so it is not the one that has been idle longest.
    second.write(get('/quick?again'))
    await second.hears('again')
    const fifth = await kept()

    await first.closed
    await Promise.race([second.closed, third.closed])
    expect(areOpen(second, third, fourth, fifth)).toEqual([true, false, true, true])
  })

  it('counts one on which nothing was ever sent among the idle', async () => {
    const { kept, silent } = await openSmallServer()
    const quiet = silent()
    const others = [await kept(), await kept()]

    const newcomer = await kept()

    await quiet.closed
    expect(areOpen(...others, newcomer)).toEqual([true, true, true])
  })

  it('ends the one whose request has been half sent for longest when none is idle', async () => {
    const { kept, waiting, half } = await openSmallServer()
    const busy = await waiting()
    const slower = await half()
    const slow = await half()

    const newcomer = await kept()

    await slower.closed
    expect(areOpen(busy, slow, newcomer)).toEqual([true, true, true])
  })

  it('ends one that does not read its answer', async () => {
    const { unread, waiting, kept } = await openSmallServer()
    const deaf = await unread()
    const others = [await waiting(), await waiting()]

    const newcomer = await kept()

    deaf.readsOn()
    expect((await deaf.closed).length).toBeLessThan(tooMuchForBuffers)
    expect(areOpen(...others, newcomer)).toEqual([true, true, true])
  })

  it('ends the half-sent request before somebody who has just come and has yet to say what they want', async () => {
    const { kept, half, silent } = await openSmallServer()
    const slow = [await half(), await half(), await half()]
    const newcomer = silent()

    const next = await kept()

    await slow[0]?.closed
    await slow[1]?.closed
    expect(areOpen(newcomer, next)).toEqual([true, true])
    newcomer.write(get('/quick'))
    await newcomer.hears('ok')
  })

  it('never ends one whose request is under way: then it is the newcomer who is refused', async () => {
    const { waiting, silent, answer, kept } = await openSmallServer()
    const busy = [await waiting(), await waiting(), await waiting()]

    expect(await silent().closed).toBe('')

    answer()
    for (const one of busy) expect(await one.hears('done')).toContain('HTTP/1.1 200')
    await kept()
  })

  it('ends one that has sent a second request in half only when its first is answered', async () => {
    const { waiting, half, kept, answer } = await openSmallServer()
    const both = await waiting()
    both.write('POST /read HTTP/1.1\r\nhost: bellhop\r\ncontent-length: 8\r\n\r\nhalf')
    const others = [await half(), await half()]

    await kept()
    answer()

    expect(await both.hears('done')).toContain('HTTP/1.1 200')
    await Promise.race(others.map((one) => one.closed))
  })

  it('keeps no connection for those whom it refuses', async () => {
    const { silent } = await openSmallServer()
    for (const request of [get('/none'), 'PUT /quick HTTP/1.1\r\nhost: bellhop\r\n\r\n']) {
      const connection = silent()
      connection.write(request)
      expect(await connection.closed).toMatch(/^HTTP\/1.1 404 .*connection: close/is)
    }
  })
})

it('Slack is answered though strangers hold every connection that the bot has', async () => {
  const world = await openWorld({ mostConnections: 5 })
  const strangers: BareConnection[] = []
  for (let count = 0; count < 5; count += 1) {
    const stranger = openBareConnection(world.url)
    stranger.write(get('/healthz'))
    await stranger.hears('ok')
    strangers.push(stranger)
  }

  expect((await send(world, { body: 'command=%2Fother' })).status).toBe(404)
  await world.alice.types('/alert help', world.general)
  await world.alice.sees('/alert <key>', world.general)

  await strangers[0]?.closed
  expect(strangers[4]?.isOpen()).toBe(true)
})
