// PostgreSQL that cannot be opened: in plain words, and never with the password.
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ConfigError } from '../../src/errors.ts'
import { openPostgres } from '../../src/storage/postgres/postgres.ts'
import { keepLog } from '../keep-log.ts'
import { startPostgres } from '../postgres.ts'
import { openUrl } from './files.ts'

const server = await startPostgres()
const here = `127.0.0.1:${server.port}`
const alice = { workspaceId: 'T1', userId: 'U1' }

const nameOf = (url: string) => new URL(url).pathname.slice(1)

/** What an operator reads; a server that is away is not waited for long. */
async function refusalOf(url: string): Promise<string> {
  const refusal = await openPostgres(url, { now: Date.now, startingMs: 50 }).catch(
    (error: unknown) => error,
  )
  expect(refusal).toBeInstanceOf(ConfigError)
  const problems = refusal instanceof ConfigError ? refusal.problems : []
  expect(problems).toHaveLength(1)
  for (const secret of ['not-a-secret', 'pass-word', 'postgres://'])
    expect(problems[0]).not.toContain(secret)
  return problems[0] ?? ''
}

/** A server of the test's own at a free port, and its url. */
async function listen(answer: (socket: Socket) => void): Promise<string> {
  const stranger = createServer((socket) => {
    socket.on('error', () => undefined)
    answer(socket)
  })
  stranger.listen(0, '127.0.0.1')
  await once(stranger, 'listening')
  onTestFinished(() => void stranger.close())
  const address = stranger.address()
  return `postgres://u:pass-word@127.0.0.1:${typeof address === 'object' ? address?.port : 0}/db`
}

describe('a database that cannot be used is refused in words:', () => {
  it.each([
    [
      'a wrong password',
      `postgres://postgres:pass-word@${here}/postgres`,
      'password authentication failed',
    ],
    ['no password', `postgres://postgres@${here}/postgres`, 'password must be a string'],
    [
      'no such database',
      `postgres://postgres:not-a-secret@${here}/pay`,
      'database "pay" does not exist',
    ],
    [
      'no TLS there',
      `postgres://postgres:not-a-secret@${here}/postgres?sslmode=verify-full`,
      'support SSL',
    ],
    ['an unknown host', 'postgres://u:pass-word@no-such-host.invalid/d', 'no-such-host.invalid'],
    ['nobody there', 'postgres://u:pass-word@localhost:1/d', 'Check that PostgreSQL runs there'],
    [
      'no socket there',
      'postgres:///d?host=/no/socket&user=u&password=pass-word',
      'd at /no/socket can’t be used',
    ],
  ])('%s', async (_, url, words) => {
    expect(await refusalOf(url)).toContain(words)
  })

  it('and one that is not up yet is logged once, while it is waited for', async () => {
    const { log, lines } = keepLog()
    const url = 'postgres://u:pass-word@127.0.0.1:1/pay'
    await openPostgres(url, { now: Date.now, log, startingMs: 50 }).catch(() => undefined)
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain('the database can’t be reached; Bellhop tries again')
    expect(lines[0]).not.toContain('pass-word')
  })

  it('something else that listens there', async () => {
    expect(await refusalOf(await listen((socket) => void socket.destroy()))).toContain(
      'Check that PostgreSQL runs there',
    )
  })

  it('one that can only be read, that has no schema', async () => {
    const [standby, bare] = [await server.createDatabase(), await server.createDatabase()]
    await server.query(`alter database ${nameOf(standby)} set default_transaction_read_only = on`)
    await server.query('drop schema public', bare)

    expect(await refusalOf(standby)).toContain('is read-only.')
    expect(await refusalOf(bare)).toContain(`${nameOf(bare)} at ${here} can’t be used:`)
  })

  it('one of a newer version of Bellhop', async () => {
    const url = await server.createDatabase()
    await openUrl(url)
    await server.query(`insert into migrations values ('9999-from-the-future')`, url)
    expect(await refusalOf(url)).toContain(
      `${nameOf(url)} at ${here} was last used by a newer version of Bellhop (it has 9999-from-the-future)`,
    )
  })
})

describe('a user who may not make tables', () => {
  it('is told so while there are some to make, and works once they are made', async () => {
    const url = await server.createDatabase()
    await server.query(`create role plain login password 'pass-word'`)
    const plain = url.replace('postgres:not-a-secret@', 'plain:pass-word@')
    expect(await refusalOf(plain)).toContain('Its user must be allowed to make tables.')

    await openUrl(url)
    await server.query(
      'grant select, insert, update, delete on all tables in schema public to plain',
      url,
    )

    const storage = await openUrl(plain)
    await storage.accounts.keep(alice, 'k.x')
    expect(await storage.accounts.find(alice)).toMatchObject({ token: 'k.x' })
    expect(await storage.problem()).toBeUndefined()
  })
})
