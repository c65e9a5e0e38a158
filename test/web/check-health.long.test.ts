// The HEALTHCHECK of the image, as a process: it asks where the bot listens, and fails in time.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readDockerfile } from '../container/dockerfile.ts'

const [node, ...words] = readDockerfile(readFileSync('Dockerfile', 'utf8')).at(-1)?.healthcheck ?? []

async function listen(host: string, answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, host)
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  return String(typeof address === 'object' && address !== null ? address.port : 0)
}

async function exitCode(env: Readonly<Record<string, string>>): Promise<unknown> {
  expect(node).toBe('node')
  const child = spawn(process.execPath, words, { env: { ...env }, stdio: 'ignore' })
  const [code] = await once(child, 'exit')
  return code
}

describe('the health check of the container', () => {
  it.each<readonly [host: string, env: Readonly<Record<string, string>>]>([
    ['127.0.0.1', { HOST: '127.0.0.1' }],
    ['127.0.0.1', { HOST: 'localhost' }],
    ['0.0.0.0', { HOST: '0.0.0.0' }],
    ['0.0.0.0', { HOST: ' ' }],
    ['0.0.0.0', {}],
    ['::', { HOST: '::' }],
    // Not on a Mac, which has no such address.
    ...(process.platform === 'darwin' ? [] : [['127.0.0.2', { HOST: '127.0.0.2' }] as const]),
  ])('finds a bot that listens on %s by %j', async (host, env) => {
    const asked: string[] = []
    const PORT = await listen(host, ({ method, url }, response) => {
      asked.push(`${method} ${url}`)
      response.end('ok')
    })

    expect(await exitCode({ ...env, PORT })).toBe(0)
    expect(asked).toEqual(['GET /healthz'])
  })

  it('fails where nobody listens, where something else answers, and where nothing is said in time', async () => {
    const refusing = await listen('127.0.0.1', (_, response) => response.writeHead(503).end())
    const silent = await listen('127.0.0.1', () => undefined)

    expect(await exitCode({ PORT: '1' })).toBe(1)
    expect(await exitCode({ PORT: refusing })).toBe(1)
    expect(await exitCode({ PORT: silent })).toBe(1)
  })

  it('loads no TypeScript, as it runs every minute for as long as the container lives', () => {
    expect(words.filter((word) => word.endsWith('.ts'))).toEqual([])
  })
})
