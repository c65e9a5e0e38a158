// The page's server: its files, its live events, what people do on it. For this machine alone.
import { serve } from '@hono/node-server'
import { type Context, Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { etag } from 'hono/etag'
import { act } from './act.ts'
import { contentSecurityPolicy, pageHtml, readAsset } from './assets.ts'
import { sendLive } from './live.ts'
import { doneSchema, Impossible } from './playing/act-schema.ts'
import type { Player } from './playing/player.ts'
import type { Scene } from './scene.ts'

export interface PageServer {
  /** Such as `http://127.0.0.1:4567`. */
  readonly url: string
  stop(): Promise<void>
}

/** Bytes: the longest message, and then some. */
const LONGEST_ACT = 256 * 1024

const HOST = '127.0.0.1'

/** Kept by the browser, and sent again only when it was changed: a saved source shows at the next reload. */
const askAgain = 'no-cache'

/** @param port - The wanted one; when it is taken, or 0, any free one. */
export async function servePage(scene: Scene, port: number): Promise<PageServer> {
  const app = new Hono()

  // A page elsewhere must neither read this one nor act on it, also under a name that it made point here.
  app.use(async (context, next) => {
    const host = context.req.header('host')
    const origin = context.req.header('origin')
    if (host === undefined || !isOurs(host))
      return context.text('This page is for this machine alone.', 403)
    if (origin !== undefined && origin !== `http://${host}`)
      return context.text('Not from there.', 403)
    await next()
    context.header('Content-Security-Policy', contentSecurityPolicy)
    context.header('X-Content-Type-Options', 'nosniff')
    context.header('Referrer-Policy', 'no-referrer')
    if (!context.res.headers.has('cache-control')) context.header('Cache-Control', 'no-store')
  })

  app.get('/', etag(), (context) => context.html(pageHtml, 200, { 'cache-control': askAgain }))

  app.get('/live', (context) => {
    const player = playerCalled(context.req.query('as'), scene)
    return player
      ? sendLive(context, player, scene)
      : context.text('Nobody here has that name.', 404)
  })

  app.post('/act', bodyLimit({ maxSize: LONGEST_ACT, onError: tooLong }), async (context) => {
    // Forms of other pages can send text, but not JSON, without being asked first.
    const isJson = context.req.header('content-type')?.startsWith('application/json')
    if (!isJson) return context.json({ error: 'Only JSON is taken here.' }, 415)
    const done = doneSchema.safeParse(await context.req.json().catch(() => undefined))
    if (!done.success)
      return context.json({ error: 'The page asked for something that does not exist.' }, 400)
    const player = playerCalled(done.data.as, scene)
    if (!player) return context.json({ error: 'Nobody here has that name.' }, 404)
    try {
      const said = await act(done.data.act, player, scene)
      return context.json({ ok: true, said })
    } catch (error) {
      if (error instanceof Impossible) return context.json({ error: error.message }, 409)
      throw error
    }
  })

  app.onError((error, context) => {
    console.error(error)
    return context.json({ error: 'The playground itself failed; its terminal says how.' }, 500)
  })

  app.get('*', etag(), async (context) => {
    const asset = await readAsset(new URL(context.req.url).pathname)
    if (asset === undefined) return context.notFound()
    const caching = asset.isLasting ? 'max-age=86400' : askAgain
    return context.body(asset.body, 200, { 'content-type': asset.type, 'cache-control': caching })
  })

  const { server, at } = await listen(app, port)
  // Browsers leave out port 80.
  const port80 = at === 80 ? [HOST, 'localhost'] : []
  const ours = new Set([`${HOST}:${at}`, `localhost:${at}`, ...port80])
  const isOurs = (host: string) => ours.has(host)
  return {
    url: `http://${HOST}:${at}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        if ('closeAllConnections' in server) server.closeAllConnections()
      }),
  }
}

function tooLong(context: Context): Response {
  return context.json({ error: 'That is too long.' }, 413)
}

function playerCalled(name: string | undefined, { players }: Scene): Player | undefined {
  return players.find(({ person }) => person.name === name)
}

async function listen(app: Hono, port: number): Promise<Listening> {
  try {
    return await listenAt(app, port)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')
      return listenAt(app, 0)
    throw error
  }
}

interface Listening {
  readonly server: ReturnType<typeof serve>
  /** The port. */
  readonly at: number
}

function listenAt({ fetch }: Hono, port: number): Promise<Listening> {
  return new Promise((resolve, reject) => {
    // What Node calls Request and Response stays what it is, for whoever else lives in this process.
    const options = { fetch, hostname: HOST, port, overrideGlobalObjects: false }
    const server = serve(options, ({ port: at }) => resolve({ server, at }))
    server.once('error', reject)
  })
}
