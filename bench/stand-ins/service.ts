// A monitoring service that answers fast: any alert that somebody asks for, to whoever asks for it with their token.
import { createServer } from 'node:http'
import type { Books } from './books.ts'
import { createDelay } from './delays.ts'
import { listen } from './listen.ts'

export type ServiceStandIn = Awaited<ReturnType<typeof startServiceStandIn>>

/** An alert with three actions, as the service writes it. */
export function alertText(key: string): string {
  return JSON.stringify({
    ks: key,
    message: `Disk of ${key} is filling up`,
    severity: 4,
    timestamp: 1_700_000_000,
    lastMessage: `Disk of ${key} is almost full: 97 % used on /var/lib/data`,
    lastSeverity: 2,
    lastTimestamp: 1_700_003_600,
    ownerId: 12,
    closedTimestamp: null,
    actions: [
      { kind: 'Assign', timestamp: 1_700_000_100, data: { userId: 12 } },
      { kind: 'Comment', timestamp: 1_700_000_200, data: { message: 'Looking into it' } },
      {
        kind: 'Comment',
        timestamp: 1_700_000_900,
        data: { message: `Old logs of ${key} are being removed` },
      },
    ],
  })
}

export async function startServiceStandIn(books: Books) {
  const delay = createDelay()

  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://service')
    const [, kind, key = ''] = pathname.split('/')
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? ''
    if (kind !== 'alert' || searchParams.get('actions') !== 'kind,timestamp,data') {
      books.fail(`The service was asked for ${pathname}.`)
    }
    if (token !== books.tokenFor(key)) {
      books.fail(`The alert ${key} was read with another token than the asker's.`)
    }
    const text = alertText(key)
    delay.later(() => {
      response.writeHead(200, {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(text),
      })
      response.end(text)
    })
  })
  const { url, stop } = await listen(server)

  return {
    url,
    /** How long an answer takes, in milliseconds. */
    slow: delay.set,
    stop,
  }
}
