// Bodies that strangers can have the bot hold: nothing without the headers of a signature, and little with made-up
// ones.
import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { openBareConnection } from '../bare-connection.ts'
import { openWorld, type World } from '../world.ts'

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
    ['without a signature', (world) => ({ ...madeUp(world), 'x-slack-signature': '' })],
    [
      'with one that is too long',
      (world) => ({ ...madeUp(world), 'x-slack-signature': `v0=${'0'.repeat(65)}` }),
    ],
  ])('is refused before any of its body is there: %s', async (_how, headersOf) => {
    const world = await openWorld()
    const connection = openBareConnection(world.url)

    connection.write(head({ ...headersOf(world), 'content-length': String(megabyte) }))

    expect(await connection.closed).toMatch(/^HTTP\/1.1 401 .*connection: close\r\n/is)
  })
})

const chunked = { 'transfer-encoding': 'chunked' }
const piece = (bytes: number) => `${bytes.toString(16)}\r\n${'x'.repeat(bytes)}\r\n`

describe('a body with a made-up signature', () => {
  it.each([
    ['is refused once it is whole', { 'content-length': '4' }, 'half', 401],
    [
      'is not read when it says that it is too long',
      { 'content-length': String(megabyte) },
      '',
      413,
    ],
    ['is given up when it turns out to be too long', chunked, piece(megabyte), 413],
    ['is given up when it comes in too many pieces', chunked, piece(1).repeat(100_000), 413],
  ])('%s', async (_what, headers, body, status) => {
    const world = await openWorld()
    const connection = openBareConnection(world.url)

    connection.write(head({ ...madeUp(world), ...headers }) + body)

    // Whoever still sends may find the connection gone before the answer.
    expect(await connection.closed).toMatch(
      new RegExp(`^(HTTP/1.1 ${status} .*connection: close|$)`, 'is'),
    )
  })
})

describe('a body that breaks off', () => {
  it('without a signature leaves no line in the log', async () => {
    const world = await openWorld({ isAliceConnected: false })
    await world.slack.idle()
    const before = world.log.length
    const { hostname, port } = new URL(world.url)
    const socket = connect(Number(port), hostname)
    socket.write('POST /slack/events HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\nhalf', () =>
      socket.destroy(),
    )
    await new Promise((resolve) => socket.once('close', resolve))

    expect((await fetch(`${world.url}/healthz`)).status).toBe(200)
    expect(world.log.slice(before)).toEqual([])
  })
})
