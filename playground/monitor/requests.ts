// Requests to the stand-in service: read from the socket, and kept to be looked at, without secrets.
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { type Asked, parseJson } from './wire/exchange.ts'

export interface RecordedRequest extends Pick<Asked, 'method' | 'path' | 'query'> {
  /** Undefined until, and unless, an answer was given. */
  status: number | undefined
  /** What was answered, unless it was endless or huge. */
  answer: unknown
  /** Real milliseconds until the answer, or until either side hung up without one; undefined before. */
  tookMs: number | undefined
  /** Parsed JSON, else the text; undefined when there was none. */
  readonly body: unknown
  /** Whose token came with it; undefined when it is not known, or none came. Never the token. */
  readonly token: string | undefined
  /** All but `authorization`. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** The number of the connection it came on, from 1. */
  readonly connection: number
  /** Milliseconds since 1970. */
  readonly at: number
}

export function recordOf(
  asked: Asked,
  { authorization: _secret, ...headers }: IncomingHttpHeaders,
  more: Pick<RecordedRequest, 'token' | 'connection' | 'at'>,
): RecordedRequest {
  const { method, path, query, text } = asked
  const body = text === '' ? undefined : (parseJson(text) ?? text)
  const unanswered = { status: undefined, answer: undefined, tookMs: undefined }
  return { ...unanswered, method, path, query, body, headers, ...more }
}

const maxRequestBytes = 1024 * 1024

export async function readRequest(req: IncomingMessage): Promise<Asked> {
  let text = ''
  for await (const chunk of req.setEncoding('utf8')) {
    text += chunk
    if (text.length > maxRequestBytes) throw new Error('The request is too large.')
  }
  const [path = '', query = ''] = splitOnce(req.url ?? '', '?')
  return {
    method: req.method ?? '',
    path,
    query,
    token: /^Bearer (\S+)$/.exec(req.headers.authorization ?? '')?.[1],
    contentType: req.headers['content-type'],
    text,
  }
}

function splitOnce(text: string, mark: string): string[] {
  const at = text.indexOf(mark)
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + mark.length)]
}
