// Says that the process is up.

export const alive = {
  path: '/healthz',
  method: ['GET'],
  handler(_request, response) {
    response.writeHead(200).end('ok')
  },
}
