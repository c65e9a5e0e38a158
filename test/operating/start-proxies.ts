// The reverse proxies of the shelf, started as their files have them but for names, ports and certificates; and an upstream
// that writes down what reaches it.
import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { request } from 'node:https'
import { connect, createServer as createTcp } from 'node:net'
import { join, resolve } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import { onShelf, ownFolder } from './tools.ts'

/** For `127.0.0.1`, with its key. */
const certificate = resolve('test/monitor/signed-by-authority.pem')
const authority = readFileSync('test/monitor/authority.pem')

export interface Proxy {
  readonly port: number
  /** All that it has logged. */
  log(): string
}

export interface Reached {
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** Answers 200 to all, and keeps it. */
export async function startUpstream() {
  const reached: Reached[] = []
  const server = createServer(async (message, response) => {
    const body = await buffer(message).catch(() => undefined)
    if (body === undefined) return
    reached.push({ method: message.method ?? '', url: message.url ?? '', headers: message.headers, body })
    response.end('from Bellhop')
  })
  const stop = () => {
    server.closeAllConnections()
    server.close()
  }
  onTestFinished(stop)
  return { reached, port: await listening(server), stop }
}

type Listens = Pick<ReturnType<typeof createTcp>, 'listen' | 'address'>

async function listening(server: Listens): Promise<number> {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

async function freePort(): Promise<number> {
  const server = createTcp()
  const port = await listening(server)
  await new Promise((done) => server.close(done))
  return port
}

/** Resolves once the port takes connections. @throws Error with what the process said, when it has ended. */
async function opened(child: ChildProcess, port: number, said: () => string): Promise<void> {
  for (;;) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`the proxy ended:\n${said()}`)
    const isOpen = await new Promise<boolean>((done) => {
      const socket = connect(port, '127.0.0.1', () => done(true)).on('error', () => done(false))
      socket.on('connect', () => socket.destroy())
    })
    if (isOpen) return
    await new Promise((done) => setImmediate(done))
  }
}

async function run(program: string, words: readonly string[], port: number, folder: string): Promise<Proxy> {
  const child = spawn(program, words, {
    cwd: folder,
    env: { HOME: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise((done) => child.once('close', done))
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  let printed = ''
  child.stdout.on('data', (chunk) => (printed += chunk))
  child.stderr.on('data', (chunk) => (printed += chunk))
  const written = () =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.log'))
      .map((name) => readFileSync(join(folder, name), 'utf8'))
  const log = () => printed + written().join('')
  await opened(child, port, log)
  return { port, log }
}

/** @param to - The port of the upstream. */
export async function startNginx(program: string, to: number): Promise<Proxy> {
  const folder = ownFolder()
  const [plain, secure] = [await freePort(), await freePort()]
  const own = onShelf('nginx.conf')
    .replaceAll(/^ *listen \[::\].*\n/gm, '')
    .replace('listen 80;', `listen 127.0.0.1:${plain};`)
    .replace('listen 443 ssl;', `listen 127.0.0.1:${secure} ssl;`)
    .replaceAll(/\/etc\/letsencrypt\S+\.pem/g, certificate)
    .replaceAll('/var/log/nginx/', `${folder}/`)
    .replace('127.0.0.1:3000', `127.0.0.1:${to}`)
  writeFileSync(join(folder, 'bellhop.conf'), own)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  const main = [
    ...['daemon off;', 'master_process off;', 'pid nginx.pid;', 'error_log error.log info;', 'events {}'],
    'http {',
    ...temporary.map((name) => `${name}_temp_path ${folder}/${name};`),
    'include bellhop.conf;',
    '}',
  ]
  writeFileSync(join(folder, 'nginx.conf'), main.join('\n'))
  const words = ['-p', folder, '-e', join(folder, 'error.log'), '-c', join(folder, 'nginx.conf')]
  return run(program, words, secure, folder)
}

/** @param to - The port of the upstream. */
export async function startCaddy(program: string, to: number): Promise<Proxy> {
  const folder = ownFolder()
  const secure = await freePort()
  const own = onShelf('Caddyfile')
    .replace('{\n\tservers', '{\n\tadmin off\n\tauto_https disable_redirects\n\tservers')
    .replace('bellhop.example.com {', `https://127.0.0.1:${secure} {\n\ttls ${certificate} ${certificate}`)
    .replace('127.0.0.1:3000', `127.0.0.1:${to}`)
  writeFileSync(join(folder, 'Caddyfile'), own)
  return run(program, ['run', '--adapter', 'caddyfile', '--config', 'Caddyfile'], secure, folder)
}

/** A request over TLS, its path as it is written. */
export async function ask(
  { port }: Proxy,
  path: string,
  how: { method?: string; headers?: Record<string, string>; body?: Buffer } = {},
): Promise<{ readonly status: number; readonly text: string }> {
  const { method = 'GET', headers = {}, body } = how
  return new Promise((resolve, reject) => {
    const asking = request(
      { host: '127.0.0.1', port, path, method, headers, ca: authority, agent: false },
      (answer) => {
        buffer(answer).then(
          (bytes) => resolve({ status: answer.statusCode ?? 0, text: bytes.toString() }),
          reject,
        )
      },
    )
    asking.on('error', reject).end(body)
  })
}
