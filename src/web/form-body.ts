// Reads what a browser's form sends, and no more of it than a form of ours can be.
import type { IncomingMessage } from 'node:http'

export type FormBody =
  | { readonly kind: 'form'; readonly fields: URLSearchParams }
  | { readonly kind: 'too-large' }
  | { readonly kind: 'other-type' }

/** Rejects when the connection breaks. What is not read has to be answered with an end of the connection. */
export async function readForm(request: IncomingMessage, mostBytes: number): Promise<FormBody> {
  const [type = ''] = (request.headers['content-type'] ?? '').split(';', 1)
  if (type.trim().toLowerCase() !== 'application/x-www-form-urlencoded') return { kind: 'other-type' }
  if (Number(request.headers['content-length'] ?? 0) > mostBytes) return { kind: 'too-large' }
  const body = await readBody(request, mostBytes)
  if (body === undefined) return { kind: 'too-large' }
  return { kind: 'form', fields: new URLSearchParams(body.toString('utf8')) }
}

/** Undefined when there is more. */
function readBody(request: IncomingMessage, mostBytes: number): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let bytes = 0
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > mostBytes) resolve(undefined)
      else chunks.push(chunk)
    })
    request.once('end', () => resolve(Buffer.concat(chunks)))
    request.once('error', reject)
    request.once('close', () => reject(new Error('the request was cut off')))
  })
}
