// Bodies that strangers can have the bot hold: nothing without the headers of a signature, and little with made-up
// ones.
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { bytesOfPiece, createBodyBudget } from '../../src/http/read-body.ts'
import { linkIn, openPublicWorld } from '../account/on-token-page.ts'
import { openBareConnection } from '../bare-connection.ts'
import { send } from '../signed-request.ts'
import { openWorld, type World, type WorldOptions } from '../world.ts'

const megabyte = 1024 * 1024

const lines = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)

function head(headers: Readonly<Record<string, string>>): string {
  return `POST /slack/events HTTP/1.1\r\nhost: bellhop\r\n${lines(headers).join('')}\r\n`
}

const unixSeconds = ({ clock }: World) => Math.floor(clock.now() / 1000)

/** What nobody can tell from a signature without the body. */
const madeUp = (world: World, ageSeconds = 0) => ({
  'x-slack-request-timestamp': String(unixSeconds(world) - ageSeconds),
  'x-slack-signature': `v0=${'0'.repeat(64)}`,
})
type Change = (world: World) => Readonly<Record<string, string>>

describe('a request whose headers cannot be those of a signature', () => {
  it.each<[string, Change]>([
    ['without any', () => ({})],
    ['without a timestamp', (world) => ({ ...madeUp(world), 'x-slack-request-timestamp': '' })],
    ['more than five minutes old', (world) => madeUp(world, 301)],
    ['more than five minutes ahead', (world) => madeUp(world, -302)],
    [
      'with a timestamp that is no number',
      (world) => ({ ...madeUp(world), 'x-slack-request-timestamp': 'x' }),
    ],
    ['without a signature', (world) => ({ ...madeUp(world), 'x-slack-signature': '' })],
    [
      'with a signature in capitals',
      (world) => ({ ...madeUp(world), 'x-slack-signature': `v0=${'A'.repeat(64)}` }),
    ],
    [
      'with one that is too long',
      (world) => ({ ...madeUp(world), 'x-slack-signature': `v0=${'0'.repeat(65)}` }),
    ],
  ])('is refused before any of its body is there: %s', async (_how, headersOf) => {
    const world = await openWorld()
    const connection = openBareConnection(world.url)

    connection.write(head({ ...headersOf(world), 'content-length': String(megabyte) }))

    expect(await connection.hears('not signed')).toMatch(/^HTTP\/1.1 401 .*connection: close\r\n/is)
    await connection.closed
  })

  const form = { 'content-type': 'application/x-www-form-urlencoded' }

  it.each([
    ['is longer than a kilobyte', { ...form, 'content-length': '1025' }],
    ['does not say how long it is', { ...form, 'transfer-encoding': 'chunked' }],
    ['is no form', { 'content-type': 'application/json', 'content-length': '11' }],
  ])('is no check of the certificate when it %s', async (_what, headers) => {
    const world = await openWorld()
    const connection = openBareConnection(world.url)

    connection.write(head(headers))

    expect(await connection.hears('not signed')).toMatch(/^HTTP\/1.1 401 /)
    await connection.closed
  })

  it('is answered as Slack’s check of the certificate when that is what it brings', async () => {
    const world = await openWorld()
    const connection = openBareConnection(world.url)

    connection.write(head({ ...form, 'content-length': '11' }))
    connection.write('ssl_check=1')

    expect(await connection.hears('\r\n\r\n')).toMatch(/^HTTP\/1.1 200 .*connection: keep-alive/is)
  })
})

const patiently = { timeout: 30_000, interval: 5 }

const kilobyteTakes = 1000 + bytesOfPiece

/** A bot with room for three bodies of a kilobyte in a piece each, and what there is of them. */
async function openSmallWorld(open: (options: WorldOptions) => Promise<World> = openWorld) {
  const budget = createBodyBudget({ mostBytes: 3 * kilobyteTakes })
  let most = 0
  const looks = new Set<() => void>()
  const bodies = {
    ...budget,
    open(end: () => void) {
      const share = budget.open(end)
      const take = (bytes: number) => {
        share.take(bytes)
        most = Math.max(most, budget.taken())
        for (const look of looks) look()
      }
      return { ...share, take }
    },
  }
  const world = await open({ bodies, isAliceConnected: 'in the form' })
  /** Resolves once so many kilobytes have come. It does not poll, which would have a stopped clock go on. */
  const kilobytes = (count: number) =>
    new Promise<void>((resolve) => {
      const look = () => {
        if (budget.taken() === count * kilobyteTakes) resolve()
      }
      looks.add(look)
      look()
    })
  return { world, budget, most: () => most, kilobytes }
}

const long = { 'transfer-encoding': 'chunked' }
const piece = (bytes: number) => `${bytes.toString(16)}\r\n${'x'.repeat(bytes)}\r\n`

/** A stranger who sends the first kilobyte of something that never ends. */
function dribbles(world: World) {
  const connection = openBareConnection(world.url)
  connection.write(head({ ...madeUp(world), ...long }) + piece(1000))
  return connection
}

