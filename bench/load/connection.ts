// One kept connection to a bot: a request out, its answer in. As little HTTP as that takes, so that the load costs a
// fraction of what it measures.
import { createConnection } from 'node:net'
import { Unfit } from '../unfit.ts'

export interface Answer {
  readonly status: number
  readonly body: string
}

export type Connection = Awaited<ReturnType<typeof connect>>

/** Sizes before chunks, and the end after the last: JSON has no such line. */
const chunkHeads = /(?:^|\r\n)[0-9a-f]+\r\n(?:\r\n$)?/g

/** An answer that is all there; undefined while some of it is missing. */
function parse(text: string): Answer | undefined {
  const end = text.indexOf('\r\n\r\n')
  if (end === -1) return undefined
  const status = Number(text.slice(9, 12))
  const head = text.slice(0, end).toLowerCase()
  const body = text.slice(end + 4)
  const at = head.indexOf('\r\ncontent-length:')
  if (at !== -1) {
    const length = Number.parseInt(head.slice(at + 17), 10)
    return body.length < length ? undefined : { status, body }
  }
  if (!head.includes('\r\ntransfer-encoding: chunked')) return { status, body }
  if (!body.endsWith('0\r\n\r\n')) return undefined
  return { status, body: body.replaceAll(chunkHeads, '') }
}

export async function connect(port: number) {
  const socket = createConnection({ port, host: '127.0.0.1', noDelay: true })
  socket.setEncoding('latin1')
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve)
    socket.once('error', reject)
  })
  let received = ''
  let waiting: PromiseWithResolvers<Answer> | undefined
  let isClosed = false

  socket.on('data', (chunk: string) => {
    received += chunk
    const answer = parse(received)
    if (answer === undefined) return
    received = ''
    waiting?.resolve(answer)
    waiting = undefined
  })
  const lost = () => {
    if (isClosed) return
    isClosed = true
    waiting?.reject(new Unfit('A bot closed a connection on which it was asked something.'))
  }
  socket.on('error', lost)
  socket.on('close', lost)

  return {
    /** One at a time. @param request - All of it, as bytes in latin1. */
    ask(request: string): Promise<Answer> {
      waiting = Promise.withResolvers<Answer>()
      socket.write(request, 'latin1')
      return waiting.promise
    },
    close(): void {
      isClosed = true
      socket.destroy()
    },
  }
}
