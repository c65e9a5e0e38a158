// node:http for what takes a Request and gives a Response.
import { createServer } from 'node:http'
import { port } from './shared.js'

async function answer(incoming, response, handle) {
  const chunks = []
  for await (const chunk of incoming) chunks.push(chunk)
  const request = new Request(`http://localhost${incoming.url}`, {
    method: incoming.method,
    headers: incoming.headers,
    body: Buffer.concat(chunks),
  })
  const answered = await handle(request)
  response.writeHead(answered.status, Object.fromEntries(answered.headers)).end(await answered.text())
}

/** @param handle - What is posted; `/healthz` says that the process is up. */
export function listen(handle) {
  const server = createServer((incoming, response) => {
    if (incoming.url === '/healthz') return response.writeHead(200).end('ok')
    return answer(incoming, response, handle)
  })
  server.listen(port, '127.0.0.1', () => console.log(`listening ${server.address().port}`))
}