describe('bodies with a made-up signature', () => {
  it('hold no more than the budget together: the one that has taken longest ends for the next', async () => {
    const { world, most, budget, kilobytes } = await openSmallWorld()
    const first = dribbles(world)
    await kilobytes(1)
    const second = dribbles(world)
    await kilobytes(2)
    const third = dribbles(world)
    await kilobytes(3)
    const fourth = dribbles(world)

    await first.closed
    expect(budget.taken()).toBe(3 * kilobyteTakes)
    // What the second had sent later does not make it a newcomer.
    second.write(piece(1))
    await second.closed
    await expect.poll(budget.taken, patiently).toBe(2 * kilobyteTakes)

    expect([third, fourth].map((one) => one.isOpen())).toEqual([true, true])
    expect(most()).toBe(3 * kilobyteTakes)
    third.leave()
    fourth.leave()
    await expect.poll(budget.taken, patiently).toBe(0)
  })

  it('do not keep Slack out while they fill it: Alice is answered', async () => {
    const { world, most, budget, kilobytes } = await openSmallWorld()
    const strangers = [dribbles(world), dribbles(world), dribbles(world)]
    await kilobytes(3)

    await world.alice.types(`/alert help ${'x'.repeat(900)}`, world.general)
    await world.alice.sees('/alert <key>', world.general)

    await Promise.race(strangers.map((one) => one.closed))
    expect(strangers.filter((one) => one.isOpen())).toHaveLength(2)
    for (const stranger of strangers) stranger.leave()
    await expect.poll(budget.taken, patiently).toBe(0)
    expect(most()).toBeLessThanOrEqual(3 * kilobyteTakes)
  })

  it('count with what a piece costs, so that many small ones are not for nothing', async () => {
    const { world, budget } = await openSmallWorld()
    const connection = openBareConnection(world.url)

    connection.write(head({ ...madeUp(world), ...long }) + piece(1).repeat(5))
    await expect.poll(budget.taken, patiently).toBe(5 * (1 + bytesOfPiece))
    connection.write(piece(1))

    await connection.closed
    expect(budget.taken()).toBe(0)
  })

  it('have five seconds to arrive', async () => {
    const { world, budget, kilobytes } = await openSmallWorld()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const stranger = dribbles(world)
    await kilobytes(1)

    vi.advanceTimersByTime(4_999)
    stranger.write(piece(1000))
    await kilobytes(2)
    vi.advanceTimersByTime(1)

    // At once: the server ends half-sent requests as well, some seconds later.
    expect(budget.taken()).toBe(0)
    await stranger.closed
  })

  it.each([
    ['when it is whole', { connection: 'close', 'content-length': '4' }, 'half', '401'],
    ['when it says that it is too long', { 'content-length': String(megabyte + 1) }, '', '413'],
  ])('leave nothing behind: %s', async (_when, headers, body, status) => {
    const { world, budget } = await openSmallWorld()
    const connection = openBareConnection(world.url)

    connection.write(head({ ...madeUp(world), ...headers }) + body)

    expect(await connection.closed).toMatch(new RegExp(`^HTTP/1.1 ${status} .*connection: close`, 'is'))
    expect(budget.taken()).toBe(0)
  })

  it('leave nothing behind: when it turns out to be too long', async () => {
    const bodies = createBodyBudget()
    const world = await openWorld({ bodies })
    const connection = openBareConnection(world.url)

    connection.write(head({ ...madeUp(world), ...long }) + piece(megabyte))
    await expect.poll(bodies.taken, patiently).toBeGreaterThan(megabyte)
    connection.write(piece(1))

    expect(await connection.closed).toMatch(/^(HTTP\/1.1 413 .*connection: close|$)/is)
    expect(bodies.taken()).toBe(0)
  })
})

it('a body that Slack signed takes nothing of the budget once it is verified', async () => {
  const { world, budget, most } = await openSmallWorld()

  const response = await send(world, { body: 'ssl_check=0&command=%2Fother' })

  expect(response.status).toBe(404)
  expect(most()).toBeGreaterThan(0)
  expect(budget.taken()).toBe(0)
})

it('the form of the token page takes of the same budget', async () => {
  const { world, budget } = await openSmallWorld(openPublicWorld)
  await world.bob.types('/alert connect', world.bob.dm)
  const { pathname } = new URL(linkIn(world, await world.bob.sees('Bellhop then acts as you', world.bob.dm)))
  const connection = openBareConnection(world.url)

  const form = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': '9000' }
  connection.write(`POST ${pathname} HTTP/1.1\r\nhost: bellhop\r\n${lines(form).join('')}\r\n`)
  connection.write('x'.repeat(1000))
  await expect.poll(budget.taken, patiently).toBeGreaterThanOrEqual(kilobyteTakes)
  connection.write('x'.repeat(6000))

  await connection.closed
  expect(budget.taken()).toBe(0)
})
