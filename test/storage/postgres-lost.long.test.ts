// PostgreSQL that goes away: what can be done again is, what is in doubt is not, and the process lives.
import { connect, createServer, type Socket } from 'node:net'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openStorage, type Storage } from '../../src/storage/storage.ts'
import { keepLog } from '../keep-log.ts'
import { startOwnPostgres } from '../postgres.ts'

const server = await startOwnPostgres()
const alice = { workspaceId: 'T1', userId: 'U1' }
const bob = { workspaceId: 'T1', userId: 'U2' }

async function openLogged(url: string): Promise<{ storage: Storage; lines: string[] }> {
  const { log, lines } = keepLog()
  const storage = await openStorage({ url, now: Date.now, log })
  onTestFinished(() => storage.close())
  return { storage, lines }
}

/** A client of the test's own, in a transaction. */
async function begin(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('begin')
  return client
}

/** Resolves once another's statement waits for a lock. */
async function someoneWaits(url: string): Promise<void> {
  const waiting = `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await expect.poll(() => server.query(waiting, url)).toHaveLength(1)
}

const cutThoseWaiting = `select pg_terminate_backend(pid, 5000) from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock'`

describe('a server that', () => {
  it.each(['stop', 'crash'] as const)(
    'goes by a %s and comes back is missed by nobody',
    async (how) => {
      const { storage, lines } = await openLogged(await server.createDatabase())
      await storage.accounts.keep(alice, 'k.before')
      // Several connections, all of which break.
      await Promise.all([1, 2, 3].map(() => storage.accounts.find(alice)))

      await server[how]()
      expect(await storage.problem()).toBe('away')
      const read = storage.accounts.find(alice)
      const written = storage.accounts.keep(bob, 'k.after')
      await server.start()

      expect(await read).toMatchObject({ token: 'k.before' })
      await written
      expect(await storage.accounts.find(bob)).toMatchObject({ token: 'k.after' })
      expect(await storage.problem()).toBeUndefined()
      const said = () =>
        lines.map((line) => JSON.parse(line)).map(({ level, msg }) => `${level} ${msg}`)
      await expect
        .poll(said)
        .toEqual([
          'warn the database can’t be reached; Bellhop tries again when it needs it',
          'warn the database is connected again',
        ])
      expect(lines.join()).not.toContain('not-a-secret')
    },
  )

  it('is not up yet is waited for', async () => {
    const url = await server.createDatabase()
    await server.stop()
    const opening = openLogged(url)
    await server.start()
    const { storage } = await opening
    expect(await storage.problem()).toBeUndefined()
  })

  it('falls silent is found out, and heard again', async () => {
    const proxy = await openProxy()
    const { storage } = await openLogged(proxy.through(await server.createDatabase()))
    expect(await storage.problem()).toBeUndefined()

    proxy.pause()
    expect(await storage.problem()).toBe('away')

    proxy.resume()
    expect(await storage.problem()).toBeUndefined()
  })
})

describe('a connection that breaks', () => {
  it('under a write is told to the caller: nobody knows whether it was made', async () => {
    const url = await server.createDatabase()
    const { storage } = await openLogged(url)
    const holder = await begin(url)
    await holder.query('lock table accounts in access exclusive mode')

    const outcome = storage.accounts.keep(alice, 'k.x').catch((error: unknown) => error)
    await someoneWaits(url)
    await server.query(cutThoseWaiting, url)
    expect(String(await outcome)).toContain('terminating connection')
    await holder.end()

    expect(await storage.accounts.find(alice)).toBeUndefined()
    await storage.accounts.keep(alice, 'k.y')
    expect(await storage.accounts.find(alice)).toMatchObject({ token: 'k.y' })
  })
})

/** Stands between a storage and the server. It can stop passing anything on. */
async function openProxy() {
  const sockets: Socket[] = []
  let isPaused = false
  const proxy = createServer((near) => {
    const far = connect(server.port, '127.0.0.1')
    const pass = (from: Socket, to: Socket) => {
      from.on('data', (chunk) => void (isPaused || to.write(chunk)))
      from.on('close', () => to.destroy())
      from.on('error', () => undefined)
      sockets.push(from)
    }
    pass(near, far)
    pass(far, near)
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    proxy.close()
    for (const socket of sockets) socket.destroy()
  })
  const address = proxy.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    through: (url: string) => url.replace(`:${server.port}/`, `:${port}/`),
    pause() {
      isPaused = true
    },
    resume() {
      isPaused = false
    },
  }
}
