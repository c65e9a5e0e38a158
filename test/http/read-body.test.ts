import { createServer, request } from 'node:http'
import { expect, it, onTestFinished } from 'vitest'
import { readBody } from '../../src/http/read-body.ts'

/** A server that reads one body, and what becomes of it. */
async function openReader() {
  const read = Promise.withResolvers<Buffer | undefined>()
  const server = createServer((incoming, response) => {
    readBody(incoming, 2_000).then(read.resolve, read.reject)
    read.promise.finally(() => response.end()).catch(() => undefined)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const sending = request({ port, host: '127.0.0.1', method: 'POST' })
  sending.on('error', () => undefined)
  return { sending, read: read.promise }
}

it('a body that comes in pieces is read whole', async () => {
  const { sending, read } = await openReader()
  sending.write('alert ')
  sending.end('5HkX')
  expect(String(await read)).toBe('alert 5HkX')
})

it('a body that breaks off is no body', async () => {
  const { sending, read } = await openReader()
  sending.setHeader('content-length', 50)
  sending.write('half', () => sending.destroy())
  await expect(read).rejects.toThrow('cut off')
})

it('of a body that is too large nothing is kept', async () => {
  const { sending, read } = await openReader()
  sending.end('x'.repeat(2_001))
  expect(await read).toBeUndefined()
})

it('of a body in too many pieces nothing is kept, however small they are', async () => {
  const { sending, read } = await openReader()
  sending.setNoDelay(true)
  for (let piece = 0; piece < 1_500; piece += 1) sending.write('x')
  expect(await read).toBeUndefined()
})
