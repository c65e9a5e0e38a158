// A copy that is restored, by the lines that the shelf has for it: the bot starts on it, people are still connected, and the
// audit trail holds.
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { openProcessWorld } from '../playground-world.ts'
import { forkPostgres, type PostgresProcess } from '../postgres-process.ts'
import { onShelf, ownFolder } from './tools.ts'

type Names = Readonly<Record<string, string>>

/** The line of the document that begins so, as somebody types it: with their own names in place of the document’s. */
function line(start: string, names: Names): string {
  const found = onShelf('restore.md')
    .split('\n')
    .filter((one) => one.startsWith(start))
  expect(found).toHaveLength(1)
  return Object.entries(names).reduce((typed, [from, to]) => typed.replaceAll(from, to), found[0] ?? '')
}

/** Not synchronously: the stand-ins are in this process. */
async function run(typed: string, env: Names = {}, cwd = '.') {
  const node = dirname(process.execPath)
  const child = spawn('sh', ['-ec', typed], {
    cwd,
    env: { ...env, PATH: `${node}:${env.PATH ?? process.env.PATH}` },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const [printed, complaint] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { exitCode: await ended, said: printed + complaint }
}

async function runs(typed: string, env: Names = {}, cwd = '.'): Promise<void> {
  expect([typed, await run(typed, env, cwd)]).toEqual([typed, expect.objectContaining({ exitCode: 0 })])
}

/** As `npm run` runs it; npm itself would look around first. */
const script = (typed: string) =>
  typed
    .replace('npm run backup --', 'node src/backup-database.ts')
    .replace('npm run audit --', 'node src/read-audit.ts')

type World = Awaited<ReturnType<typeof openProcessWorld>>

/** Alice connects and grants; the copy is made; she disconnects and somebody else is granted access; it is restored. */
async function goThere(
  world: World,
  copy: () => Promise<void>,
  restore: () => Promise<Readonly<Record<string, string>>>,
): Promise<void> {
  const { alice, general, service } = world
  service.addAlert({ ks: '5HkX', message: 'Disk full' })
  const first = await world.start()
  await world.connect()
  await alice.types('/grant 12 dave@example.com viewer', general)
  await alice.sees('Granted', general)
  await copy()
  await alice.types('/alert disconnect', general)
  await alice.sees('forgotten', general)
  await first.stop()
  const [, head = ''] = /"auditHead":"([^"]+)"/.exec(lastHead(first.output())) ?? []
  expect(head).toMatch(/^\d+:/)

  const changes = await restore()

  const env = { ...world.env, ...changes }
  await world.start(changes)
  await alice.types('/alert 5HkX', general)
  await alice.sees('Disk full', general)
  const verified = await run(script(line('npm run audit', {})), env)
  expect(verified).toMatchObject({ exitCode: 0, said: expect.stringMatching(/record/) })
  const short = await run(script(`${line('npm run audit', {})} --head ${head}`), env)
  expect(short).toMatchObject({ exitCode: 1, said: expect.stringContaining('missing') })
}

function lastHead(output: string): string {
  return output.split('\n').findLast((one) => one.includes('"auditHead"')) ?? ''
}

describe('a copy of a SQLite database', () => {
  it('that is put back by the lines of the shelf brings back who was connected, and a trail that holds', async () => {
    const backups = ownFolder()
    const data = ownFolder()
    const world = await openProcessWorld({ databaseUrl: `file:${join(data, 'bellhop.db')}` })
    const names = { '/var/backups': backups, ' --owner=bellhop --group=bellhop': '' }
    await goThere(
      world,
      () => runs(script(line('npm run backup', names)), world.env),
      async () => {
        for (const start of ['mkdir ', 'mv ', 'install ']) await runs(line(start, names), {}, data)
        expect(existsSync(join(data, 'aside/bellhop.db'))).toBe(true)
        return {}
      },
    )
  }, 60_000)
})

/** Programs of PostgreSQL that belong together: `pg_dump` takes no newer server than it is itself. */
function programs(): { readonly folder: string; readonly major: number } | undefined {
  try {
    const folder = execFileSync('pg_config', ['--bindir'], { encoding: 'utf8', stdio: 'pipe' }).trim()
    const said = execFileSync(join(folder, 'postgres'), ['--version'], { encoding: 'utf8', stdio: 'pipe' })
    const major = Number(/\) (\d+)/.exec(said)?.[1])
    return major >= 15 && existsSync(join(folder, 'pg_dump')) ? { folder, major } : undefined
  } catch {
    return undefined
  }
}

describe('a copy of a PostgreSQL database', () => {
  const found = programs()
  let server: PostgresProcess | undefined
  afterAll(() => server?.end(), 60_000)

  it.skipIf(found === undefined)(
    'that is put back by the lines of the shelf does the same (needs PostgreSQL 15 or newer with pg_dump)',
    async () => {
      const folder = found?.folder ?? ''
      server = await forkPostgres({ programs: dirname(folder) })
      const url = new URL(await server.createDatabase())
      const backups = join(ownFolder(), 'copies')
      mkdirSync(backups)
      const name = url.pathname.slice(1)
      const names = {
        'db.example.com --username=bellhop': `127.0.0.1 --port=${url.port} --username=${url.username}`,
        '/var/backups': backups,
        ' bellhop_monday': ' restored',
        '=bellhop_monday': '=restored',
      }
      const env = { PGPASSWORD: url.password, PATH: `${folder}:${process.env.PATH}` }
      const world = await openProcessWorld({ databaseUrl: url.href })
      await goThere(
        world,
        () => runs(line('pg_dump', names).replace(/ bellhop$/, ` ${name}`), env),
        async () => {
          await runs(line('createdb', names), env)
          await runs(line('pg_restore', names), env)
          return { DATABASE_URL: url.href.replace(name, 'restored') }
        },
      )
    },
    60_000,
  )
})
