import { describe, expect, it, onTestFinished } from 'vitest'
import { createWebServer, type Handler } from '../../src/web/server.ts'
import { openBareConnection } from '../bare-connection.ts'

/** A server with one slow path; the test says when it is answered. */
async function openServer() {
  const asked = Promise.withResolvers<void>()
  const answer = Promise.withResolvers<void>()
  let requests = 0
  const slow: Handler = async (_request, response) => {
    requests += 1
    asked.resolve()
    await answer.promise
    response.end('done')
  }
  const known: Handler = (_request, response) => void response.end('here')
  const routes = new Map([
    ['GET /slow', slow],
    ['GET /known', known],
  ])
  const server = createWebServer(routes)
  const port = await server.listen('127.0.0.1', 0)
  onTestFinished(() => server.cut())
  return { server, port, asked: asked.promise, answer: answer.resolve, requests: () => requests }
}

const request = (path: string) => `GET ${path} HTTP/1.1\r\nhost: bellhop\r\n\r\n`

describe('a server that closes', () => {
  it('answers what is under way, and then ends the connection', async () => {
    const { server, port, asked, answer } = await openServer()
    const connection = openBareConnection(port)
    connection.write(request('/slow'))
    await asked

    const closed = server.close()
    answer()

    expect(await connection.closed).toMatch(/^HTTP\/1.1 200 .*done$/is)
    await closed
    // By itself, Node would end it after 75 s.
  }, 20_000)

  it('refuses with 503 what was half sent when it began, and is finished then', async () => {
    const { server, port, requests } = await openServer()
    const connection = openBareConnection(port)
    connection.write(`${request('/known')}GET /slow HTTP/1.1\r\nhost:`)
    await connection.hears('here')

    const closed = server.close()
    connection.write(' bellhop\r\n\r\n')

    expect(await connection.closed).toMatch(/HTTP\/1.1 503 .*connection: close/is)
    await closed
    expect(requests()).toBe(0)
  })
})

it('a server keeps no connection for those whom it refuses', async () => {
  const { port } = await openServer()
  for (const text of [request('/none'), 'PUT /known HTTP/1.1\r\nhost: bellhop\r\n\r\n']) {
    const connection = openBareConnection(port)
    connection.write(text)
    expect(await connection.closed).toMatch(/^HTTP\/1.1 404 .*connection: close/is)
  }
})
