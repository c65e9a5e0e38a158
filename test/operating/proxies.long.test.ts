// The reverse proxies of the shelf, nginx and Caddy: they forward what Slack and browsers ask for, untouched, keep the rest
// inside, and write down no secret of an address.
import { describe, expect, it } from 'vitest'
import { installPaths } from '../../src/install/install.ts'
import { signedHeaders } from '../signed-request.ts'
import { openWorld } from '../world.ts'
import { ask, startCaddy, startNginx, startUpstream } from './start-proxies.ts'
import { onShelf, toolOf } from './tools.ts'

const forwarded = ['/slack/events', installPaths.begin, installPaths.end, '/connect/']
const inside = ['/metrics', '/healthz', '/readyz']
const secret = 'J3eLbGqvQ4kq0v2w6nYcVZrS1tUxP9aHdM7oBfKiEjA'

describe('the files for reverse proxies', () => {
  it('forward what Slack and browsers ask for, and nothing else', () => {
    const inNginx = [...onShelf('nginx.conf').matchAll(/location (?:= )?(\S+)\s+\{[^}]*proxy_pass/g)]
    expect(inNginx.map(([, path]) => path).toSorted()).toEqual(forwarded.toSorted())
    const [, inCaddy = ''] = /@forwarded path (.*)/.exec(onShelf('Caddyfile')) ?? []
    expect(inCaddy.replaceAll('*', '').split(' ').toSorted()).toEqual(forwarded.toSorted())
  })
})

const proxies = [
  { name: 'nginx', program: toolOf('nginx'), start: startNginx },
  { name: 'Caddy', program: toolOf('caddy'), start: startCaddy },
]

// Skipped where the program is missing; the name says so.
describe.each(proxies)('$name, where it is on this machine,', ({ program = '', start }) => {
  it.skipIf(program === '')('forwards four addresses, and keeps every other inside', async () => {
    const { reached, port } = await startUpstream()
    const proxy = await start(program, port)

    for (const path of [...forwarded.slice(0, 3), `/connect/${secret}`])
      expect([path, await ask(proxy, path)]).toEqual([path, { status: 200, text: 'from Bellhop' }])
    expect(reached.map(({ url }) => url)).toEqual([...forwarded.slice(0, 3), `/connect/${secret}`])
    const climbing = [
      '/connect/../metrics',
      '/slack/events/../../metrics',
      '/connect/%2e%2e/metrics',
      '//metrics',
    ]
    for (const path of [...inside, '/', '/slack/', '/connect', '/metrics?x=/connect/', ...climbing])
      await ask(proxy, path)
    // What is in doubt may reach Bellhop as it was written, where it is no address: never as another one.
    const after = reached.slice(4).map(({ url }) => url)
    expect(after.filter((url) => !climbing.includes(url))).toEqual([])
  })

  it.skipIf(program === '')('leaves the body as Slack signed it, and says who asked', async () => {
    const { reached, port } = await startUpstream()
    const proxy = await start(program, port)
    const body = Buffer.from([...'payload=%7B+"ü"\r\n\0'.split('').map((one) => one.charCodeAt(0)), 255, 254])
    const headers = {
      'x-slack-signature': 'v0=1',
      'x-forwarded-for': '203.0.113.9',
      'content-type': 'text/x',
    }

    await ask(proxy, '/slack/events', { method: 'POST', headers, body })

    expect(reached[0]?.body.equals(body)).toBe(true)
    expect(reached[0]?.headers).toMatchObject({
      'x-slack-signature': 'v0=1',
      'content-type': 'text/x',
      'x-forwarded-for': '127.0.0.1',
    })
  })

  it.skipIf(program === '')('takes as much as Bellhop does, and no more', async () => {
    const { reached, port } = await startUpstream()
    const proxy = await start(program, port)
    const most = Buffer.alloc(1024 * 1024, 'x')

    expect((await ask(proxy, '/slack/events', { method: 'POST', body: most })).status).toBe(200)
    const more = ask(proxy, '/slack/events', { method: 'POST', body: Buffer.concat([most, most]) })
    // A proxy that has answered need not read on.
    expect(await more.then(({ status }) => status).catch(() => 413)).toBeGreaterThanOrEqual(400)
    expect(reached.map(({ body }) => body.length)).toEqual([most.length])
  })

  it.skipIf(program === '')(
    'logs who asked for what, and no secret, whether Bellhop answers or not',
    async () => {
      const { port, stop } = await startUpstream()
      const proxy = await start(program, port)
      const addresses = [
        `/connect/${secret}`,
        `/connect/${secret}?a=${secret}`,
        `${installPaths.end}?code=${secret}`,
      ]
      const headers = {
        referer: `https://bellhop.example.com/connect/${secret}`,
        cookie: `bellhop_form=${secret}`,
      }
      const askAll = () => Promise.all(addresses.map((path) => ask(proxy, path, { headers })))

      expect((await askAll()).map(({ status }) => status)).toEqual([200, 200, 200])
      await ask(proxy, '/slack/events', { method: 'POST' })
      stop()
      expect((await askAll()).map(({ status }) => status)).toEqual([502, 502, 502])
      await ask(proxy, '/slack/events', { method: 'POST' })

      await expect.poll(() => proxy.log()).toMatch(/slack\/events[\s\S]*200[\s\S]*slack\/events[\s\S]*502/)
      await expect.poll(() => proxy.log()).toContain('/connect/-')
      expect(proxy.log()).not.toContain(secret)
    },
  )

  it.skipIf(program === '')('brings what Slack signed to the bot, and people to its page', async () => {
    const { url, slack, clock } = await openWorld({ env: { PUBLIC_URL: 'https://bellhop.example.com' } })
    const proxy = await start(program, Number(new URL(url).port))
    const body = JSON.stringify({ type: 'url_verification', challenge: 'ring' })
    const at = String(Math.floor(clock.now() / 1000))
    const headers = { 'content-type': 'application/json' }
    const send = (key: string) =>
      ask(proxy, '/slack/events', {
        method: 'POST',
        headers: { ...headers, ...signedHeaders(body, key, at) },
        body: Buffer.from(body),
      })

    expect(await send(slack.signingSecret)).toMatchObject({
      status: 200,
      text: expect.stringContaining('ring'),
    })
    expect(await send('0'.repeat(32))).toEqual({ status: 401, text: 'not signed by Slack' })
    const page = await ask(proxy, `/connect/${secret}`)
    expect([page.status, page.text]).toEqual([404, expect.stringContaining('<!doctype html>')])
  })
})
