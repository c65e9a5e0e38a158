// A PostgreSQL server out of npm, started and stopped from here; its processes and data go with whoever started it.
import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { z } from 'zod'

export interface PostgresServer {
  readonly port: number
  /**
   * Makes a database, and returns its url.
   * @param template - Another's url: it is made as that one is, and nobody may be connected to that. Else it is empty.
   */
  createDatabase(template?: string): Promise<string>
  /** What the superuser says, in the database of this url or in the one that is always there. */
  query(text: string, url?: string): Promise<readonly Readonly<Record<string, unknown>>[]>
  /** Ends its connections. */
  stop(): Promise<void>
  /** Ends without a word to anybody. */
  crash(): Promise<void>
  /** Starts it again, where it was. */
  start(): Promise<void>
}

export interface PostgresProcess extends PostgresServer {
  /** For good: its data goes too. */
  end(): Promise<void>
}

// The same as in postgres-server.ts, which starts a server when it is imported.
const superuser = 'postgres:not-a-secret'
const script = fileURLToPath(new URL('./postgres-server.ts', import.meta.url))

export async function forkPostgres(): Promise<PostgresProcess> {
  const child = fork(script, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const ended = new Promise<never>((_, reject) => {
    child.once('exit', (code) => reject(new Error(`PostgreSQL for tests ended with ${code}`)))
  })
  ended.catch(() => undefined)
  const answer = (): Promise<unknown> =>
    Promise.race([new Promise((resolve) => child.once('message', resolve)), ended])

  async function tell(word: 'start' | 'stop' | 'crash'): Promise<void> {
    const done = answer()
    child.send(word)
    await done
  }

  const { port } = z.object({ port: z.number() }).parse(await answer())
  const urlOf = (database: string) => `postgres://${superuser}@127.0.0.1:${port}/${database}`
  let databases = 0

  async function query(text: string, url = urlOf('postgres')) {
    const client = new pg.Client({ connectionString: url })
    client.on('error', () => undefined)
    await client.connect()
    try {
      const { rows } = await client.query<Record<string, unknown>>(text)
      return rows
    } finally {
      await client.end()
    }
  }

  return {
    port,
    query,
    async createDatabase(template) {
      databases += 1
      const name = `test${databases}`
      const from = template === undefined ? 'template1' : new URL(template).pathname.slice(1)
      await query(`create database ${name} template ${from} strategy file_copy`)
      return urlOf(name)
    },
    stop: () => tell('stop'),
    crash: () => tell('crash'),
    start: () => tell('start'),
    async end() {
      if (child.connected) child.send('end')
      await ended.catch(() => undefined)
    },
  }
}
