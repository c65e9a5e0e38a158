// The HEALTHCHECK of the image, as a process: it asks the bot in its container.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readDockerfile } from '../container/dockerfile.ts'

const [, ...words] = readDockerfile(readFileSync('Dockerfile', 'utf8')).at(-1)?.healthcheck ?? []

async function listen(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '0.0.0.0')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  return String(typeof address === 'object' && address !== null ? address.port : 0)
}

async function exitCode(PORT: string): Promise<unknown> {
  const child = spawn(process.execPath, words, { env: { PORT }, stdio: 'ignore' })
  const [code] = await once(child, 'exit')
  return code
}

describe('the health check of the container', () => {
  it('finds a bot that is alive', async () => {
    const asked: string[] = []
    const port = await listen(({ method, url }, response) => {
      asked.push(`${method} ${url}`)
      response.end('ok')
    })

    expect(await exitCode(port)).toBe(0)
    expect(asked).toEqual(['GET /healthz'])
  })

  it('fails where nobody listens, and where something else answers', async () => {
    expect(await exitCode('1')).toBe(1)
    expect(await exitCode(await listen((_, response) => response.writeHead(503).end()))).toBe(1)
  })
})
